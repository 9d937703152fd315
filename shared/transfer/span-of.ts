// How long several transfers took. Pure.

import type { TransferRow } from './transfer.ts'

/**
 * The milliseconds from the start of the first of these ended transfers to the end of the last, including the time in
 * which they waited for each other. For a single one, its active time.
 */
export function spanOf(rows: readonly Pick<TransferRow, 'activeMs' | 'finishedAtMs'>[]): number {
  let longestMs = -Infinity
  let beganMs = Infinity
  let firstEndMs = Infinity
  let lastEndMs = -Infinity
  // Not `Math.max(...all)`: a long list exceeds the number of arguments that a call may have.
  for (const { activeMs, finishedAtMs } of rows) {
    const endMs = finishedAtMs ?? 0
    longestMs = Math.max(longestMs, activeMs)
    beganMs = Math.min(beganMs, endMs - activeMs)
    firstEndMs = Math.min(firstEndMs, endMs)
    lastEndMs = Math.max(lastEndMs, endMs)
  }
  return rows.length === 1 || firstEndMs === 0 ? longestMs : Math.max(longestMs, lastEndMs - beganMs)
}
