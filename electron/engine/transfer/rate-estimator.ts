// Estimates bytes a second and the time left from what has moved recently. Pure.

/** Length of one sample, milliseconds. */
const SAMPLE_MS = 1000
/** The shown rate is the mean of this many samples: bytes that come in lumps show the rate of their line. */
const RATE_WINDOW_SAMPLES = 15
/** If the mean of only this many latest samples differs by the factor below, it is shown instead. */
const RECENT_SAMPLES = 4
const CLEAR_CHANGE = 1.6
/** The remaining time is estimated from this many samples. */
const ETA_WINDOW_SAMPLES = 30
/** No estimate from less than this many samples in a row without a stall. */
const ETA_MIN_SAMPLES = 5
/** Bytes that moved unseen for this long are a pace that is shown at once if there is none yet (milliseconds). */
const LEAST_FIRST_MS = 500
/** This many samples without a byte are a stall, which voids what was known about the pace. */
const STALL_SAMPLES = 3

/** What is known about a transfer's pace. Immutable: `sampleRate` returns the next estimate. */
export interface RateEstimate {
  /** Payload rate of the last seconds; 0 when nothing moves. */
  readonly bytesPerSecond: number
  readonly sampledAtMs: number
  readonly movedBytes: number
  /** Bytes of each of the latest samples since the last stall, latest last. */
  readonly samples: readonly number[]
  readonly idleSamples: number
}

/** @param nowMs monotonic. */
export function startRate(nowMs: number, movedBytes = 0): RateEstimate {
  return { bytesPerSecond: 0, sampledAtMs: nowMs, movedBytes, samples: [], idleSamples: 0 }
}

/**
 * Takes the samples that are due, one a second; returns the same object when none is. `movedBytes` is the running total
 * and may fall when a retry rewinds. After a gap in calls (sleep, a busy process) the bytes spread evenly over it.
 * Pure.
 */
export function sampleRate(estimate: RateEstimate, nowMs: number, movedBytes: number): RateEstimate {
  const elapsedMs = nowMs - estimate.sampledAtMs
  // Time before the first byte says nothing about the pace.
  if (estimate.samples.length === 0 && movedBytes === estimate.movedBytes && estimate.bytesPerSecond === 0)
    return elapsedMs > 0 ? { ...estimate, sampledAtMs: nowMs } : estimate
  if (elapsedMs < SAMPLE_MS) return estimate
  const count = Math.floor(elapsedMs / SAMPLE_MS)
  const bytes = Math.max(0, movedBytes - estimate.movedBytes)
  const perSample = (bytes * SAMPLE_MS) / elapsedMs
  const idleSamples = bytes > 0 ? 0 : estimate.idleSamples + count
  const stalled = idleSamples >= STALL_SAMPLES
  const added = Array.from({ length: Math.min(count, ETA_WINDOW_SAMPLES) }, () => perSample)
  const samples = stalled ? [] : [...estimate.samples, ...added].slice(-ETA_WINDOW_SAMPLES)
  return { bytesPerSecond: rateOf(samples), sampledAtMs: nowMs, movedBytes, samples, idleSamples }
}

/**
 * Counts bytes that moved evenly, but unseen, in the `overMs` before `nowMs`: samples taken in that time get their
 * share. Negative `bytes` take back what was reported too soon in that time. Pure.
 */
export function spreadMoved(estimate: RateEstimate, bytes: number, overMs: number, nowMs: number): RateEstimate {
  // So long ago that no sample knows of it.
  if (overMs === Infinity) return { ...estimate, movedBytes: estimate.movedBytes + bytes }
  // The unfinished sample gets its share when it ends.
  const pastMs = overMs - (nowMs - estimate.sampledAtMs)
  if (bytes === 0 || pastMs <= 0) return estimate
  const count = Math.min(ETA_WINDOW_SAMPLES - 1, Math.floor(pastMs / SAMPLE_MS))
  // After a stall, or before the first byte, the samples of that time were not kept.
  const lackCount = bytes > 0 ? Math.max(0, count - estimate.samples.length) : 0
  const lacking = Array.from({ length: lackCount }, () => 0)
  const samples = [...lacking, ...estimate.samples]
  const perMs = bytes / overMs
  const spread = samples.map((sample, index) => {
    const endedMs = (samples.length - 1 - index) * SAMPLE_MS
    return sample + perMs * Math.min(SAMPLE_MS, Math.max(0, pastMs - endedMs))
  })
  const movedBytes = estimate.movedBytes + Math.round(perMs * pastMs)
  const isFirst = bytes > 0 && estimate.bytesPerSecond === 0 && overMs >= LEAST_FIRST_MS
  const bytesPerSecond = isFirst ? perMs * 1000 : estimate.bytesPerSecond
  return { ...estimate, bytesPerSecond, samples: spread, movedBytes, idleSamples: 0 }
}

function rateOf(samples: readonly number[]): number {
  const usual = meanOf(samples.slice(-RATE_WINDOW_SAMPLES))
  const recent = meanOf(samples.slice(-RECENT_SAMPLES))
  return recent > usual * CLEAR_CHANGE || recent < usual / CLEAR_CHANGE ? recent : usual
}

function meanOf(samples: readonly number[]): number {
  return samples.length === 0 ? 0 : samples.reduce((sum, bytes) => sum + bytes, 0) / samples.length
}

/** Seconds until `remainingBytes` have moved at the pace of the last 30 s; null for the first 5 s and after a stall. */
export function etaSeconds(estimate: RateEstimate, remainingBytes: number): number | null {
  if (estimate.samples.length < ETA_MIN_SAMPLES) return null
  const windowBytes = estimate.samples.reduce((sum, bytes) => sum + bytes, 0)
  if (windowBytes <= 0) return null
  return (remainingBytes * estimate.samples.length * SAMPLE_MS) / (windowBytes * 1000)
}

/** The shown time left jumps to a fresh estimate that differs by more than this share. */
const ETA_TOLERANCE = 0.15
/** Otherwise it drifts towards the estimate by this much a second (seconds). */
const ETA_DRIFT = 0.2

/** When a transfer is shown to end, and when that was computed, monotonic milliseconds. */
export interface ShownEnd {
  readonly endMs: number
  readonly saidAtMs: number
}

/**
 * When a transfer is shown to end, given what was shown before and a fresh estimate of the seconds left. The time left
 * counts down nearly evenly, a little faster or slower until it is right, and jumps only if it is a seventh off. Pure.
 */
export function steadyEnd(shown: ShownEnd | null, nowMs: number, freshEtaSeconds: number | null): ShownEnd | null {
  if (freshEtaSeconds === null) return null
  const freshMs = freshEtaSeconds * 1000
  const fresh = { endMs: nowMs + freshMs, saidAtMs: nowMs }
  if (shown === null || Math.abs(shown.endMs - fresh.endMs) > ETA_TOLERANCE * freshMs) return fresh
  const mostMs = ETA_DRIFT * (nowMs - shown.saidAtMs)
  const driftMs = Math.max(-mostMs, Math.min(mostMs, fresh.endMs - shown.endMs))
  return { endMs: shown.endMs + driftMs, saidAtMs: nowMs }
}
