import { Throughput } from './throughput.ts'

/** Bytes that arrive within this time of the previous ones show that the line moved in between (milliseconds). */
export const MOST_BETWEEN_MS = 500

/** The pace of all connections of a line together, in a time that stands still while nothing arrives over any of them. */
export class LinePace {
  readonly #pace = new Throughput(0, null)
  #lineMs = 0
  #movedAtMs: number

  /** @param nowMs monotonic, as everywhere here. */
  constructor(nowMs: number) {
    this.#movedAtMs = nowMs
  }

  /** How long the line has been bringing anything at all, milliseconds. */
  get lineMs(): number {
    return this.#lineMs
  }

  /** Bytes a second, averaged over some seconds of that time. */
  get rate(): number {
    return this.#pace.longRateAt(this.#lineMs)
  }

  moved(bytes: number, nowMs: number): void {
    this.#lineMs += Math.min(nowMs - this.#movedAtMs, MOST_BETWEEN_MS)
    this.#movedAtMs = nowMs
    this.#pace.moved(bytes, this.#lineMs)
  }
}
