import { errnoCode } from '../../errno/errno.ts'

/** On Windows, virus scanners and indexers hold new files open for a while, which fails with any of these. */
const BUSY_CODES = new Set(process.platform === 'win32' ? ['EBUSY', 'EPERM', 'EACCES'] : ['EBUSY'])
const FIRST_DELAY_MS = 50
const TIMEOUT_MS = 60_000

/** The clock by which a busy file is waited out. */
export interface Patience {
  readonly monotonicMs: () => number
  readonly sleep: (delayMs: number) => Promise<unknown>
}

/** Runs `action`, again for up to a minute while a file is busy. Throws its last failure, or what `sleep` throws. */
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
