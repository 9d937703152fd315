import type { RateLimits } from './settings.ts'

/** The current totals of several transfers. */
export interface SummedSpeed {
  readonly uploadBytesPerSecond: number
  readonly downloadBytesPerSecond: number
  readonly etaSeconds: number | null
}

/**
 * Caps the rates at the limits: the rates of several transfers, each averaged over some seconds, can add up to more.
 * Pure.
 */
export function withinLimits<Sums extends SummedSpeed>(sums: Sums, limits: RateLimits): Sums {
  const upload = Math.min(sums.uploadBytesPerSecond, limits.uploadBytesPerSecond ?? Infinity)
  const download = Math.min(sums.downloadBytesPerSecond, limits.downloadBytesPerSecond ?? Infinity)
  const before = sums.uploadBytesPerSecond + sums.downloadBytesPerSecond
  const allowed = Math.min(upload + download, limits.totalBytesPerSecond ?? Infinity)
  if (allowed >= before) return sums
  const share = allowed / (upload + download)
  return {
    ...sums,
    uploadBytesPerSecond: Math.floor(upload * share),
    downloadBytesPerSecond: Math.floor(download * share),
    etaSeconds: sums.etaSeconds === null ? null : Math.ceil((sums.etaSeconds * before) / allowed),
  }
}
