import type { QueueTotals } from '../../../../shared/transfer/transfer-delta.ts'
import { timeLeftOf } from '../../../../shared/time-left.ts'
import { groupOf } from '../../../../shared/transfer/transfer-group.ts'
import { isFinal, type TransferRow } from '../../../../shared/transfer/transfer.ts'

/** Sums over all rows, kept up to date one changed row at a time. */
export interface TotalsKeeper {
  /** Notes that a row was added (`before` null), changed, or removed (`after` null). */
  replace(before: TransferRow | null, after: TransferRow | null): void
  totals(): QueueTotals
}

export function createTotalsKeeper(): TotalsKeeper {
  const counts = { all: 0, active: 0, waiting: 0, paused: 0, attention: 0, done: 0 }
  const bytesPerSecond = { upload: 0, download: 0 }
  let remainingBytes = 0
  let pausedBytes = 0
  const going = { all: 0, moving: 0, told: 0, toldSeconds: 0 }

  function count(row: TransferRow, sign: 1 | -1): void {
    counts.all += sign
    counts[groupOf(row.status)] += sign
    bytesPerSecond[row.direction] += sign * row.bytesPerSecond
    remainingBytes += sign * remainingOf(row)
    if (row.status === 'paused') pausedBytes += sign * remainingOf(row)
    else if (remainingOf(row) > 0) going.all += sign
    if (row.bytesPerSecond > 0) going.moving += sign
    if (row.bytesPerSecond > 0 && row.etaSeconds !== null) {
      going.told += sign
      going.toldSeconds += sign * row.etaSeconds
    }
  }

  return {
    replace(before, after) {
      if (before !== null) count(before, -1)
      if (after !== null) count(after, 1)
    },
    totals() {
      return {
        counts: { ...counts },
        uploadBytesPerSecond: bytesPerSecond.upload,
        downloadBytesPerSecond: bytesPerSecond.download,
        remainingBytes,
        pausedBytes,
        // Paused rows don't end by themselves.
        etaSeconds: timeLeftOf(going, remainingBytes - pausedBytes, bytesPerSecond.upload + bytesPerSecond.download),
      }
    },
  }
}

function remainingOf(row: TransferRow): number {
  if (isFinal(row.status) || row.status === 'failed' || row.sizeBytes === null) return 0
  return Math.max(0, row.sizeBytes - row.confirmedBytes)
}
