/** A timer that comes late is made up for by this much. */
const CATCH_UP_MS = 20
/** Bytes pass in grains that take no longer than this. */
const GRAIN_MS = 20
const LEAST_GRAIN_BYTES = 1024
const MOST_GRAIN_BYTES = 64 * 1024

/** Lets bytes pass at a rate, which may change at any time. */
export interface Pacer {
  /** The most that should be taken at once. */
  readonly grainBytes: number
  /** Resolves once so many bytes may pass. Takers pass in the order in which they asked. */
  take(bytes: number): Promise<void>
  /** Bytes a second; 0: nothing passes until it changes; null: no limit. */
  setRate(bytesPerSecond: number | null): void
  /** Lets those who wait go; what they hold has no use any more. */
  end(): void
}

export function createPacer(initialRate: number | null): Pacer {
  let rate = initialRate
  let freeAtMs = 0
  let isEnded = false
  const waiters = new Set<() => void>()

  function wakeAll(): void {
    for (const wake of waiters) wake()
  }

  /** Until `wakeAll`, or a time if there is one. */
  function pause(ms: number | null): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer)
        waiters.delete(wake)
        resolve()
      }
      const timer = ms === null ? undefined : setTimeout(wake, ms)
      waiters.add(wake)
    })
  }

  return {
    get grainBytes() {
      if (rate === null) return MOST_GRAIN_BYTES
      return Math.min(Math.max(Math.floor((rate * GRAIN_MS) / 1000), LEAST_GRAIN_BYTES), MOST_GRAIN_BYTES)
    },
    async take(bytes) {
      while (rate === 0 && !isEnded) await pause(null)
      if (rate === null || isEnded) return
      freeAtMs = Math.max(freeAtMs, performance.now() - CATCH_UP_MS) + (bytes / rate) * 1000
      const waitMs = freeAtMs - performance.now()
      if (waitMs >= 1) await pause(waitMs)
      while (rate === 0 && !isEnded) await pause(null)
    },
    setRate(next) {
      rate = next
      // Whoever waits would wait at the old rate, which may have been a long time.
      freeAtMs = 0
      wakeAll()
    },
    end() {
      isEnded = true
      wakeAll()
    },
  }
}
