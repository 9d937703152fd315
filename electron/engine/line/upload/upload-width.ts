import { MIB, MIN_PART_SIZE_BYTES } from '../../../../shared/limits.ts'
import {
  afterRefusal,
  afterWindow,
  MAX_ADAPTIVE_CONNECTIONS,
  provenLimit,
  startGovernor,
  steady,
  type GovernorState,
} from '../../flow-control/connection-governor.ts'
import { LEAST_TELLING_BYTES, type KnownStretch } from './line-rate.ts'
import { WIDE } from './upload-admission.ts'

/** From this rate of a line or connection on, several bodies at once are worth a try (bytes a second). */
const FAST_RATE = 3 * MIB
/** From this rate of a single answered part on, the same holds although no pace was seen (bytes a second). */
const FAST_RESPONSE_RATE = 10 * MIB
/** No connection that shares a line reaches this: several are tried without comparing with one (bytes a second). */
const VERY_FAST_RATE = 48 * MIB
/** At that rate, fewer bodies than this would have little less on their way, and hashing them would cost more. */
const VERY_FAST_LEAST = 8
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
/** What a small body told is out of date if the next bodies begin later than this (milliseconds). */
const TOLD_FOR_MS = 5000
/** A connection's own buffers grow at first: what it drains tells something only after this much (bytes). */
const TELLING_BYTES = 2 * MIB
/** A slower connection is watched for this long before a second one is tried beside it (milliseconds). */
const SLOW_PACE_MS = 1500

/** How long a number of bodies gets to settle, and is then watched, before it is judged (milliseconds). */
const FAST_TIMES = { settleMs: 40, windowMs: 250 }
const SLOW_TIMES = { settleMs: 500, windowMs: 4000 }
/** The time between two trials on a slow line, whose buffers make a short trial tell little (milliseconds). */
const SLOW_TRIAL_EVERY_MS = 60_000
/** The window for trials and watching on a known line, the same as for downloads (milliseconds). */
const LONG_WINDOW_MS = 1500
const MAX_PART_MS = 30_000
/** A window on a slow line may be off by this share. */
const HIDDEN_SHARE = 0.15
/** A new connection is full after this time at most (milliseconds). */
const MOST_HIDDEN_MS = 1000
/**
 * From this rate on a width at which a kill would lose more than `FIRST_TRY_SECONDS` of the line is judged only by what
 * is known for certain; on a slower line that would take too long (bytes a second).
 */
const LEAST_COSTLY_RATE = 1.05 * MIB
/** New connections need this long to get going before what they move is counted (milliseconds). */
const KNOWN_SETTLE_MS = 500
/** All of so long must be known, and of so much of a body's time: bodies take turns (milliseconds). */
const LEAST_KNOWN_MS = 1500
const KNOWN_BODIES = 0.75
/** What was known longer ago tells nothing of the line (milliseconds). */
const MOST_KNOWN_MS = 20_000
/** A line is full if added bodies gain less than this share of what as many brought before. */
const ROOM_SHARE = 0.6
/** A single answer may be luck. */
const LEAST_RESPONSES = 2

/** What is known of a line when its width is judged. */
export interface LineSight {
  readonly nowMs: number
  /** What the line moved recently, bytes a second; null if unknown. */
  readonly rate: number | null
  /** Bytes that the service has taken since the line began, as far as known for certain. */
  readonly takenBytes: number
  /** Of these, the bytes that drained from full connections. */
  readonly drainedBytes: number
  /** Bytes and total time of answered bodies, and total time of bodies on their way: bodies come in waves. */
  readonly answeredBytes: number
  readonly answeredMs: number
  readonly underWayMs: number
  /** All bodies that the width allows are on their way, or all that there are. */
  readonly isFull: boolean
  readonly isSaturated: boolean
  /** How long a body takes, milliseconds; null if unknown. */
  readonly bodyMs: number | null
  /** What the line moved between `fromMs` and the moment until which all is known; monotonic milliseconds. */
  readonly knownSince: (fromMs: number) => KnownStretch
}

/** The answers to bodies that began at `sinceMs`, when the width was set, or later. */
interface Responses {
  readonly sinceMs: number
  bodies: number
  bytes: number
  /** Time of all of them, added up. */
  ms: number
}

interface Watch {
  readonly settledAtMs: number
  readonly endsAtMs: number
  begun: LineSight | null
  isFull: boolean
}

/**
 * How many bodies are sent to a host at the same time. It begins with one, because on a slow line more would only end
 * later. What a full connection drains, or else the first answer, tells whether more are worth a try; from there on
 * the governor decides (ADR 8).
 */
export class UploadWidth {
  readonly #max: number
  #state: GovernorState
  /** `one`: a single body at a time, because on so slow a line it would take too long to see what a second one gains. */
  #stage: 'unknown' | 'one' | 'governed' = 'unknown'
  #watch: Watch | null = null
  #responses: Responses
  #failures = 0
  #isSlow = false
  /** A body was answered. Until then no second one holds up the first one of a slow line. */
  #isAnswered = false
  #lookedAtMs = -Infinity
  /** When the width or the reason for it last changed, monotonic milliseconds. */
  #changedAtMs = 0
  /** When a small body showed that several may begin; Infinity once they have begun, or if none showed it. */
  #toldAtMs = Infinity

  constructor(nowMs: number, max = MAX_ADAPTIVE_CONNECTIONS) {
    this.#max = max
    this.#state = startGovernor(nowMs, 1, max)
    this.#responses = noResponses(nowMs)
  }

  get limit(): number {
    return this.#state.limit
  }

  get provenLimit(): number {
    return provenLimit(this.#state)
  }

  /** A single full connection has drained at this pace (bytes a second) for `fullMs` milliseconds. */
  paced(rate: number, fullMs: number, nowMs: number): void {
    if (this.#stage === 'governed') return
    const isFast = rate >= FAST_RATE && (rate * fullMs) / 1000 >= TELLING_BYTES
    if (!isFast && (!this.#isAnswered || fullMs < SLOW_PACE_MS)) return
    this.#try(firstTry(rate), rate, nowMs)
  }

  /**
   * A small body was answered `elapsedMs` after its first byte. If the service is far away, by `roundTripMs`, that may
   * be enough to begin with several bodies.
   */
  told(sizeBytes: number, elapsedMs: number, roundTripMs: number, nowMs: number): void {
    if (this.#stage === 'governed' || roundTripMs < FAR_MS || sizeBytes < LEAST_TELLING_BYTES) return
    const rate = (sizeBytes * 1000) / Math.max(elapsedMs - roundTripMs, elapsedMs / 2)
    if (rate < FAR_FAST_RATE) return
    this.#try(firstTry(FAR_TIMES * rate), rate, nowMs)
    this.#toldAtMs = nowMs
  }

  /** The line comes into use. What a first part showed too long ago no longer holds. */
  begin(nowMs: number): void {
    if (nowMs - this.#toldAtMs > TOLD_FOR_MS) this.rest(nowMs)
    this.#toldAtMs = Infinity
  }

  /**
   * A body was answered. `rate`: its own rate if it was alone on its way, otherwise null. `isVisible`: its connection
   * was full, so what more bodies gain will show soon.
   */
  answered(rate: number | null, isVisible: boolean, nowMs: number): void {
    this.#isAnswered = true
    if (this.#stage === 'governed' || rate === null) return
    if (rate >= VERY_FAST_RATE) this.#try(FAST_START, null, nowMs)
    else if (rate >= FAST_RATE) this.#try(isVisible || rate >= FAST_RESPONSE_RATE ? firstTry(rate) : 2, rate, nowMs)
    // Answers show what a second body gains, and soon enough, even behind deep buffers.
    else if (rate >= LEAST_COSTLY_RATE) this.#try(2, rate, nowMs)
    // One body is watched first, then two for as long.
    else if (isVisible) this.#try(1, null, nowMs)
    // Deep buffers hide what a second body would gain, and it would hold up the first.
    else this.#stage = 'one'
  }

  /** A large body that began at `beganAtMs` was answered. */
  took(sizeBytes: number, beganAtMs: number, nowMs: number): void {
    const responses = this.#responses
    if (beganAtMs < responses.sinceMs) return
    responses.bodies += 1
    responses.bytes += sizeBytes
    responses.ms += nowMs - beganAtMs
  }

  /** The service is too busy: fewer bodies go, and no more are tried for a while. */
  refused(nowMs: number): void {
    this.#state = afterRefusal(this.#state, nowMs)
    this.#watch = null
  }

  /** A body ended before its connection took any of it. */
  failed(): void {
    this.#failures += 1
  }

  /** Looks at the line. Must be called several times a second. */
  look(sight: LineSight): void {
    if (this.#stage !== 'governed' || this.#isLeftAlone(sight)) return
    const watch = (this.#watch ??= this.#begin(sight))
    if (!sight.isFull) watch.isFull = false
    if (watch.begun === null && sight.nowMs >= watch.settledAtMs) {
      watch.begun = sight
      watch.isFull = sight.isFull
    }
    const isCostly = this.#isCostly(sight)
    const measured = isCostly ? this.#knownRate(sight) : this.#seenRate(watch, sight)
    if (measured === null) return
    const { limit, phase } = this.#state
    const state = { ...this.#state, least: (sight.rate ?? 0) >= VERY_FAST_RATE ? VERY_FAST_LEAST : 1 }
    const next = afterWindow(state, {
      nowMs: sight.nowMs,
      bytesPerSecond: this.#carefully(measured, sight, isCostly),
      // While fewer are tried, not all of them being in use is part of what the smaller number achieves.
      isFull: watch.isFull || phase === 'shrink',
      isSaturated: sight.isSaturated,
      failures: this.#failures,
    })
    this.#state = isCostly && watch.isFull ? fitted(state, next, measured, sight) : next
    if (this.#state.limit !== limit || this.#state.phase !== phase) this.#changedAtMs = sight.nowMs
    this.#failures = 0
    this.#watch = null
    // A window in which nothing was seen to move tells nothing: answers to bodies on their way still will.
    if (measured > 0 || this.#state.limit !== limit) this.#responses = noResponses(sight.nowMs)
    this.#isSlow = (sight.rate ?? 0) < FAST_RATE
    this.#lookedAtMs = sight.nowMs
  }

  /** Nothing is on its way: the current window is dropped. The next upload begins with the width learned so far. */
  rest(nowMs: number): void {
    this.#watch = null
    this.#state = startGovernor(nowMs, this.#state.limit, this.#max)
    if (this.#state.limit <= 2) this.#stage = 'unknown'
  }

  /**
   * A kill would lose more than the line carries in `FIRST_TRY_SECONDS`, so a width that is too large costs most: what
   * bodies hide until their answers would look like a gain in one window and like a loss in the next.
   */
  #isCostly({ rate }: LineSight): boolean {
    if (rate === null || rate < LEAST_COSTLY_RATE) return false
    return this.#state.limit * MIN_PART_SIZE_BYTES > FIRST_TRY_SECONDS * rate
  }

  /** What the width is known to bring since it was set, bytes a second; null while too little is known. */
  #knownRate({ nowMs, bodyMs, knownSince }: LineSight): number | null {
    const fromMs = Math.max(this.#changedAtMs + KNOWN_SETTLE_MS, nowMs - MOST_KNOWN_MS)
    const { bytes, ms } = knownSince(fromMs)
    return ms < Math.max(LEAST_KNOWN_MS, KNOWN_BODIES * (bodyMs ?? 0)) ? null : (bytes * 1000) / ms
  }

  /** What the width was seen to bring in a window, or by answers, bytes a second; null while neither can tell. */
  #seenRate(watch: Watch, sight: LineSight): number | null {
    const begun = sight.nowMs >= watch.endsAtMs ? watch.begun : null
    if (begun !== null) return rateBetween(begun, sight)
    return this.#isToldByResponses(watch, sight) ? this.#answeredRate : null
  }

  /** As many bodies as the width gained have begun since and are answered: they tell what the new width brings. */
  #isToldByResponses({ isFull }: Watch, sight: LineSight): boolean {
    const { phase, limit, before } = this.#state
    if (phase !== 'grow' || before === null || limit <= before.limit || !isFull) return false
    if ((sight.rate ?? 0) < FAST_RATE) return false
    return this.#responses.bodies >= Math.max(LEAST_RESPONSES, limit - before.limit)
  }

  /** The rate of all bodies together, judged by answers, bytes a second. */
  get #answeredRate(): number {
    return (this.#state.limit * this.#responses.bytes * 1000) / Math.max(1, this.#responses.ms)
  }

  /** On a slow line or behind deep buffers a part hides much of its progress: more bodies must gain clearly more. */
  #carefully(measured: number, sight: LineSight, isCostly: boolean): number {
    const usual = sight.rate ?? 0
    if (usual >= FAST_RATE && isSteadilyVisible(sight) && !isCostly) return measured
    const { limit, before } = this.#state
    return before !== null && limit > before.limit ? measured * (1 - HIDDEN_SHARE) : Math.max(measured, usual)
  }

  #try(limit: number, rate: number | null, nowMs: number): void {
    this.#stage = 'governed'
    const before = rate === null ? null : { limit: this.#state.limit, bytesPerSecond: rate }
    this.#state = { ...startGovernor(nowMs, limit, this.#max), before }
    this.#responses = noResponses(nowMs)
    this.#changedAtMs = nowMs
  }

  /** A slow line that needs no more bodies is left alone for a while. */
  #isLeftAlone({ nowMs }: LineSight): boolean {
    return this.#isSlow && this.#state.phase === 'steady' && nowMs - this.#lookedAtMs < SLOW_TRIAL_EVERY_MS
  }

  #begin(sight: LineSight): Watch {
    const { phase } = this.#state
    const rate = sight.rate ?? 0
    const isQuick = phase === 'grow' || phase === 'shrink'
    const times = rate < FAST_RATE ? SLOW_TIMES : isQuick ? FAST_TIMES : { settleMs: 40, windowMs: LONG_WINDOW_MS }
    // Progress that shows only in answers, or late in each body, is not judged before bodies could show it.
    const leastMs = Math.min(isSteadilyVisible(sight) ? MOST_HIDDEN_MS : MAX_PART_MS, sight.bodyMs ?? 0)
    const isNew = phase !== 'steady' && phase !== 'held'
    const settledAtMs = sight.nowMs + (isNew ? Math.max(times.settleMs, leastMs) : 0)
    const endsAtMs = settledAtMs + Math.max(times.windowMs, leastMs)
    return { settledAtMs, endsAtMs, begun: null, isFull: true }
  }
}

/** How many bodies to begin with if one moves at this rate (bytes a second). */
function firstTry(rate: number): number {
  return Math.min(FAST_START, Math.max(2, Math.round((rate * FIRST_TRY_SECONDS) / MIN_PART_SIZE_BYTES)))
}

/**
 * The width that fills the line, where more bodies were tried and gained less than their share; otherwise `to`.
 * @param bytesPerSecond what the width of `from` is known to bring.
 */
function fitted(from: GovernorState, to: GovernorState, bytesPerSecond: number, sight: LineSight): GovernorState {
  const { before, limit, phase } = from
  if ((phase !== 'grow' && phase !== 'up') || before === null || limit <= before.limit || to.limit < limit) return to
  const gain = bytesPerSecond / before.bytesPerSecond
  if (gain - 1 >= ROOM_SHARE * (limit / before.limit - 1)) return to
  // Behind deep buffers a narrow line has more on their way: those that wait for their answers.
  if (before.limit === WIDE - 1 && !isSteadilyVisible(sight)) return steady(to, before.limit, sight.nowMs)
  // A quarter of a body more than what fills it, for a line has a gap between two bodies.
  return steady(to, Math.min(limit, Math.round(before.limit * gain + 0.25)), sight.nowMs)
}

function noResponses(sinceMs: number): Responses {
  return { sinceMs, bodies: 0, bytes: 0, ms: 0 }
}

/** Most of what the service took was seen to drain from full connections, so any stretch of time tells the rate. */
function isSteadilyVisible({ takenBytes, drainedBytes }: LineSight): boolean {
  return 4 * drainedBytes > 3 * takenBytes
}

/**
 * Bytes a second between two looks. Bodies whose progress is hidden come in waves: for these the rate is that of the
 * answered bodies, times the average number of bodies on their way.
 */
function rateBetween(from: LineSight, to: LineSight): number {
  const taken = to.takenBytes - from.takenBytes
  const drained = to.drainedBytes - from.drainedBytes
  const answeredMs = to.answeredMs - from.answeredMs
  const elapsedMs = Math.max(1, to.nowMs - from.nowMs)
  if (2 * drained > taken || answeredMs === 0) return (taken * 1000) / elapsedMs
  const bodies = (to.underWayMs - from.underWayMs) / elapsedMs
  return (bodies * (to.answeredBytes - from.answeredBytes) * 1000) / answeredMs
}
