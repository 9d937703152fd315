import { setTimeout } from 'node:timers/promises'
import type { Clock } from '../core/deps.ts'

/** Longest delay of a Node timer; a longer one would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** A clock that tells the machine's own time. */
export function createSystemClock(): Clock {
  return {
    nowMs: () => Date.now(),
    monotonicMs: () => performance.now(),
    async sleep(delayMs, signal) {
      try {
        for (let leftMs = delayMs; ; leftMs -= MAX_TIMER_MS) {
          await setTimeout(Math.min(leftMs, MAX_TIMER_MS), undefined, { signal })
          if (leftMs <= MAX_TIMER_MS) return
        }
      } catch (failure) {
        // Node rejects with its own AbortError, but callers tell stops apart by their reason.
        throw signal.aborted ? signal.reason : failure
      }
    },
  }
}
