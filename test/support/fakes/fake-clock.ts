import type { Clock } from '../../../electron/engine/core/deps.ts'

/** A clock that stands still until a test moves it. */
export interface FakeClock extends Clock {
  /**
   * Moves time on, waking every sleeper at its own moment, earliest first. After each one the event loop turns, so that
   * what it does next (and sleeps for next) happens at that moment too.
   */
  advance(durationMs: number): Promise<void>
  /** Resolves once at least `count` sleepers wait, also counting those that already do. */
  untilSleeping(count?: number): Promise<void>
  /** Moves the wall clock alone, as a person or a time server does. */
  shiftWallClock(byMs: number): void
  /** How many sleepers wait. */
  readonly sleeping: number
}

interface Sleeper {
  readonly wakeAtMs: number
  readonly wake: () => void
}

/** Starts at 2026-01-01T00:00:00Z on the wall, 0 ms monotonic. */
export function createFakeClock(startMs: number = Date.UTC(2026, 0, 1)): FakeClock {
  let elapsedMs = 0
  let wallOffsetMs = startMs
  const sleepers = new Set<Sleeper>()
  const watchers = new Set<{ readonly count: number; readonly resolve: () => void }>()

  function earliest(untilMs: number): Sleeper | null {
    let next: Sleeper | null = null
    for (const sleeper of sleepers) {
      if (sleeper.wakeAtMs <= untilMs && (next === null || sleeper.wakeAtMs < next.wakeAtMs)) next = sleeper
    }
    return next
  }

  function notifyWatchers(): void {
    for (const watcher of watchers) {
      if (sleepers.size < watcher.count) continue
      watchers.delete(watcher)
      watcher.resolve()
    }
  }

  function sleep(delayMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason as Error)
        return
      }
      const sleeper = { wakeAtMs: elapsedMs + Math.max(0, delayMs), wake }
      function wake(): void {
        sleepers.delete(sleeper)
        signal.removeEventListener('abort', abort)
        resolve()
      }
      function abort(): void {
        sleepers.delete(sleeper)
        reject(signal.reason as Error)
      }
      signal.addEventListener('abort', abort, { once: true })
      sleepers.add(sleeper)
      notifyWatchers()
    })
  }

  return {
    nowMs: () => wallOffsetMs + elapsedMs,
    monotonicMs: () => elapsedMs,
    sleep,
    async advance(durationMs) {
      const untilMs = elapsedMs + durationMs
      await turnEventLoop()
      for (let next = earliest(untilMs); next !== null; next = earliest(untilMs)) {
        elapsedMs = Math.max(elapsedMs, next.wakeAtMs)
        next.wake()
        await turnEventLoop()
      }
      elapsedMs = untilMs
      await turnEventLoop()
    },
    untilSleeping(count = 1) {
      return new Promise((resolve) => {
        watchers.add({ count, resolve })
        notifyWatchers()
      })
    },
    shiftWallClock(byMs) {
      wallOffsetMs += byMs
    },
    get sleeping() {
      return sleepers.size
    },
  }
}

/** Lets every promise that can settle without input settle. */
function turnEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
