import type { FirstBytes } from '../flow-control/connection-governor.ts'

/** What comes within this of the first bytes came with them: slow connections hand over what they gathered (ms). */
const TOGETHER_MS = 50
/** Shorter than this, a while may hold what others gathered, and says nothing about pace. */
const MIN_LATE_MS = 300
/** Where nothing came for so long, a pace says nothing about connections. */
const STALL_MS = 1000

/** How fast bytes come from a moment on, whatever bursts they come in. */
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

  /** The first answer came then, this long after it was asked for; bytes came from then on. */
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
   * Bytes a second. What came first is what had gathered before: the pace is that of what came from then to the last
   * bytes, unless that is only a small part of the time.
   */
  rateAt(nowMs: number): number {
    const elapsedMs = Math.max(1, nowMs - this.#startedAtMs)
    const spanMs = this.#lastAtMs - (this.#firstAtMs ?? this.#lastAtMs)
    if (spanMs < elapsedMs / 2) return (this.#bytes * 1000) / elapsedMs
    return ((this.#bytes - this.#firstBytes) * 1000) / spanMs
  }

  /** For a while nothing came. */
  hasStalled(nowMs: number): boolean {
    return Math.max(this.#longestSilenceMs, nowMs - this.#lastAtMs) >= STALL_MS
  }

  firstBytes(nowMs: number): FirstBytes {
    const { lateBytes, lateMs } = this.#late
    return { bytes: this.#bytes, elapsedMs: nowMs - this.#startedAtMs, lateBytes, lateMs, latencyMs: this.#latencyMs }
  }
}
