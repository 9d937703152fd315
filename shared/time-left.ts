/** Transfers that have something left to do and aren't paused. */
export interface GoingTransfers {
  readonly all: number
  /** How many of them are moving. */
  readonly moving: number
  /** How many of those know their own time left. */
  readonly told: number
  readonly toldSeconds: number
}

/**
 * The seconds that several transfers need for `leftBytes` at `bytesPerSecond`; null while no row knows its own time
 * left. For a single transfer that moves, returns the same as its row. Pure.
 */
export function timeLeftOf(
  { all, moving, told, toldSeconds }: GoingTransfers,
  leftBytes: number,
  bytesPerSecond: number,
): number | null {
  if (bytesPerSecond <= 0 || told === 0) return null
  return all === 1 && moving === 1 ? toldSeconds : Math.ceil(leftBytes / bytesPerSecond)
}
