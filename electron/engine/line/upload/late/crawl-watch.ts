// Finds a body that moves, but so slowly that another connection would deliver all of it much sooner.

import type { SentBody } from '../known/sent-body.ts'
import { LatestBodies } from './latest-bodies.ts'

/** A body crawls if it moves no more than this share of itself in the time that others take for all of theirs. */
const CRAWL_SHARE = 0.05
/** Less time than this tells nothing: TCP may be recovering from packet loss (milliseconds). */
const LEAST_MS = 2000
/** The line counts as moving while no gap between bytes is longer than this (milliseconds). */
const BETWEEN_MS = 1000
/** A body that was alone and stood still is on its way again once it moves for so long without such a gap (milliseconds). */
const AGAIN_MS = 2 * BETWEEN_MS
/**
 * The rest of a crawling body takes at least this many times as long as all of it would over another connection; fewer
 * if it is alone, because a copy holds up nothing.
 */
const SOONER_TIMES = 3
const ALONE_SOONER_TIMES = 2

/** Since when a body has moved next to nothing, in line time, and how far it had come by then. */
interface Window {
  readonly sinceMs: number
  readonly handedBytes: number
  /** Bytes that had not arrived by then, as far as known: some of those that were handed over lie in buffers. */
  readonly leftBytes: number
  /** How long it has stood still meanwhile with nothing else on the line, which is no line time (milliseconds). */
  stoodMs: number
  /** The longest such gap between its bytes, and the present one; 0: it moves. */
  longestGapMs: number
  gapMs: number
  /** In line time, since when it moves again after such a gap. */
  againSinceMs: number
}

/** Compares how fast each body of a line moves with how long others took to be answered. Monotonic milliseconds. */
export class CrawlWatch {
  readonly #windows = new Map<SentBody, Window>()
  readonly #latest = new LatestBodies()
  /** Line time: it stands still while nothing moves on any connection. */
  #lineMs = 0
  #lookedAtMs = -Infinity
  #answeredAtMs = -Infinity

  /** A body begins, or has waited for something other than its connection. */
  restart(body: SentBody): void {
    const { handedBytes, leftBytes } = body
    const gaps = { stoodMs: 0, longestGapMs: 0, gapMs: 0, againSinceMs: -Infinity }
    this.#windows.set(body, { sinceMs: this.#lineMs, handedBytes, leftBytes, ...gaps })
  }

  answered(body: SentBody, nowMs: number): void {
    this.#latest.answered(body, this.#lineMs, nowMs)
    this.#answeredAtMs = nowMs
  }

  ended(body: SentBody): void {
    this.#windows.delete(body)
  }

  /**
   * Returns the body that would clearly arrive sooner over another connection, or null. If several crawl, the line is
   * to blame, so only a single one counts. @param fed the bodies whose turn it is. @param isAlone no other body is on
   * its way, so only the bytes of this one can show that the line moves.
   */
  crawler(fed: readonly SentBody[], nowMs: number, isAlone: boolean): SentBody | null {
    const movedAtMs = Math.max(this.#answeredAtMs, ...fed.map((body) => body.movedAtMs))
    const sinceLookMs = Math.min(BETWEEN_MS, nowMs - this.#lookedAtMs)
    const isMoving = nowMs - movedAtMs <= BETWEEN_MS
    if (isMoving) this.#lineMs += sinceLookMs
    for (const body of fed) this.#countGap(body, isAlone && !isMoving ? sinceLookMs : null)
    this.#lookedAtMs = nowMs
    const crawling = fed.filter((body) => this.#isCrawling(body, isAlone))
    return crawling.length === 1 ? (crawling[0] ?? null) : null
  }

  /** @param stoodMs how much longer a body has stood still that is alone; null: it moves, or is not alone. */
  #countGap(body: SentBody, stoodMs: number | null): void {
    const window = this.#windows.get(body)
    if (window === undefined) return
    if (stoodMs === null && window.gapMs > 0) window.againSinceMs = this.#lineMs
    window.gapMs = stoodMs === null ? 0 : window.gapMs + stoodMs
    window.stoodMs += stoodMs ?? 0
    window.longestGapMs = Math.max(window.longestGapMs, window.gapMs)
  }

  #isCrawling(body: SentBody, isAlone: boolean): boolean {
    const window = this.#windows.get(body)
    if (window === undefined) return false
    const others = this.#latest.timesFor(body.sizeBytes, window.sinceMs, isAlone)
    if (others === null) return false
    const isStanding = window.gapMs > 0
    // Whether it is on its way again, or moved only a little between one gap and the next, shows in a moment.
    if (!isStanding && this.#lineMs - window.againSinceMs < AGAIN_MS) return false
    const movedBytes = body.handedBytes - window.handedBytes
    // An outage is no crawl: of the gaps, the longest does not count.
    const ageMs = this.#lineMs - window.sinceMs + window.stoodMs - window.longestGapMs
    // Full buffers seldom make room, but then for more than that share at a time.
    const times = isStanding ? Math.max(1, ageMs / others.leastMs) : 1
    if (movedBytes > CRAWL_SHARE * times * body.sizeBytes) {
      this.restart(body)
      return false
    }
    const leftBytes = Math.max(body.sizeBytes - body.handedBytes, window.leftBytes - movedBytes)
    const leftMs = (leftBytes * ageMs) / Math.max(1, movedBytes)
    const soonerMs = (isAlone ? ALONE_SOONER_TIMES : SOONER_TIMES) * others.usualMs
    return ageMs >= Math.max(LEAST_MS, others.leastMs) && leftMs > soonerMs
  }
}
