// Decides which of a transfer's waits is shown: the latest, while nothing moves.

import { isOfDisk, type WaitState } from '../../../shared/transfer/transfer.ts'

/** Bytes that moved this long ago no longer hide a wait; so long after its wait, a try may meet the full disk again (ms). */
const STILL_MS = 1000

interface Known {
  readonly wait: WaitState
  /** When it ended; null while it lasts. */
  readonly endedAtMs: number | null
}

/**
 * What a transfer waits for. Its connections, and the files of a folder, each wait by themselves, but a disk refuses all
 * of them: bytes that arrive don't hide that, and a try doesn't end it. Only what has been saved does.
 */
export class ShownWait {
  readonly #waits = new Map<unknown, Known>()
  #movedAtMs = -Infinity

  /** Sets what `who` waits for; null when it no longer waits. */
  set(who: unknown, wait: WaitState | null, nowMs: number): void {
    const before = this.#waits.get(who)
    this.#waits.delete(who)
    if (wait !== null) {
      this.#waits.set(who, { wait, endedAtMs: null })
      // A new wait is shown at once.
      this.#movedAtMs = -Infinity
    } else if (before !== undefined && isOfDisk(before.wait.reason)) {
      this.#waits.set(who, { ...before, endedAtMs: before.endedAtMs ?? nowMs })
    }
  }

  /** Notes that bytes have moved: some connections may wait, but the transfer does not. */
  moved(nowMs: number): void {
    this.#movedAtMs = nowMs
  }

  /** Notes that something has been saved: the disk takes writes. */
  saved(): void {
    this.#forgetEnded(Infinity)
  }

  clear(): void {
    this.#waits.clear()
  }

  /** The wait to show; null when there is none, or bytes are moving. */
  at(nowMs: number): WaitState | null {
    this.#forgetEnded(nowMs - STILL_MS)
    const waits = [...this.#waits.values()].map(({ wait }) => wait)
    const ofDisk = waits.findLast(({ reason }) => isOfDisk(reason))
    if (ofDisk !== undefined) return ofDisk
    return nowMs - this.#movedAtMs < STILL_MS ? null : (waits.at(-1) ?? null)
  }

  #forgetEnded(before: number): void {
    for (const [who, { endedAtMs }] of this.#waits) {
      if (endedAtMs !== null && endedAtMs <= before) this.#waits.delete(who)
    }
  }
}
