// Which of a transfer's waits is shown: the latest, while nothing moves.

import type { WaitState } from '../../../shared/transfer/transfer.ts'

/** Bytes that came this long ago don't speak for a transfer any more, milliseconds. */
const STILL_MS = 1000

/** What a transfer waits for: its connections, and the files of a folder, each by itself. */
export class ShownWait {
  readonly #waits = new Map<unknown, WaitState>()
  #movedAtMs = -Infinity

  /** `who` waits, or no longer (null). */
  set(who: unknown, wait: WaitState | null): void {
    this.#waits.delete(who)
    if (wait === null) return
    this.#waits.set(who, wait)
    // What is new is shown at once.
    this.#movedAtMs = -Infinity
  }

  /** Bytes have moved: some may wait, the transfer does not. */
  moved(nowMs: number): void {
    this.#movedAtMs = nowMs
  }

  clear(): void {
    this.#waits.clear()
  }

  /** What is to be shown; null: nothing is waited for, or bytes move. */
  at(nowMs: number): WaitState | null {
    return nowMs - this.#movedAtMs < STILL_MS ? null : ([...this.#waits.values()].at(-1) ?? null)
  }
}
