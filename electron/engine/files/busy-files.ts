import { errnoCode } from '../core/errno.ts'

/** Virus scanners and indexers hold new files open for a while on Windows, which answers with any of these. */
const BUSY_CODES = new Set(process.platform === 'win32' ? ['EBUSY', 'EPERM', 'EACCES'] : ['EBUSY'])
const FIRST_DELAY_MS = 50
const TIMEOUT_MS = 60_000

/** How time passes for what is waited out. */
export interface Patience {
  readonly monotonicMs: () => number
  readonly sleep: (delayMs: number) => Promise<unknown>
}

/**
 * Runs `action` anew for up to a minute while a file is busy. Throws what it throws in the end, and what `sleep` does.
 */
export async function unlessBusy<Value>(
  action: () => Value,
  { monotonicMs, sleep }: Patience,
): Promise<Awaited<Value>> {
  const startedMs = monotonicMs()
  for (let delayMs = FIRST_DELAY_MS; ; delayMs *= 2) {
    try {
      return await action()
    } catch (failure) {
      const isLate = monotonicMs() - startedMs + delayMs > TIMEOUT_MS
      if (isLate || !BUSY_CODES.has(errnoCode(failure) ?? '')) throw failure
      await sleep(delayMs)
    }
  }
}
