// How many connections are used on one host, and what that teaches. Pure rules, applied by whoever measures.

import { MIB } from '../../../shared/limits.ts'
import { decreased, isEcho, mayGrow } from './aimd.ts'

/** How many begin at once if a line is known to carry them (requests). */
const START_CONNECTIONS = 8
/**
 * How many download on an unknown line: a slow one would take long to carry what more of them have under way.
 */
const FIRST_CONNECTIONS = 2
/** One host gets no more than this. See ADR 8. */
const MAX_ADAPTIVE_CONNECTIONS = 32

/** Growth goes on while doubling gains the first factor; a trial is kept if it gains the second. */
const GROW_GAIN = 1.25
const KEEP_GAIN = 1.05
/** Fewer connections are kept if they lower the rate to no less than this factor: in a trial, and while shrinking. */
const DROP_LOSS = 0.97
const SHRINK_LOSS = 0.95
const MIN_TRIAL_EVERY_MS = 4500
const MAX_TRIAL_EVERY_MS = 60_000
/** A trial changes the number by an eighth. */
const TRIAL_SHARE = 8

/** How many bytes tell how fast a line is, and from which pace on it carries more than two connections. */
const TELLING_BYTES = MIB / 4
const FAST_BYTES_PER_SECOND = 4 * MIB
/** Far away the pace is still rising when it is measured, so a lower one tells the same. */
const FAR_MS = 20
const FAST_FROM_FAR_BYTES_PER_SECOND = 3 * MIB

/** How long a number is watched before it is judged, in milliseconds. */
const QUICK_WINDOW_MS = 250
const WINDOW_MS = 1500
/** On a slow line it is watched until this much came, or for this long at most. */
const QUICK_WINDOW_BYTES = MIB
const SLOW_QUICK_WINDOW_MS = 1000
const WINDOW_BYTES = 6 * MIB
const SLOW_WINDOW_MS = 4000
/** New connections need some round trips to get going. */
const SETTLE_ROUND_TRIPS = 4
const WINDOW_ROUND_TRIPS = 8
const MAX_SETTLE_MS = 1500

/**
 * `grow`: doubling while it pays. `shrink`: halving, because this process or the disk is the bottleneck, or doubling
 * gained nothing. `steady`: watching. `up`, `down`: trying some more or fewer. `held`: the service refused.
 */
export type GovernorPhase = 'grow' | 'shrink' | 'steady' | 'up' | 'down' | 'held'

/** How many connections a host gets, and what is known about that. Immutable. */
export interface GovernorState {
  readonly phase: GovernorPhase
  readonly limit: number
  /** Fewer than this are not tried. */
  readonly least: number
  /** Where growth began. */
  readonly start: number
  /** Nothing is known of the line yet: a fast one gets more connections as soon as its bytes show it. */
  readonly isNew: boolean
  /** What an earlier number brought, to compare with; null if unknown. */
  readonly before: { readonly limit: number; readonly bytesPerSecond: number } | null
  readonly lastTrial: 'up' | 'down'
  readonly nextTrialAtMs: number
  readonly trialEveryMs: number
  readonly refusedAtMs: number
}

/** What a window of time showed. */
export interface Observation {
  readonly nowMs: number
  readonly bytesPerSecond: number
  /** Exactly the allowed connections were in use all the time; otherwise the rate says nothing about their number. */
  readonly isFull: boolean
  /** The event loop or the disk is the bottleneck. */
  readonly isSaturated: boolean
  /** Connections that could not be made or brought nothing. */
  readonly failures: number
}

/** For a line that is known to carry `limit` connections, 1 to 32. @param nowMs monotonic. */
export function startGovernor(nowMs: number, limit = START_CONNECTIONS): GovernorState {
  return {
    phase: 'grow',
    limit,
    least: 1,
    start: limit,
    isNew: false,
    before: null,
    lastTrial: 'down',
    nextTrialAtMs: nowMs,
    trialEveryMs: MIN_TRIAL_EVERY_MS,
    refusedAtMs: -Infinity,
  }
}

/** How many connections are known to pay: a trial of more proves nothing yet. Pure. */
export function provenLimit({ limit, before }: GovernorState): number {
  return Math.min(limit, before?.limit ?? limit)
}

/** For downloads from a host of which nothing is known. */
export function startUnknown(nowMs: number): GovernorState {
  return { ...startGovernor(nowMs, FIRST_CONNECTIONS), isNew: true }
}

/** The first bytes that came from a host. */
export interface FirstBytes {
  readonly bytes: number
  /** Since the first answer. */
  readonly elapsedMs: number
  /** Bytes of the last `lateMs`, which is a round trip at least. */
  readonly lateBytes: number
  readonly lateMs: number
  readonly latencyMs: number
}

/** The first bytes show how fast the line is: a fast one gets the connections it needs at once. Pure. */
export function afterFirstBytes(state: GovernorState, seen: FirstBytes): GovernorState {
  if (!state.isNew || state.limit >= START_CONNECTIONS || seen.bytes < TELLING_BYTES) return state
  const rate = (seen.bytes * 1000) / Math.max(1, seen.elapsedMs)
  const lateRate = (seen.lateBytes * 1000) / Math.max(1, seen.lateMs)
  const fast = seen.latencyMs >= FAR_MS ? FAST_FROM_FAR_BYTES_PER_SECOND : FAST_BYTES_PER_SECOND
  if (rate < FAST_BYTES_PER_SECOND && lateRate < fast) return state
  return { ...state, phase: 'grow', limit: START_CONNECTIONS, start: START_CONNECTIONS, isNew: false, before: null }
}

/** A window lasts until this many bytes came in it, but no longer than this. */
export interface WindowEnd {
  readonly bytes: number
  readonly maxMs: number
}

/** On slow lines a window lasts until it tells something: bytes come in bursts there. */
export function windowEnd({ phase }: GovernorState): WindowEnd {
  const isQuick = phase === 'grow' || phase === 'shrink'
  return isQuick
    ? { bytes: QUICK_WINDOW_BYTES, maxMs: SLOW_QUICK_WINDOW_MS }
    : { bytes: WINDOW_BYTES, maxMs: SLOW_WINDOW_MS }
}

/** How long a new number gets to settle, then how long it is watched at least. */
export function governorTimes(state: GovernorState, latencyMs: number): { settleMs: number; windowMs: number } {
  const settleMs = Math.min(MAX_SETTLE_MS, SETTLE_ROUND_TRIPS * latencyMs)
  const longMs = Math.max(WINDOW_MS, WINDOW_ROUND_TRIPS * latencyMs)
  switch (state.phase) {
    case 'grow':
    case 'shrink':
      return { settleMs, windowMs: QUICK_WINDOW_MS }
    case 'up':
    case 'down':
      return { settleMs, windowMs: longMs }
    case 'steady':
    case 'held':
      return { settleMs: 0, windowMs: longMs }
  }
}

/** The service asked for fewer requests (429, 503, SlowDown). Pure. */
export function afterRefusal(state: GovernorState, nowMs: number): GovernorState {
  if (isEcho(nowMs - state.refusedAtMs)) return state
  const fewer = decreased(state.limit)
  // A trial that is refused ends where it began.
  const limit = state.phase === 'up' && state.before !== null ? Math.min(state.before.limit, state.limit) : fewer
  return { ...state, phase: 'held', limit, isNew: false, before: null, refusedAtMs: nowMs, ...later(state, nowMs) }
}

/** The next state after a window. Pure. */
export function afterWindow(state: GovernorState, seen: Observation): GovernorState {
  if (seen.failures >= 2) return afterFailures(state, seen.nowMs)
  if (state.phase === 'held') {
    return mayGrow(seen.nowMs - state.refusedAtMs) ? { ...state, phase: 'steady', before: null } : state
  }
  if (!seen.isFull) return state
  if (seen.bytesPerSecond === 0) return state
  switch (state.phase) {
    case 'grow':
      return grown(state, seen)
    case 'shrink':
      return shrunk(state, seen)
    case 'steady':
      return watched(state, seen)
    case 'up':
      return tried(state, seen, KEEP_GAIN)
    case 'down':
      return tried(state, seen, DROP_LOSS)
  }
}

function grown(state: GovernorState, seen: Observation): GovernorState {
  const { limit, before } = state
  const gain = before === null ? Infinity : seen.bytesPerSecond / before.bytesPerSecond
  if (seen.isSaturated) {
    const best = before !== null && gain < KEEP_GAIN ? before.limit : limit
    return halve({ ...state, limit: best }, Math.max(seen.bytesPerSecond, before?.bytesPerSecond ?? 0), seen.nowMs)
  }
  if (gain < KEEP_GAIN && before !== null) {
    // If even the first doubling gains nothing, fewer may do as well.
    if (before.limit === state.start) return halve(state, before.bytesPerSecond, seen.nowMs, before.limit)
    return steady(state, before.limit, seen.nowMs)
  }
  if (gain < GROW_GAIN || limit >= MAX_ADAPTIVE_CONNECTIONS) return steady(state, limit, seen.nowMs)
  return {
    ...state,
    limit: Math.min(MAX_ADAPTIVE_CONNECTIONS, limit * 2),
    before: { limit, bytesPerSecond: seen.bytesPerSecond },
  }
}

function shrunk(state: GovernorState, seen: Observation): GovernorState {
  const { before, limit } = state
  if (before !== null && seen.bytesPerSecond < before.bytesPerSecond * SHRINK_LOSS) {
    return steady(state, before.limit, seen.nowMs)
  }
  return halve(state, Math.max(seen.bytesPerSecond, before?.bytesPerSecond ?? 0), seen.nowMs, limit)
}

function halve(state: GovernorState, bytesPerSecond: number, nowMs: number, limit = state.limit): GovernorState {
  if (limit <= state.least) return steady(state, limit, nowMs)
  const fewer = Math.max(state.least, Math.ceil(limit / 2))
  return { ...state, phase: 'shrink', limit: fewer, isNew: false, before: { limit, bytesPerSecond } }
}

function watched(state: GovernorState, seen: Observation): GovernorState {
  const { limit, least } = state
  if (seen.nowMs < state.nextTrialAtMs) return state
  const before = { limit, bytesPerSecond: seen.bytesPerSecond }
  const step = Math.max(1, Math.round(limit / TRIAL_SHARE))
  const goesUp = state.lastTrial === 'down' && !seen.isSaturated && limit < MAX_ADAPTIVE_CONNECTIONS
  if (goesUp) {
    const more = Math.min(MAX_ADAPTIVE_CONNECTIONS, limit + step)
    return { ...state, phase: 'up', lastTrial: 'up', limit: more, before }
  }
  if (limit <= least) return { ...state, lastTrial: 'down' }
  return { ...state, phase: 'down', lastTrial: 'down', limit: Math.max(least, limit - step), before }
}

/** A trial that pays is repeated soon, in the same direction; one that doesn't is repeated less and less often. */
function tried(state: GovernorState, seen: Observation, leastGain: number): GovernorState {
  const { before, limit, phase } = state
  if (before === null) return steady(state, limit, seen.nowMs)
  if (seen.bytesPerSecond < before.bytesPerSecond * leastGain) {
    return { ...steady(state, before.limit, seen.nowMs), ...later(state, seen.nowMs) }
  }
  if (phase === 'down') return { ...steady(state, limit, seen.nowMs), lastTrial: 'up' }
  // More connections pay again: perhaps many more do.
  return grown({ ...state, phase: 'grow', before: null }, seen)
}

function afterFailures(state: GovernorState, nowMs: number): GovernorState {
  const limit = Math.max(1, Math.min(state.before?.limit ?? Infinity, state.limit - 1))
  return { ...steady(state, limit, nowMs), ...later(state, nowMs) }
}

/** The number is kept, and another one tried after a while. Pure. */
export function steady(state: GovernorState, limit: number, nowMs: number): GovernorState {
  const trialEveryMs = MIN_TRIAL_EVERY_MS
  return {
    ...state,
    phase: 'steady',
    limit,
    isNew: false,
    before: null,
    trialEveryMs,
    nextTrialAtMs: nowMs + trialEveryMs,
  }
}

function later(state: GovernorState, nowMs: number): Pick<GovernorState, 'trialEveryMs' | 'nextTrialAtMs'> {
  const trialEveryMs = Math.min(MAX_TRIAL_EVERY_MS, state.trialEveryMs * 2)
  return { trialEveryMs, nextTrialAtMs: nowMs + trialEveryMs }
}
