/**
 * For how long a line has been in use: pauses tell nothing about it. The line counts as empty until the first byte can
 * have been answered. All times are milliseconds, those of moments monotonic.
 */
export class TimeOfUse {
  /** How long the line has been in use, as of `#atMs`. */
  #usedMs = 0
  #atMs = 0
  /** From when on the service can have received and answered anything. */
  #fromMs = 0

  /** How long the line has been in use, as of the latest call of `advance` or `begin`. */
  get usedMs(): number {
    return this.#usedMs
  }

  /** The moment up to which `usedMs` counts. */
  get asOfMs(): number {
    return this.#atMs
  }

  /** The line comes into use; nothing can be answered before one round trip. */
  begin(nowMs: number, roundTripMs: number): void {
    this.#atMs = nowMs
    this.#fromMs = nowMs + roundTripMs
  }

  /** The line turns out to have been in use at this moment. */
  usedAt(atMs: number): void {
    this.#fromMs = Math.min(this.#fromMs, atMs)
  }

  /** Counts the time until `nowMs`. @returns how long the line has been in use. */
  advance(nowMs: number): number {
    if (nowMs < this.#fromMs) return this.#usedMs
    this.#usedMs += nowMs - Math.max(this.#atMs, this.#fromMs)
    this.#atMs = nowMs
    return this.#usedMs
  }

  /** The first moment at which the line was in use, at `atMs` or later. */
  startOf(atMs: number): number {
    return Math.max(atMs, this.#fromMs)
  }

  /** How long the line has been in use since a moment, as of `asOfMs`. */
  since(atMs: number): number {
    return Math.max(0, this.#atMs - this.startOf(atMs))
  }

  /** Converts a moment since the line came into use to time of use, as of `asOfMs`. */
  at(atMs: number): number {
    return this.#usedMs - this.since(atMs)
  }
}
