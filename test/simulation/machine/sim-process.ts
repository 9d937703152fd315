import type { Clock } from '../../../electron/engine/core/deps.ts'
import type { Random } from '../random.ts'
import type { Timeline } from '../timeline.ts'

/** No timer of Node's is shorter. */
const LEAST_SLEEP_MS = 1
const EPOCH_MS = Date.UTC(2026, 0, 1)

/** The wall clock of the machine, which people and time servers move. */
export interface WallClock {
  offsetMs: number
}

/**
 * One life of the program. What it waits for comes through here, so that after a kill nothing of it ever goes on; what
 * the kernel or the disk was doing for it may have happened or not.
 */
export class SimProcess {
  isAlive = true
  readonly clock: Clock
  readonly #timeline: Timeline
  readonly #random: Random
  readonly #effects = new Set<() => unknown>()

  constructor(timeline: Timeline, random: Random, wall: WallClock) {
    this.#timeline = timeline
    this.#random = random
    this.clock = {
      nowMs: () => EPOCH_MS + Math.floor(timeline.nowMs) + wall.offsetMs,
      monotonicMs: () => timeline.nowMs,
      sleep: (delayMs, signal) => this.sleep(delayMs, signal),
    }
  }

  sleep(delayMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason)
        return
      }
      let isOver = false
      const abort = (): void => {
        isOver = true
        reject(signal.reason)
      }
      signal.addEventListener('abort', abort, { once: true })
      this.#timeline.at(Math.max(LEAST_SLEEP_MS, delayMs), () => {
        if (isOver || !this.isAlive) return
        signal.removeEventListener('abort', abort)
        resolve()
      })
    })
  }

  /** Has `effect` done after `delayMs`; resolves or rejects as it does. */
  perform<Value>(delayMs: number, effect: () => Value | Promise<Value>): Promise<Value> {
    this.#effects.add(effect)
    return new Promise((resolve, reject) => {
      this.#timeline.at(delayMs, () => {
        if (!this.#effects.delete(effect)) return
        try {
          Promise.resolve(effect()).then(resolve, reject)
        } catch (failure) {
          reject(failure)
        }
      })
    })
  }

  /** Ends the process. Of what it had asked for some is done, the rest never. */
  kill(): void {
    this.isAlive = false
    for (const effect of this.#effects) {
      if (!this.#random.chance(0.5)) continue
      try {
        Promise.resolve(effect()).catch(() => undefined)
      } catch {
        // Nobody is left to hear of it.
      }
    }
    this.#effects.clear()
  }
}
