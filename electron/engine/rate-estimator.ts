/** Length of one sample, milliseconds. */
const SAMPLE_MS = 1000
/** Time constant of the shown rate: what happened 5 s ago weighs a third. */
const SMOOTHING_MS = 5000
/** The remaining time is estimated from this much history, milliseconds. */
const ETA_WINDOW_SAMPLES = 30
/** No estimate from less than this many samples in a row without a stall. */
const ETA_MIN_SAMPLES = 5
/** This many samples without a byte are a stall: what was known about the pace is void. */
const STALL_SAMPLES = 3

/** What is known about a transfer's pace. Immutable: `sampleRate` returns the next one. */
export interface RateEstimate {
  /** Payload rate, smoothed; 0 when nothing moves. */
  readonly bytesPerSecond: number
  readonly peakBytesPerSecond: number
  readonly sampledAtMs: number
  readonly movedBytes: number
  /** Bytes of each of the latest samples since the last stall, latest last. */
  readonly samples: readonly number[]
  readonly idleSamples: number
}

/** @param nowMs monotonic. */
export function startRate(nowMs: number, movedBytes = 0): RateEstimate {
  return { bytesPerSecond: 0, peakBytesPerSecond: 0, sampledAtMs: nowMs, movedBytes, samples: [], idleSamples: 0 }
}

/**
 * Takes the samples that are due, one a second; returns the same object when none is. `movedBytes` is the running total
 * and may fall when a retry rewinds. After a gap in calls (sleep, a busy process) the bytes spread evenly over it. Pure.
 */
export function sampleRate(estimate: RateEstimate, nowMs: number, movedBytes: number): RateEstimate {
  const elapsedMs = nowMs - estimate.sampledAtMs
  if (elapsedMs < SAMPLE_MS) return estimate
  const count = Math.floor(elapsedMs / SAMPLE_MS)
  const bytes = Math.max(0, movedBytes - estimate.movedBytes)
  const perSample = (bytes * SAMPLE_MS) / elapsedMs
  const weight = 1 - Math.exp(-elapsedMs / SMOOTHING_MS)
  const isFirst = estimate.bytesPerSecond === 0 && estimate.samples.length === 0
  const idleSamples = bytes > 0 ? 0 : estimate.idleSamples + count
  const stalled = idleSamples >= STALL_SAMPLES
  const bytesPerSecond = stalled
    ? 0
    : isFirst
      ? perSample
      : estimate.bytesPerSecond + (perSample - estimate.bytesPerSecond) * weight
  const added = Array.from({ length: Math.min(count, ETA_WINDOW_SAMPLES) }, () => perSample)
  return {
    bytesPerSecond,
    peakBytesPerSecond: Math.max(estimate.peakBytesPerSecond, bytesPerSecond),
    sampledAtMs: nowMs,
    movedBytes,
    samples: stalled ? [] : [...estimate.samples, ...added].slice(-ETA_WINDOW_SAMPLES),
    idleSamples,
  }
}

/** Seconds until `remainingBytes` have moved at the pace of the last 30 s; null for the first 5 s and after a stall. */
export function etaSeconds(estimate: RateEstimate, remainingBytes: number): number | null {
  if (estimate.samples.length < ETA_MIN_SAMPLES) return null
  const windowBytes = estimate.samples.reduce((sum, bytes) => sum + bytes, 0)
  if (windowBytes <= 0) return null
  return Math.ceil((remainingBytes * estimate.samples.length * SAMPLE_MS) / (windowBytes * 1000))
}

/** The pace may say so much else before the shown time left follows it. */
const ETA_TOLERANCE = 0.1

/**
 * When a transfer is shown to end, monotonic milliseconds: what was shown before, unless the fresh estimate of the time
 * left is more than a tenth off. So the time left counts down evenly instead of jumping. Pure.
 */
export function steadyEnd(shownEndMs: number | null, nowMs: number, freshEtaSeconds: number | null): number | null {
  if (freshEtaSeconds === null) return null
  const freshMs = freshEtaSeconds * 1000
  const isClose = shownEndMs !== null && Math.abs(shownEndMs - nowMs - freshMs) <= ETA_TOLERANCE * freshMs
  return isClose ? shownEndMs : nowMs + freshMs
}
