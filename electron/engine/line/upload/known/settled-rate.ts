/** Moments are kept for this long (milliseconds of use). */
const KEPT_MS = 120_000
/** Two moments less far apart tell no rate (milliseconds of use). */
const LEAST_MS = 1000
/** What connections hide is at most this share of what moved between two moments that tell a rate. */
const MOST_UNSURE = 0.08

/** What connections took without showing that it drained: the rest of it may lie in their buffers. Bytes. */
export interface Hidden {
  readonly bytes: number
  /** Of these, what should have passed the buffers. */
  readonly passedBytes: number
}

/** What a line had moved when the service answered a large body. */
export interface Settled {
  /** For how long the line had been in use, milliseconds. */
  readonly atMs: number
  /** About how many bytes it had moved. */
  readonly bytes: number
  /** Bytes that buffers may still have held. */
  readonly unsureBytes: number
}

/**
 * The mean rate of a line between two answers: all of the answered bodies is there, and of the next ones only little has
 * been handed over. While buffers grow, what drains within a body shows more than moves. Bytes a second; no effects.
 */
export class SettledRate {
  /** Oldest first. */
  #moments: readonly Settled[] = [{ atMs: 0, bytes: 0, unsureBytes: 0 }]
  #bytesPerSecond: number | null = null

  /** The latest moment, or the one at which the line came into use. */
  get latest(): Settled {
    return this.#moments.at(-1) as Settled
  }

  /** The mean rate until the latest answer; null if too much may still have been in buffers. */
  get bytesPerSecond(): number | null {
    return this.#bytesPerSecond
  }

  /** A large body was answered. `hidden`: of the others. */
  answered(atMs: number, knownBytes: number, hidden: Hidden): void {
    const kept = this.#moments.filter((earlier) => atMs - earlier.atMs <= KEPT_MS)
    const latest = { atMs, bytes: knownBytes + hidden.passedBytes, unsureBytes: hidden.bytes }
    this.#moments = [...kept, latest]
    // Asked for with each slice of a body, but only an answer changes it.
    const from = kept.findLast((earlier) => isTelling(earlier, latest))
    this.#bytesPerSecond = from === undefined ? null : ((latest.bytes - from.bytes) * 1000) / (latest.atMs - from.atMs)
  }
}

function isTelling(from: Settled, to: Settled): boolean {
  const isSure = from.unsureBytes + to.unsureBytes <= MOST_UNSURE * (to.bytes - from.bytes)
  return isSure && to.atMs - from.atMs >= LEAST_MS
}
