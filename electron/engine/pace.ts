/** Time constant of a connection's rate, milliseconds: what happened that long ago weighs a third. */
const SMOOTHING_MS = 700
/** A rate from less time or fewer bytes than these says nothing yet. */
const MIN_AGE_MS = 50
const MIN_BYTES = 64 * 1024
/** A new request may be silent this long before its connection counts as slower than expected. */
const GRACE_MS = 800

/** How fast one request's bytes come. Silence counts: the rate falls while nothing comes. */
export class Pace {
  readonly #startedAtMs: number
  readonly #expected: number | null
  #recentBytes = 0
  #totalBytes = 0
  #movedAtMs: number

  /** @param expected bytes a second that such a connection had until now; null: unknown. */
  constructor(nowMs: number, expected: number | null) {
    this.#startedAtMs = nowMs
    this.#movedAtMs = nowMs
    this.#expected = expected
  }

  /** Milliseconds since the request began. */
  ageMs(nowMs: number): number {
    return nowMs - this.#startedAtMs
  }

  /** Milliseconds since bytes came, or since the beginning. */
  silentMs(nowMs: number): number {
    return nowMs - this.#movedAtMs
  }

  moved(bytes: number, nowMs: number): void {
    this.#recentBytes = this.#recentAt(nowMs) + bytes
    this.#totalBytes += bytes
    this.#movedAtMs = nowMs
  }

  /** Bytes a second at this moment; null while nothing is known. */
  rateAt(nowMs: number): number | null {
    const ageMs = this.ageMs(nowMs)
    const isYoung = ageMs < GRACE_MS
    if (isYoung && (ageMs < MIN_AGE_MS || this.#totalBytes < MIN_BYTES)) return this.#expected
    const weighedMs = SMOOTHING_MS * (1 - Math.exp(-ageMs / SMOOTHING_MS))
    const measured = (this.#recentAt(nowMs) * 1000) / weighedMs
    return isYoung ? Math.max(measured, this.#expected ?? 0) : measured
  }

  #recentAt(nowMs: number): number {
    return this.#recentBytes * Math.exp(-(nowMs - this.#movedAtMs) / SMOOTHING_MS)
  }
}
