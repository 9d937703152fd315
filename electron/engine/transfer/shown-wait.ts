// Decides which of a transfer's waits is shown: the latest, while nothing moves.

import type { WaitState } from '../../../shared/transfer/transfer.ts'

/** Bytes that moved this long ago no longer hide a wait, milliseconds. */
const STILL_MS = 1000

/** What a transfer waits for. Its connections, and the files of a folder, each wait by themselves. */
export class ShownWait {
  readonly #waits = new Map<unknown, WaitState>()
  #movedAtMs = -Infinity

  /** Sets what `who` waits for; null when it no longer waits. */
  set(who: unknown, wait: WaitState | null): void {
    this.#waits.delete(who)
    if (wait === null) return
    this.#waits.set(who, wait)
    // A new wait is shown at once.
    this.#movedAtMs = -Infinity
  }

  /** Notes that bytes have moved: some connections may wait, but the transfer does not. */
  moved(nowMs: number): void {
    this.#movedAtMs = nowMs
  }

  clear(): void {
    this.#waits.clear()
  }

  /** The wait to show; null when there is none, or bytes are moving. */
  at(nowMs: number): WaitState | null {
    return nowMs - this.#movedAtMs < STILL_MS ? null : ([...this.#waits.values()].at(-1) ?? null)
  }
}
