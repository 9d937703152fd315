// How long several transfers took. Pure.

import type { TransferRow } from './transfer.ts'

/**
 * From when the first of these that have ended began to when the last ended, milliseconds; pauses in between count where
 * they waited for each other.
 */
export function spanOf(rows: readonly Pick<TransferRow, 'activeMs' | 'finishedAtMs'>[]): number {
  const longestMs = Math.max(...rows.map(({ activeMs }) => activeMs))
  const ends = rows.map(({ finishedAtMs, activeMs }) => ({ atMs: finishedAtMs ?? 0, activeMs }))
  if (rows.length === 1 || ends.some(({ atMs }) => atMs === 0)) return longestMs
  const beganMs = Math.min(...ends.map(({ atMs, activeMs }) => atMs - activeMs))
  return Math.max(longestMs, Math.max(...ends.map(({ atMs }) => atMs)) - beganMs)
}
