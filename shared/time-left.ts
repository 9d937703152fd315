/** Transfers that have something left to do and aren't paused. */
export interface GoingTransfers {
  readonly all: number
  /** So many of them move. */
  readonly moving: number
  /** So many of those tell their own time left, which comes to `toldSeconds` together. */
  readonly told: number
  readonly toldSeconds: number
}

/**
 * Seconds that several transfers need for `leftBytes` at `bytesPerSecond`; null: that can't be told. No sooner than their rows
 * tell theirs; of a single transfer the same. Pure.
 */
export function timeLeftOf(
  { all, moving, told, toldSeconds }: GoingTransfers,
  leftBytes: number,
  bytesPerSecond: number,
): number | null {
  if (bytesPerSecond <= 0 || told === 0) return null
  return all === 1 && moving === 1 ? toldSeconds : Math.ceil(leftBytes / bytesPerSecond)
}
