// Limits on memory that several tasks share: they wait for bytes before they take them.

import { MIB } from '../../../shared/limits.ts'

/** Of all downloads together. */
const MAX_UNWRITTEN_BYTES = 64 * MIB
/** From this share on the disk counts as what is slow. */
const TIGHT_SHARE = 0.75

/** Memory for bytes that came and are not written yet. Who waits for it does not read its socket. */
export interface WriteBudget {
  /** Resolves when `bytes` are granted, in the order of asking; at once when aborted, for what came is to be kept. */
  take(bytes: number, signal: AbortSignal): Promise<void>
  give(bytes: number): void
  /** More than three quarters are in use: writing is slower than reading. */
  readonly isTight: boolean
}

/** Creates a budget of `totalBytes`. What is larger than all of it passes alone. */
export function createWriteBudget(totalBytes: number): WriteBudget {
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

/** The memory is the process's, so is the budget. */
export const writeBudget = createWriteBudget(MAX_UNWRITTEN_BYTES)

/** So many bytes in memory at a time. Who comes first is served first. */
export interface ByteBudget {
  /** Resolves when there is room. Rejects with `signal.reason` when aborted. */
  reserve(bytes: number): Promise<void> | undefined
  release(bytes: number): void
}

/** `limitBytes` must not be below what anybody reserves. */
export function createByteBudget(limitBytes: number, signal: AbortSignal): ByteBudget {
  let usedBytes = 0
  const waiting: {
    readonly bytes: number
    readonly resolve: () => void
    readonly reject: (reason: unknown) => void
  }[] = []
  signal.addEventListener('abort', () => {
    for (const { reject } of waiting.splice(0)) reject(signal.reason)
  })
  return {
    reserve(bytes) {
      if (waiting.length === 0 && usedBytes + bytes <= limitBytes) {
        usedBytes += bytes
        return undefined
      }
      return new Promise((resolve, reject) => waiting.push({ bytes, resolve, reject }))
    },
    release(bytes) {
      usedBytes -= bytes
      for (let next = waiting[0]; next !== undefined && usedBytes + next.bytes <= limitBytes; next = waiting[0]) {
        waiting.shift()
        usedBytes += next.bytes
        next.resolve()
      }
    },
  }
}
