// Bodies that move, but so slowly that another connection would bring all of them long before.

import type { SentBody } from './sent-body.ts'

/** A body crawls that moves no more than this share of itself in the time in which others moved all of theirs. */
const CRAWL_SHARE = 0.05
/** Less time than this tells nothing: TCP makes up for what was lost meanwhile (milliseconds). */
const LEAST_MS = 2000
/** The line carries something as long as bytes move so soon after one another (milliseconds). */
const BETWEEN_MS = 1000
/** What lacks of it takes so many times as long as all of it would over another connection. */
const SOONER_TIMES = 3
/**
 * So many of the latest bodies tell how long one takes, for as long as they took together, and this (milliseconds): a
 * body that moves next to nothing from then on is held to it, however long that goes on.
 */
const KNOWN_BODIES = 3
const LATELY_MS = 10_000

/** Since when a body has moved next to nothing, in the time of the line, and how far it was then. */
interface Window {
  readonly sinceMs: number
  readonly handedBytes: number
}

interface Answered {
  /** In the time of the line. */
  readonly atMs: number
  readonly elapsedMs: number
  readonly sizeBytes: number
}

/** Compares what the bodies of one line move with what it takes others to be answered. Monotonic milliseconds. */
export class CrawlWatch {
  readonly #windows = new Map<SentBody, Window>()
  #latest: readonly Answered[] = []
  /** The time of the line: it stands still while nothing moves on any connection. */
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
   * The body that would clearly be there sooner over another connection; null: none. What the line is to blame for all
   * share, so it is the only one that crawls. @param fed whose turn it is.
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

  /** What a body takes by what the slowest of the latest took; null: that was not known, or not any more. */
  #usualMs(sizeBytes: number, sinceMs: number): number | null {
    const tookMs = this.#latest.reduce((sum, { elapsedMs }) => sum + elapsedMs, 0)
    const lately = this.#latest.filter(({ atMs }) => sinceMs - atMs <= LATELY_MS + tookMs)
    if (lately.length < KNOWN_BODIES) return null
    return Math.max(...lately.map((each) => (each.elapsedMs * sizeBytes) / each.sizeBytes))
  }
}
