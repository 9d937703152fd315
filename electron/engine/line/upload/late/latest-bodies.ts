// How long a body of a line takes, judged by the latest ones that were answered.

import type { SentBody } from '../known/sent-body.ts'

/**
 * This many of the latest bodies tell how long a body takes. They are valid for as long as they took together plus
 * `LATELY_MS` (milliseconds); a body that begins to crawl in that time is measured by them, however long it crawls.
 */
const KNOWN_BODIES = 3
const LATELY_MS = 10_000

interface Answered {
  /** In line time. */
  readonly atMs: number
  readonly beganAtMs: number
  readonly answeredAtMs: number
  readonly sizeBytes: number
}

/** How long others took. Milliseconds. */
export interface OthersTimes {
  /** For as many bytes as the body has. */
  readonly usualMs: number
  /** For all that a body may have to wait for: it is not judged sooner. */
  readonly leastMs: number
}

/** The latest bodies of a line that were answered. Line time stands still while nothing moves on the line. */
export class LatestBodies {
  #latest: readonly Answered[] = []

  /** @param lineMs line time. @param nowMs monotonic milliseconds. */
  answered({ beganAtMs, sizeBytes }: SentBody, lineMs: number, nowMs: number): void {
    const answered = { atMs: lineMs, beganAtMs, answeredAtMs: nowMs, sizeBytes }
    this.#latest = [...this.#latest.slice(1 - KNOWN_BODIES), answered]
  }

  /**
   * Returns null unless enough bodies are known that were still valid at `sinceMs` of line time. @param isAlone no
   * other body is on its way.
   */
  timesFor(sizeBytes: number, sinceMs: number, isAlone: boolean): OthersTimes | null {
    const tookMs = this.#latest.reduce((sum, each) => sum + elapsedMs(each), 0)
    const lately = this.#latest.filter(({ atMs }) => sinceMs - atMs <= LATELY_MS + tookMs)
    if (lately.length < KNOWN_BODIES) return null
    // Small bodies wait behind what buffers hold of large ones as long as these do.
    const tellingBytes = Math.max(sizeBytes, ...lately.map((each) => each.sizeBytes))
    const wholeMs = slowestMs(lately, tellingBytes)
    // Others that shared the line took the longer for it: one that is alone has all of it.
    const leastMs = isAlone ? Math.min(wholeMs, togetherMs(lately, tellingBytes)) : wholeMs
    return { usualMs: slowestMs(lately, sizeBytes), leastMs }
  }
}

/** How long a body takes, judged by the slowest of the latest ones. Pure. */
function slowestMs(lately: readonly Answered[], sizeBytes: number): number {
  return Math.max(...lately.map((each) => (elapsedMs(each) * sizeBytes) / each.sizeBytes))
}

/** How long a body takes if the line carries nothing else, judged by what it carried of the latest ones. Pure. */
function togetherMs(lately: readonly Answered[], sizeBytes: number): number {
  const beganAtMs = Math.min(...lately.map((each) => each.beganAtMs))
  const endedAtMs = Math.max(...lately.map((each) => each.answeredAtMs))
  return ((endedAtMs - beganAtMs) * sizeBytes) / lately.reduce((sum, each) => sum + each.sizeBytes, 0)
}

function elapsedMs({ beganAtMs, answeredAtMs }: Answered): number {
  return answeredAtMs - beganAtMs
}
