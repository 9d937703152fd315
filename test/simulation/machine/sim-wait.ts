import type { SimProcess } from './sim-process.ts'
import type { Timeline } from '../timeline.ts'

/** How whoever waits for something is told of it. */
export interface Waiter {
  readonly done: () => void
  readonly failed: (failure: Error) => void
}

/**
 * Resolves when `begin` says so, unless the process is gone by then; rejects as it says, or with the reason of the
 * signal.
 */
export function waitFor(process: SimProcess, signal: AbortSignal, begin: (waiter: Waiter) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error)
    const abort = (): void => reject(signal.reason as Error)
    signal.addEventListener('abort', abort, { once: true })
    const settle = (end: () => void): void => {
      signal.removeEventListener('abort', abort)
      if (process.isAlive) end()
    }
    begin({ done: () => settle(resolve), failed: (failure) => settle(() => reject(failure)) })
  })
}

/** Calls `onSilent` once nothing has been heard for so long. */
export class Watchdog {
  readonly #timeline: Timeline
  readonly #limitMs: number
  readonly #onSilent: () => void
  #heardMs: number
  #isStopped = false

  constructor(timeline: Timeline, limitMs: number, onSilent: () => void) {
    this.#timeline = timeline
    this.#limitMs = limitMs
    this.#onSilent = onSilent
    this.#heardMs = timeline.nowMs
    this.#look()
  }

  heard(): void {
    this.#heardMs = this.#timeline.nowMs
  }

  stop(): void {
    this.#isStopped = true
  }

  #look(): void {
    this.#timeline.at(this.#heardMs + this.#limitMs - this.#timeline.nowMs, () => {
      if (this.#isStopped) return
      // Sums of times are not exact.
      if (this.#timeline.nowMs - this.#heardMs < this.#limitMs - 1) this.#look()
      else this.#onSilent()
    })
  }
}
