// How long several transfers took. Pure.

import type { TransferRow } from './transfer.ts'

/**
 * From when the first of these that have ended began to when the last ended, milliseconds; pauses in between count where
 * they waited for each other.
 */
export function spanOf(rows: readonly Pick<TransferRow, 'activeMs' | 'finishedAtMs'>[]): number {
  let longestMs = -Infinity
  let beganMs = Infinity
  let firstEndMs = Infinity
  let lastEndMs = -Infinity
  // Not with `Math.max` of all: a long list is more arguments than a call may have.
  for (const { activeMs, finishedAtMs } of rows) {
    const endMs = finishedAtMs ?? 0
    longestMs = Math.max(longestMs, activeMs)
    beganMs = Math.min(beganMs, endMs - activeMs)
    firstEndMs = Math.min(firstEndMs, endMs)
    lastEndMs = Math.max(lastEndMs, endMs)
  }
  return rows.length === 1 || firstEndMs === 0 ? longestMs : Math.max(longestMs, lastEndMs - beganMs)
}
