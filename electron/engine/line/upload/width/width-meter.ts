import type { GovernorState } from '../../../flow-control/connection-governor.ts'
import { FAST_RATE } from './first-try.ts'
import type { KnownStretch } from '../known/line-rate.ts'

/** How long a number of bodies gets to settle, and is then watched, before it is judged (milliseconds). */
const FAST_TIMES = { settleMs: 40, windowMs: 250 }
const SLOW_TIMES = { settleMs: 500, windowMs: 4000 }
/** For trials and watching on a known line, the window is the same as for downloads. */
const LONG_TIMES = { settleMs: 40, windowMs: 1500 }
const MAX_PART_MS = 30_000
/** A new connection is full after this time at most (milliseconds). */
const MOST_HIDDEN_MS = 1000
/** New connections need this long to get going before what they move is counted (milliseconds). */
const KNOWN_SETTLE_MS = 500
/** All of so long must be known, and of so much of a body's time: bodies take turns (milliseconds). */
const LEAST_KNOWN_MS = 1500
const KNOWN_BODIES = 0.75
/** What was known longer ago tells nothing of the line (milliseconds). */
const MOST_KNOWN_MS = 20_000
/** Or longer ago than this many bodies take. */
const MOST_KNOWN_BODIES = 2
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

/** What a width was found to bring. */
export interface Measured {
  readonly bytesPerSecond: number
  /** All bodies that the width allows were on their way all the time. */
  readonly isFull: boolean
}

interface Window {
  readonly settledAtMs: number
  readonly endsAtMs: number
  /** What was known when the width had settled; null before. */
  begun: LineSight | null
  isFull: boolean
}

/** The answers to bodies that began at `sinceMs`, when the width was set, or later. */
interface Responses {
  readonly sinceMs: number
  bodies: number
  bytes: number
  /** Time of all of them, added up. */
  ms: number
}

/**
 * Measures what a width brings. Buffers hide what bodies do until they are answered, so each way of measuring has its
 * price, and another one is used where that price is too high (ADR 38):
 *
 * | measured                              | known after                    | wrong by          | used                  |
 * | ------------------------------------- | ------------------------------ | ----------------- | --------------------- |
 * | what was seen to move in a window     | 0.3 to 4.5 s, or a body's time | what bodies hide  | usually               |
 * | answers to bodies begun in this width | as many answers as were added  | 6 to 8 % too much | if a fast line widens |
 * | a stretch of which all is known       | 2 or 3 s more than a window    | nothing           | `mustBeCertain`       |
 */
export class WidthMeter {
  #window: Window | null = null
  #responses: Responses
  /** When the width or the reason for it last changed, monotonic milliseconds. */
  #changedAtMs: number

  constructor(nowMs: number) {
    this.#responses = noResponses(nowMs)
    this.#changedAtMs = nowMs
  }

  /** Another width is in use, for a reason of its own: what was measured before tells nothing of it. */
  restart(nowMs: number): void {
    this.#window = null
    this.#responses = noResponses(nowMs)
    this.#changedAtMs = nowMs
  }

  /** A large body that began at `beganAtMs` was answered. */
  answered(sizeBytes: number, beganAtMs: number, nowMs: number): void {
    const responses = this.#responses
    if (beganAtMs < responses.sinceMs) return
    responses.bodies += 1
    responses.bytes += sizeBytes
    responses.ms += nowMs - beganAtMs
  }

  /** Returns null while too little is known. Must be called several times a second. */
  measure(state: GovernorState, sight: LineSight, mustBeCertain: boolean): Measured | null {
    const window = (this.#window ??= beginWindow(state, sight))
    if (!sight.isFull) window.isFull = false
    if (window.begun === null && sight.nowMs >= window.settledAtMs) {
      window.begun = sight
      window.isFull = sight.isFull
    }
    const bytesPerSecond = mustBeCertain
      ? this.#inKnownStretch(sight)
      : (inWindow(window, sight) ?? this.#byResponses(state, sight, window.isFull))
    return bytesPerSecond === null ? null : { bytesPerSecond, isFull: window.isFull }
  }

  /** A width was judged by what was measured: the next measurement begins. */
  judged(before: GovernorState, after: GovernorState, { bytesPerSecond }: Measured, nowMs: number): void {
    const isOther = after.limit !== before.limit
    this.#window = null
    if (isOther || after.phase !== before.phase) this.#changedAtMs = nowMs
    // A window in which nothing was seen to move tells nothing: answers to bodies on their way still will.
    if (isOther || bytesPerSecond > 0) this.#responses = noResponses(nowMs)
  }

  /** Drops the current window. */
  interrupt(): void {
    this.#window = null
  }

  #inKnownStretch({ nowMs, bodyMs, knownSince }: LineSight): number | null {
    const mostMs = Math.max(MOST_KNOWN_MS, MOST_KNOWN_BODIES * (bodyMs ?? 0))
    const fromMs = Math.max(this.#changedAtMs + KNOWN_SETTLE_MS, nowMs - mostMs)
    const { bytes, ms } = knownSince(fromMs)
    return ms < Math.max(LEAST_KNOWN_MS, KNOWN_BODIES * (bodyMs ?? 0)) ? null : (bytes * 1000) / ms
  }

  /** As many bodies as the width gained have begun since and are answered: they tell what the new width brings. */
  #byResponses({ phase, limit, before }: GovernorState, { rate }: LineSight, isFull: boolean): number | null {
    if (phase !== 'grow' || before === null || limit <= before.limit || !isFull) return null
    const { bodies, bytes, ms } = this.#responses
    if ((rate ?? 0) < FAST_RATE || bodies < Math.max(LEAST_RESPONSES, limit - before.limit)) return null
    return (limit * bytes * 1000) / Math.max(1, ms)
  }
}

/** Most of what the service took was seen to drain from full connections, so any stretch of time tells the rate. */
export function isSteadilyVisible({ takenBytes, drainedBytes }: LineSight): boolean {
  return 4 * drainedBytes > 3 * takenBytes
}

/** Most of what the service took was not seen to drain: it showed only in answers. */
export function isMostlyHidden({ takenBytes, drainedBytes }: LineSight): boolean {
  return 2 * drainedBytes <= takenBytes
}

function noResponses(sinceMs: number): Responses {
  return { sinceMs, bodies: 0, bytes: 0, ms: 0 }
}

function beginWindow({ phase }: GovernorState, sight: LineSight): Window {
  const isQuick = phase === 'grow' || phase === 'shrink'
  const times = (sight.rate ?? 0) < FAST_RATE ? SLOW_TIMES : isQuick ? FAST_TIMES : LONG_TIMES
  // Progress that shows only in answers, or late in each body, is not judged before bodies could show it.
  const leastMs = Math.min(isSteadilyVisible(sight) ? MOST_HIDDEN_MS : MAX_PART_MS, sight.bodyMs ?? 0)
  const isNew = phase !== 'steady' && phase !== 'held'
  const settledAtMs = sight.nowMs + (isNew ? Math.max(times.settleMs, leastMs) : 0)
  const endsAtMs = settledAtMs + Math.max(times.windowMs, leastMs)
  return { settledAtMs, endsAtMs, begun: null, isFull: true }
}

/**
 * Bytes a second in a window; null before its end. Bodies whose progress is hidden come in waves: for these the rate is
 * that of the answered bodies, times the average number of bodies on their way.
 */
function inWindow({ begun: from, endsAtMs }: Window, to: LineSight): number | null {
  if (from === null || to.nowMs < endsAtMs) return null
  const taken = to.takenBytes - from.takenBytes
  const drained = to.drainedBytes - from.drainedBytes
  const answeredMs = to.answeredMs - from.answeredMs
  const elapsedMs = Math.max(1, to.nowMs - from.nowMs)
  if (2 * drained > taken || answeredMs === 0) return (taken * 1000) / elapsedMs
  const bodies = (to.underWayMs - from.underWayMs) / elapsedMs
  return (bodies * (to.answeredBytes - from.answeredBytes) * 1000) / answeredMs
}
