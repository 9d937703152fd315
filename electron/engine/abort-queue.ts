import { STORE_ERROR, StoreError } from '../stores/store-error.ts'
import type { DueAbort } from './checkpoint/checkpoint.ts'
import type { EngineDeps } from './deps.ts'
import { backoffMs, classify } from './retry.ts'

const ABORTS_AT_A_TIME = 4

/** Aborts of multipart uploads that nobody wants any more. Each is due until the service says that it is gone. */
export interface AbortQueue {
  /** Aborts those left over from earlier. */
  resume(): Promise<void>
  /** Resolves when the abort is durable; it is carried out in the background. */
  add(abort: DueAbort): Promise<void>
  /** Nothing is tried any more: all are gone, or were given up until the next start. */
  readonly isQuiet: boolean
  /** Stops trying; what is left stays due. */
  close(): Promise<void>
}

/**
 * @param onQuiet is called each time `isQuiet` becomes true.
 */
export function createAbortQueue(
  deps: Pick<EngineDeps, 'clock' | 'random' | 'checkpoints' | 'openStore'>,
  onQuiet: () => void,
): AbortQueue {
  const waiting: DueAbort[] = []
  const active = new Set<Promise<void>>()
  const closing = new AbortController()

  function pump(): void {
    while (active.size < ABORTS_AT_A_TIME && !closing.signal.aborted) {
      const due = waiting.shift()
      if (due === undefined) break
      const work = carryOut(due).finally(() => {
        active.delete(work)
        pump()
        if (active.size === 0 && waiting.length === 0) onQuiet()
      })
      active.add(work)
    }
  }

  /** Never rejects. Gives up, until the next start, on a refusal that only a person can change. */
  async function carryOut(due: DueAbort): Promise<void> {
    for (let attempt = 1; !closing.signal.aborted; attempt += 1) {
      try {
        await abortOnce(due)
        await deps.checkpoints.abortDone(due.uploadId)
        return
      } catch (failure) {
        const verdict = closing.signal.aborted ? null : classify(failure)
        if (verdict?.kind !== 'wait') return
        const delayMs = Math.max(backoffMs(attempt, deps.random), verdict.retryAfterMs ?? 0)
        await deps.clock.sleep(delayMs, closing.signal).catch(() => undefined)
      }
    }
  }

  async function abortOnce({ location, key, uploadId }: DueAbort): Promise<void> {
    try {
      await deps.openStore(location).abortMultipartUpload({ key, uploadId, signal: closing.signal })
    } catch (failure) {
      if (!(failure instanceof StoreError) || !isAsGoodAsGone(failure)) throw failure
    }
  }

  return {
    async resume() {
      waiting.push(...(await deps.checkpoints.abortsDue()))
      pump()
    },
    async add(abort) {
      await deps.checkpoints.addAbort(abort)
      waiting.push(abort)
      pump()
    },
    get isQuiet() {
      return active.size === 0 && waiting.length === 0
    },
    async close() {
      closing.abort('close')
      waiting.length = 0
      await Promise.all(active)
    },
  }
}

/** A service without the operation will never do it. */
function isAsGoodAsGone({ code }: StoreError): boolean {
  return code === 'NoSuchUpload' || code === STORE_ERROR.notImplemented
}
