// Finds a body that moves, but so slowly that another connection would deliver all of it much sooner.

import type { SentBody } from '../known/sent-body.ts'

/** A body crawls if it moves no more than this share of itself in the time that others take for all of theirs. */
const CRAWL_SHARE = 0.05
/** Less time than this tells nothing: TCP may be recovering from packet loss (milliseconds). */
const LEAST_MS = 2000
/** The line counts as moving while no gap between bytes is longer than this (milliseconds). */
const BETWEEN_MS = 1000
/** The rest of a crawling body takes at least this many times as long as all of it would over another connection. */
const SOONER_TIMES = 3
/**
 * This many of the latest bodies tell how long a body takes. They are valid for as long as they took together plus
 * `LATELY_MS` (milliseconds); a body that begins to crawl in that time is measured by them, however long it crawls.
 */
const KNOWN_BODIES = 3
const LATELY_MS = 10_000

/** Since when a body has moved next to nothing, in line time, and how far it had come by then. */
interface Window {
  readonly sinceMs: number
  readonly handedBytes: number
}

interface Answered {
  /** In line time. */
  readonly atMs: number
  readonly elapsedMs: number
  readonly sizeBytes: number
}

/** Compares how fast each body of a line moves with how long others took to be answered. Monotonic milliseconds. */
export class CrawlWatch {
  readonly #windows = new Map<SentBody, Window>()
  #latest: readonly Answered[] = []
  /** Line time: it stands still while nothing moves on any connection. */
  #lineMs = 0
  #lookedAtMs = -Infinity
  #answeredAtMs = -Infinity

  /** A body begins, or has waited for something other than its connection. */
  restart(body: SentBody): void {
    this.#windows.set(body, { sinceMs: this.#lineMs, handedBytes: body.handedBytes })
  }

  answered({ beganAtMs, sizeBytes }: SentBody, nowMs: number): void {
    const answered = { atMs: this.#lineMs, elapsedMs: nowMs - beganAtMs, sizeBytes }
    this.#latest = [...this.#latest.slice(1 - KNOWN_BODIES), answered]
    this.#answeredAtMs = nowMs
  }

  ended(body: SentBody): void {
    this.#windows.delete(body)
  }

  /**
   * Returns the body that would clearly arrive sooner over another connection, or null. If several crawl, the line is
   * to blame, so only a single one counts. @param fed the bodies whose turn it is.
   */
  crawler(fed: readonly SentBody[], nowMs: number): SentBody | null {
    const movedAtMs = Math.max(this.#answeredAtMs, ...fed.map((body) => body.movedAtMs))
    if (nowMs - movedAtMs <= BETWEEN_MS) this.#lineMs += Math.min(BETWEEN_MS, nowMs - this.#lookedAtMs)
    this.#lookedAtMs = nowMs
    const crawling = fed.filter((body) => this.#isCrawling(body))
    return crawling.length === 1 ? (crawling[0] ?? null) : null
  }

  #isCrawling(body: SentBody): boolean {
    const window = this.#windows.get(body)
    if (window === undefined) return false
    const usualMs = this.#usualMs(body.sizeBytes, window.sinceMs)
    if (usualMs === null) return false
    const movedBytes = body.handedBytes - window.handedBytes
    if (movedBytes > CRAWL_SHARE * body.sizeBytes) {
      this.restart(body)
      return false
    }
    const ageMs = this.#lineMs - window.sinceMs
    const leftMs = ((body.sizeBytes - body.handedBytes) * ageMs) / Math.max(1, movedBytes)
    return ageMs >= Math.max(LEAST_MS, usualMs) && leftMs > SOONER_TIMES * usualMs
  }

  /** How long a body takes, judged by the slowest of the latest ones; null if too few are known or they are too old. */
  #usualMs(sizeBytes: number, sinceMs: number): number | null {
    const tookMs = this.#latest.reduce((sum, { elapsedMs }) => sum + elapsedMs, 0)
    const lately = this.#latest.filter(({ atMs }) => sinceMs - atMs <= LATELY_MS + tookMs)
    if (lately.length < KNOWN_BODIES) return null
    return Math.max(...lately.map((each) => (each.elapsedMs * sizeBytes) / each.sizeBytes))
  }
}
