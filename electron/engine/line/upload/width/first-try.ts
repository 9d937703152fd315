// How many bodies are worth a try on a line that has only carried one so far. Pure rules for `upload-width.ts`.

import { MIB, MIN_PART_SIZE_BYTES } from '../../../../../shared/limits.ts'
import { LEAST_TELLING_BYTES } from '../known/line-rate.ts'

/** From this rate on, answers show soon enough what a number of bodies brings, whatever buffers hide (bytes a second). */
export const MEDIUM_RATE = 1.05 * MIB
/** From this rate of a line or connection on, several bodies at once are worth a try (bytes a second). */
export const FAST_RATE = 3 * MIB
/** From this rate of a single answered part on, the same holds although no pace was seen (bytes a second). */
const FAST_RESPONSE_RATE = 10 * MIB
/** No connection that shares a line reaches this: several are tried without comparing with one (bytes a second). */
export const VERY_FAST_RATE = 48 * MIB
/** At most this many bodies are tried at first. */
const FAST_START = 8
/** The first try is as many minimum-size parts as the line carries in this time: a kill loses no more (seconds). */
const FIRST_TRY_SECONDS = 2
/**
 * From this distance on, distance limits a connection more often than the line does, so `FAR_TIMES` as many are tried.
 * The time that the service itself takes to answer counts as distance (milliseconds).
 */
const FAR_MS = 30
const FAR_TIMES = 2
/** So far away, a short part at this rate shows a fast line: much of its time is the service's (bytes a second). */
const FAR_FAST_RATE = 2 * MIB
/** A connection's own buffers grow at first: what it drains tells something only after this much (bytes). */
const TELLING_BYTES = 2 * MIB
/** A slower connection is watched for this long before a second one is tried beside it (milliseconds). */
const SLOW_PACE_MS = 1500

/** So many bodies are tried, and compared with a lone one. */
export interface FirstTry {
  readonly limit: number
  /** What a lone body moved, bytes a second; null if the bodies are compared with nothing. */
  readonly loneRate: number | null
}

/**
 * A lone full connection has drained at `rate` (bytes a second) for `fullMs` milliseconds. `isAnswered`: a body was
 * answered; until then no second one holds up the first one of a slow line. Null if that is not worth a try.
 */
export function afterDraining(rate: number, fullMs: number, isAnswered: boolean): FirstTry | null {
  const isFast = rate >= FAST_RATE && (rate * fullMs) / 1000 >= TELLING_BYTES
  if (!isFast && (!isAnswered || fullMs < SLOW_PACE_MS)) return null
  return { limit: firstLimit(rate), loneRate: rate }
}

/**
 * A small body was answered `elapsedMs` after its first byte. Null unless the service is far away, by `roundTripMs`,
 * and the body moved fast enough to begin with several bodies.
 */
export function afterSmallBody(sizeBytes: number, elapsedMs: number, roundTripMs: number): FirstTry | null {
  if (roundTripMs < FAR_MS || sizeBytes < LEAST_TELLING_BYTES) return null
  const rate = (sizeBytes * 1000) / Math.max(elapsedMs - roundTripMs, elapsedMs / 2)
  return rate < FAR_FAST_RATE ? null : { limit: firstLimit(FAR_TIMES * rate), loneRate: rate }
}

/**
 * A lone large body was answered; it moved at `rate` (bytes a second). `isVisible`: its connection was full, so what
 * more bodies gain will show soon.
 */
export function afterLargeBody(rate: number, isVisible: boolean): FirstTry {
  if (rate >= VERY_FAST_RATE) return { limit: FAST_START, loneRate: null }
  if (rate >= FAST_RATE) {
    return { limit: isVisible || rate >= FAST_RESPONSE_RATE ? firstLimit(rate) : 2, loneRate: rate }
  }
  // Behind deep buffers a slow connection tells nothing of the line. What they hold arrives even if the app is killed, so
  // a second body costs little while it is tried.
  if (rate >= MEDIUM_RATE || !isVisible) return { limit: 2, loneRate: rate }
  // One body is watched first, then two for as long.
  return { limit: 1, loneRate: null }
}

/** Whether a kill would lose more than a first try may, with so many bodies on a line of this rate (bytes a second). */
export function isCostly(limit: number, rate: number): boolean {
  return limit * MIN_PART_SIZE_BYTES > FIRST_TRY_SECONDS * rate
}

/** How many bodies to begin with if one moves at this rate (bytes a second). */
function firstLimit(rate: number): number {
  return Math.min(FAST_START, Math.max(2, Math.round((rate * FIRST_TRY_SECONDS) / MIN_PART_SIZE_BYTES)))
}
