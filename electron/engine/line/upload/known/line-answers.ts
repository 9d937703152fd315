import { isSmall, type OnItsWay } from './on-its-way.ts'

/** How many of the latest turnarounds are kept to show what is usual. */
const KNOWN_TURNAROUNDS = 20
/** How many of the latest requests without a body tell how far away the service is. */
const KNOWN_ROUND_TRIPS = 5

/** What the answers of a service show of the line to it. Bytes and milliseconds. */
export class LineAnswers {
  /** Bytes of answered bodies, small ones included. */
  bytes = 0
  /** When the latest body was answered, monotonic milliseconds. */
  atMs = -Infinity
  /** Time that all answered large bodies took, added up. */
  largeMs = 0
  /** How long the latest large body took; null before the first. */
  bodyMs: number | null = null
  /** Bytes that were on their way when the latest large body last moved, its own included; 0 before the first. */
  queueBytes = 0
  /** The latest times from the last byte of a body to its answer. */
  turnaroundsMs: readonly number[] = []
  /** The shortest such time ever seen; Infinity before the first. */
  turnaroundMs = Infinity
  #bodyBytes = 0
  #roundTripsMs: readonly number[] = []

  /** The shortest recent time to the answer of a request without a body, milliseconds; 0 if unknown. */
  get roundTripMs(): number {
    return this.#roundTripsMs.length === 0 ? 0 : Math.min(...this.#roundTripsMs)
  }

  /** Records how long a request without a body took to be answered, milliseconds. */
  roundTrip(ms: number): void {
    this.#roundTripsMs = [...this.#roundTripsMs.slice(1 - KNOWN_ROUND_TRIPS), ms]
  }

  /** A body was answered. */
  answered({ body, asked }: OnItsWay, nowMs: number): void {
    this.bytes += body.sizeBytes
    this.atMs = nowMs
    if (!isSmall(asked)) {
      this.bodyMs = nowMs - body.beganAtMs
      this.#bodyBytes = body.sizeBytes
      this.queueBytes = body.lineThen.queueBytes
      this.largeMs += this.bodyMs
    }
    const turnaroundMs = nowMs - body.movedAtMs
    this.turnaroundMs = Math.min(this.turnaroundMs, turnaroundMs)
    this.turnaroundsMs = [...this.turnaroundsMs.slice(1 - KNOWN_TURNAROUNDS), turnaroundMs]
  }

  /** How long a body of this size takes, judged by the latest large one, milliseconds; null before the first. */
  usualMs(sizeBytes: number): number | null {
    return this.bodyMs === null ? null : (this.bodyMs * sizeBytes) / this.#bodyBytes
  }
}
