// Limits on memory that several tasks share: they wait for bytes before they take them.

import { MIB } from '../../../shared/limits.ts'

/** For all downloads together. */
const MAX_UNWRITTEN_BYTES = 64 * MIB
/** Above this share in use, the disk counts as the bottleneck. */
const TIGHT_SHARE = 0.75

/** A limit on the bytes in memory at a time. */
export interface MemoryBudget {
  /**
   * Resolves when `bytes` are granted, in the order of asking; at once when aborted, because bytes that have already
   * come must be kept. Each grant must be given back.
   */
  take(bytes: number, signal: AbortSignal): Promise<void>
  give(bytes: number): void
  /** More than three quarters are in use. */
  readonly isTight: boolean
}

/** Creates a budget of `totalBytes`. A request for more than all of it passes alone. */
export function createMemoryBudget(totalBytes: number): MemoryBudget {
  const waiters = new Set<{ readonly bytes: number; readonly grant: () => void }>()
  let usedBytes = 0

  const fits = (bytes: number) => usedBytes === 0 || usedBytes + bytes <= totalBytes

  return {
    take(bytes, signal) {
      if (signal.aborted || (waiters.size === 0 && fits(bytes))) {
        usedBytes += bytes
        return Promise.resolve()
      }
      return new Promise((resolve) => {
        const waiter = { bytes, grant }
        function grant(): void {
          signal.removeEventListener('abort', grant)
          waiters.delete(waiter)
          usedBytes += bytes
          resolve()
        }
        signal.addEventListener('abort', grant, { once: true })
        waiters.add(waiter)
      })
    },
    give(bytes) {
      usedBytes -= bytes
      for (const waiter of waiters) {
        if (!fits(waiter.bytes)) return
        waiter.grant()
      }
    },
    get isTight() {
      return usedBytes > totalBytes * TIGHT_SHARE
    },
  }
}

/**
 * For bytes that downloads received and have not written: a download that waits for it does not read its socket, and
 * while it is tight, writing is slower than reading. Memory belongs to the process, and so does the budget.
 */
export const writeBudget = createMemoryBudget(MAX_UNWRITTEN_BYTES)
