import { MIB } from '../../../shared/limits.ts'

/** Time constant of a connection's rate, milliseconds: what happened that long ago weighs a third. */
const SMOOTHING_MS = 700
/** The same for decisions when little is left: a connection that became slow must show within some looks. */
const QUICK_SMOOTHING_MS = 200
/** A rate from less time or fewer bytes than these tells nothing yet. */
const MIN_AGE_MS = 50
const MIN_BYTES = MIB / 16
/** This many bytes tell the rate of a request that is over, however little time it took. */
const MIN_WHOLE_BYTES = MIB
/** Bytes that come in less than whole blocks come in ticks (milliseconds): until the next tick nothing is late. */
const WHOLE_BYTES = MIB / 4
const TICK_MS = 300
/** Time constant of a rate averaged over some seconds, milliseconds. */
const LONG_SMOOTHING_MS = 4000
/** A new request may be silent this long before its connection counts as slower than expected. */
const GRACE_MS = 800

/** How fast the bytes of one request come. Silence counts: the rate falls while nothing comes. */
export class Throughput {
  readonly #startedAtMs: number
  readonly #expected: number | null
  #recentBytes = 0
  #quickBytes = 0
  #longBytes = 0
  #lastBytes = 0
  #totalBytes = 0
  #movedAtMs: number

  /** @param expected bytes a second that such a connection had until now; null if unknown. */
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
    const silentMs = this.silentMs(nowMs)
    this.#recentBytes = decayed(this.#recentBytes, silentMs, SMOOTHING_MS) + bytes
    this.#quickBytes = decayed(this.#quickBytes, silentMs, QUICK_SMOOTHING_MS) + bytes
    this.#longBytes = decayed(this.#longBytes, silentMs, LONG_SMOOTHING_MS) + bytes
    this.#totalBytes += bytes
    this.#lastBytes = bytes
    this.#movedAtMs = nowMs
  }

  /** Bytes a second at this moment; null while nothing is known. */
  rateAt(nowMs: number): number | null {
    const measured = this.#measured(this.#recentBytes, SMOOTHING_MS, nowMs)
    if (!this.#isYoung(nowMs)) return measured
    return this.#isUnknown(nowMs) ? this.#expected : Math.max(measured, this.#expected ?? 0)
  }

  /** Like `rateAt`, but falls at once when the connection becomes slow. Null while nothing is known. */
  leastRateAt(nowMs: number): number | null {
    const rate = this.rateAt(nowMs)
    if (rate === null || this.#isUnknown(nowMs)) return rate
    return Math.min(rate, this.#measured(this.#quickBytes, QUICK_SMOOTHING_MS, nowMs))
  }

  /** The rate of a request that has ended well. A fast line ends it before `rateAt` can tell anything. */
  rateOfEnded(nowMs: number): number | null {
    const rate = this.rateAt(nowMs)
    if (rate !== null || this.#totalBytes < MIN_WHOLE_BYTES) return rate
    return (this.#totalBytes * 1000) / Math.max(1, this.#movedAtMs - this.#startedAtMs)
  }

  /** `rateAt` as an average over some seconds. */
  longRateAt(nowMs: number): number {
    return this.#measured(this.#longBytes, LONG_SMOOTHING_MS, nowMs)
  }

  #isYoung(nowMs: number): boolean {
    return this.ageMs(nowMs) < GRACE_MS
  }

  #isUnknown(nowMs: number): boolean {
    return this.#isYoung(nowMs) && (this.ageMs(nowMs) < MIN_AGE_MS || this.#totalBytes < MIN_BYTES)
  }

  #measured(bytes: number, smoothingMs: number, nowMs: number): number {
    const silentMs = this.silentMs(nowMs)
    const isBetweenTicks = this.#lastBytes > 0 && this.#lastBytes < WHOLE_BYTES && silentMs < TICK_MS
    const lateMs = isBetweenTicks ? 0 : silentMs
    const weighedMs = smoothingMs * (1 - Math.exp(-(this.ageMs(nowMs) - silentMs + lateMs) / smoothingMs))
    return (decayed(bytes, lateMs, smoothingMs) * 1000) / Math.max(1, weighedMs)
  }
}

function decayed(bytes: number, elapsedMs: number, smoothingMs: number): number {
  return bytes * Math.exp(-elapsedMs / smoothingMs)
}
