import type { FirstBytes } from '../flow-control/connection-governor.ts'

/** Bytes this soon after the first ones belong to them: slow connections hand over what they gathered (ms). */
const TOGETHER_MS = 50
/** A shorter period may hold bytes gathered before it, and tells nothing about the pace (milliseconds). */
const MIN_LATE_MS = 300
/** After this long without a byte, the pace tells nothing about the connections (milliseconds). */
const STALL_MS = 1000

/** Measures how fast bytes come from a moment on, whatever bursts they come in. */
export class ArrivalPace {
  #startedAtMs: number
  #latencyMs = 0
  #bytes = 0
  #firstAtMs: number | null = null
  #firstBytes = 0
  #lastAtMs: number
  #longestSilenceMs = 0
  #lateSinceMs: number
  #lateBytes = 0
  #late = { lateBytes: 0, lateMs: 0 }

  constructor(nowMs: number) {
    this.#startedAtMs = this.#lastAtMs = this.#lateSinceMs = nowMs
  }

  get bytes(): number {
    return this.#bytes
  }

  /** The first answer came at `answeredAtMs`, `latencyMs` after its request: the measurement starts there. */
  began(answeredAtMs: number, latencyMs: number): void {
    if (this.#bytes > 0) return
    this.#startedAtMs = this.#lastAtMs = this.#lateSinceMs = answeredAtMs
    this.#latencyMs = latencyMs
  }

  /** @param nowMs monotonic, as everywhere here. */
  moved(bytes: number, nowMs: number): void {
    this.#firstAtMs ??= nowMs
    if (nowMs - this.#firstAtMs < TOGETHER_MS) this.#firstBytes += bytes
    this.#longestSilenceMs = Math.max(this.#longestSilenceMs, nowMs - this.#lastAtMs)
    this.#lastAtMs = nowMs
    this.#bytes += bytes
    this.#lateBytes += bytes
    const lateMs = nowMs - this.#lateSinceMs
    if (lateMs < Math.max(MIN_LATE_MS, this.#latencyMs)) return
    this.#late = { lateBytes: this.#lateBytes, lateMs }
    this.#lateBytes = 0
    this.#lateSinceMs = nowMs
  }

  /**
   * Bytes a second. The first bytes had gathered before, so the pace is measured from them to the last ones, unless
   * that span is less than half of the time.
   */
  rateAt(nowMs: number): number {
    const elapsedMs = Math.max(1, nowMs - this.#startedAtMs)
    const spanMs = this.#lastAtMs - (this.#firstAtMs ?? this.#lastAtMs)
    if (spanMs < elapsedMs / 2) return (this.#bytes * 1000) / elapsedMs
    return ((this.#bytes - this.#firstBytes) * 1000) / spanMs
  }

  /** Whether nothing came for `STALL_MS` at some time. */
  hasStalled(nowMs: number): boolean {
    return Math.max(this.#longestSilenceMs, nowMs - this.#lastAtMs) >= STALL_MS
  }

  firstBytes(nowMs: number): FirstBytes {
    const { lateBytes, lateMs } = this.#late
    return { bytes: this.#bytes, elapsedMs: nowMs - this.#startedAtMs, lateBytes, lateMs, latencyMs: this.#latencyMs }
  }
}
