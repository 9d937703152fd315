import { MIB, MIN_PART_SIZE_BYTES } from '../../../../shared/limits.ts'
import {
  afterRefusal,
  afterWindow,
  MAX_ADAPTIVE_CONNECTIONS,
  provenLimit,
  startGovernor,
  type GovernorState,
} from '../../flow-control/connection-governor.ts'
import { LEAST_TELLING_BYTES } from './line-rate.ts'

/** A line, or a connection, that takes this much is worth trying several at once (bytes a second). */
const FAST_RATE = 3 * MIB
/** So much in the answer to a single part, where no pace was seen before, shows the same. */
const FAST_RESPONSE_RATE = 10 * MIB
/** So much does not fit through a connection that has to share: several are tried without comparing with one. */
const VERY_FAST_RATE = 48 * MIB
/** Fewer bodies than this have little less on their way there, and their hashes cost more. */
const VERY_FAST_LEAST = 8
/** At most so many are tried at first. */
const FAST_START = 8
/** As many parts of the least size are tried at once as a fast line carries in this: a kill loses no more (seconds). */
const FIRST_TRY_SECONDS = 2
/**
 * From so far away a connection is limited by the distance more often than by the line: twice as many. What a service itself
 * takes to answer counts as distance (milliseconds).
 */
const FAR_MS = 30
const FAR_TIMES = 2
/** And a short part, of whose time much is the service's, tells no more than this of a fast line (bytes a second). */
const FAR_FAST_RATE = 2 * MIB
/** The next parts begin at once, or what a small one told is of another time (milliseconds). */
const TOLD_FOR_MS = 5000
/** A connection's own buffers grow at first: what it drains tells no sooner than after this much (bytes). */
const TELLING_BYTES = 2 * MIB
/** A slower connection is watched for so long before a second one is tried beside it (milliseconds). */
const SLOW_PACE_MS = 1500

/** How long a number of bodies is let get going, and watched, before it is judged (milliseconds). */
const FAST_TIMES = { settleMs: 40, windowMs: 250 }
const SLOW_TIMES = { settleMs: 500, windowMs: 4000 }
/** On a slow line so long passes between two trials, for its buffers make a short one say little (milliseconds). */
const SLOW_TRIAL_EVERY_MS = 60_000
/** What is tried or watched on a line that is known, as in downloads. */
const LONG_WINDOW_MS = 1500
const MAX_PART_MS = 30_000
/** What a window on a slow line may be off by. */
const HIDDEN_SHARE = 0.15
/** A new connection is full after this (milliseconds). */
const MOST_HIDDEN_MS = 1000
/** A single answer may be a matter of luck. */
const LEAST_RESPONSES = 2

/** What is known of a line when its width is looked at. */
export interface LineSight {
  readonly nowMs: number
  /** What it moved lately, bytes a second; null: unknown. */
  readonly rate: number | null
  /** Taken by the service since the line began, as far as known for certain. */
  readonly takenBytes: number
  /** The same, of what drained from full connections. */
  readonly drainedBytes: number
  /** Bytes and time of answered bodies, and the time that bodies have been on their way, all together: they send in waves. */
  readonly answeredBytes: number
  readonly answeredMs: number
  readonly underWayMs: number
  /** As many bodies as allowed are on their way, or all that there are. */
  readonly isFull: boolean
  readonly isSaturated: boolean
  /** How long a body takes, milliseconds; null: unknown. */
  readonly bodyMs: number | null
}

/** What was answered of the bodies that began with a width, or later. */
interface Responses {
  readonly sinceMs: number
  bodies: number
  bytes: number
  /** All of them together. */
  ms: number
}

interface Watch {
  readonly settledAtMs: number
  readonly endsAtMs: number
  begun: LineSight | null
  isFull: boolean
}

/**
 * How many bodies are sent to a host at the same time. It begins with one, for on a slow line more only end later. What
 * a full connection drains, or else the first answer, tells whether more are worth trying; from there on the
 * governor decides (ADR 8).
 */
export class UploadWidth {
  readonly #max: number
  #state: GovernorState
  /** `one`: a single body at a time, because nothing would show what a second one brings. */
  #stage: 'unknown' | 'one' | 'governed' = 'unknown'
  #watch: Watch | null = null
  #responses: Responses
  #failures = 0
  #isSlow = false
  /** A body was answered: the first one of a slow line is not held up. */
  #isAnswered = false
  #lookedAtMs = -Infinity
  /** When a small body told enough to begin with several; Infinity: they have begun, or none told. */
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

  /** A single full connection drains at this pace (bytes a second), and has for so long (milliseconds). */
  paced(rate: number, fullMs: number, nowMs: number): void {
    if (this.#stage === 'governed') return
    const isFast = rate >= FAST_RATE && (rate * fullMs) / 1000 >= TELLING_BYTES
    if (!isFast && (!this.#isAnswered || fullMs < SLOW_PACE_MS)) return
    this.#try(firstTry(rate), rate, nowMs)
  }

  /**
   * A small body was answered `elapsedMs` after its first byte. Of a service that is `roundTripMs` away that tells enough to
   * begin with several.
   */
  told(sizeBytes: number, elapsedMs: number, roundTripMs: number, nowMs: number): void {
    if (this.#stage === 'governed' || roundTripMs < FAR_MS || sizeBytes < LEAST_TELLING_BYTES) return
    const rate = (sizeBytes * 1000) / Math.max(elapsedMs - roundTripMs, elapsedMs / 2)
    if (rate < FAR_FAST_RATE) return
    this.#try(firstTry(FAR_TIMES * rate), rate, nowMs)
    this.#toldAtMs = nowMs
  }

  /** The line is taken into use. What a first part told long ago was of a line of then. */
  begin(nowMs: number): void {
    if (nowMs - this.#toldAtMs > TOLD_FOR_MS) this.rest(nowMs)
    this.#toldAtMs = Infinity
  }

  /**
   * A body was answered. `rate`: its own, where it was alone on its way; else null. `isVisible`: its connection was
   * full, so that what more of them bring will show soon.
   */
  answered(rate: number | null, isVisible: boolean, nowMs: number): void {
    this.#isAnswered = true
    if (this.#stage === 'governed' || rate === null) return
    if (rate >= VERY_FAST_RATE) this.#try(FAST_START, null, nowMs)
    else if (rate >= FAST_RATE) this.#try(isVisible || rate >= FAST_RESPONSE_RATE ? firstTry(rate) : 2, rate, nowMs)
    // What one brings is watched first, as what two bring will be.
    else if (isVisible) this.#try(1, null, nowMs)
    // Deep buffers hide what a second body would bring, and hold it up.
    else this.#stage = 'one'
  }

  /** A large body was answered that had begun then. */
  took(sizeBytes: number, beganAtMs: number, nowMs: number): void {
    const responses = this.#responses
    if (beganAtMs < responses.sinceMs) return
    responses.bodies += 1
    responses.bytes += sizeBytes
    responses.ms += nowMs - beganAtMs
  }

  /** The service had too much to do: fewer bodies go, and no more are tried for a while. */
  refused(nowMs: number): void {
    this.#state = afterRefusal(this.#state, nowMs)
    this.#watch = null
  }

  /** A body ended before its connection took any of it. */
  failed(): void {
    this.#failures += 1
  }

  /** Looks at the line; call it several times a second. */
  look(sight: LineSight): void {
    if (this.#stage !== 'governed' || this.#isLeftAlone(sight)) return
    const watch = (this.#watch ??= this.#begin(sight))
    if (!sight.isFull) watch.isFull = false
    if (watch.begun === null && sight.nowMs >= watch.settledAtMs) {
      watch.begun = sight
      watch.isFull = sight.isFull
    }
    const begun = sight.nowMs >= watch.endsAtMs ? watch.begun : null
    if (begun === null && !this.#isToldByResponses(watch, sight)) return
    const { limit } = this.#state
    const measured = begun === null ? this.#answeredRate : rateBetween(begun, sight)
    const least = (sight.rate ?? 0) >= VERY_FAST_RATE ? VERY_FAST_LEAST : 1
    this.#state = afterWindow(
      { ...this.#state, least },
      {
        nowMs: sight.nowMs,
        bytesPerSecond: this.#carefully(measured, sight),
        // That not all of the fewer were in use is what the fewer bring.
        isFull: watch.isFull || this.#state.phase === 'shrink',
        isSaturated: sight.isSaturated,
        failures: this.#failures,
      },
    )
    this.#failures = 0
    this.#watch = null
    // A window in which nothing was seen to move judges nothing: answers to what is on its way still do.
    if (measured > 0 || this.#state.limit !== limit) this.#responses = noResponses(sight.nowMs)
    this.#isSlow = (sight.rate ?? 0) < FAST_RATE
    this.#lookedAtMs = sight.nowMs
  }

  /** Nothing is on its way: what was being watched says nothing. What was learnt is where the next upload begins. */
  rest(nowMs: number): void {
    this.#watch = null
    this.#state = startGovernor(nowMs, this.#state.limit, this.#max)
    if (this.#state.limit <= 2) this.#stage = 'unknown'
  }

  /** As many bodies as were added have begun since and are answered: what the new number brings need not be waited for. */
  #isToldByResponses({ isFull }: Watch, sight: LineSight): boolean {
    const { phase, limit, before } = this.#state
    if (phase !== 'grow' || before === null || limit <= before.limit || !isFull) return false
    if ((sight.rate ?? 0) < FAST_RATE) return false
    return this.#responses.bodies >= Math.max(LEAST_RESPONSES, limit - before.limit)
  }

  /** Of all bodies together, bytes a second. */
  get #answeredRate(): number {
    return (this.#state.limit * this.#responses.bytes * 1000) / Math.max(1, this.#responses.ms)
  }

  /** On a slow line, or behind deep buffers, a part hides much of what it does: more bodies must bring clearly more. */
  #carefully(measured: number, sight: LineSight): number {
    const usual = sight.rate ?? 0
    if (usual >= FAST_RATE && isSteadilyVisible(sight)) return measured
    const { limit, before } = this.#state
    return before !== null && limit > before.limit ? measured * (1 - HIDDEN_SHARE) : Math.max(measured, usual)
  }

  #try(limit: number, rate: number | null, nowMs: number): void {
    this.#stage = 'governed'
    const before = rate === null ? null : { limit: this.#state.limit, bytesPerSecond: rate }
    this.#state = { ...startGovernor(nowMs, limit, this.#max), before }
    this.#responses = noResponses(nowMs)
  }

  /** A slow line that was found to need no more is left as it is for a while. */
  #isLeftAlone({ nowMs }: LineSight): boolean {
    return this.#isSlow && this.#state.phase === 'steady' && nowMs - this.#lookedAtMs < SLOW_TRIAL_EVERY_MS
  }

  #begin(sight: LineSight): Watch {
    const { phase } = this.#state
    const rate = sight.rate ?? 0
    const isQuick = phase === 'grow' || phase === 'shrink'
    const times = rate < FAST_RATE ? SLOW_TIMES : isQuick ? FAST_TIMES : { settleMs: 40, windowMs: LONG_WINDOW_MS }
    // What shows in answers, or late in each body, is not judged before there were some.
    const leastMs = Math.min(isSteadilyVisible(sight) ? MOST_HIDDEN_MS : MAX_PART_MS, sight.bodyMs ?? 0)
    const isNew = phase !== 'steady' && phase !== 'held'
    const settledAtMs = sight.nowMs + (isNew ? Math.max(times.settleMs, leastMs) : 0)
    const endsAtMs = settledAtMs + Math.max(times.windowMs, leastMs)
    return { settledAtMs, endsAtMs, begun: null, isFull: true }
  }
}

/** With how many to begin where one moves this much (bytes a second). */
function firstTry(rate: number): number {
  return Math.min(FAST_START, Math.max(2, Math.round((rate * FIRST_TRY_SECONDS) / MIN_PART_SIZE_BYTES)))
}

function noResponses(sinceMs: number): Responses {
  return { sinceMs, bodies: 0, bytes: 0, ms: 0 }
}

/** So much of what the service took was seen to drain from full connections that any stretch of time tells the rate. */
function isSteadilyVisible({ takenBytes, drainedBytes }: LineSight): boolean {
  return 4 * drainedBytes > 3 * takenBytes
}

/**
 * Bytes a second between two looks. Bodies that no buffer shows come in waves: then what each did with its last tells, and
 * how many there were on an average.
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
