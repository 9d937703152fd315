import type { RateLimits } from '../../shared/settings.ts'
import { timeLeftOf } from '../../shared/time-left.ts'
import { goesOn, GROUPS, groupOf, type TransferGroup } from '../../shared/transfer/transfer-group.ts'
import type { TransferRow } from '../../shared/transfer/transfer.ts'
import { withinLimits } from '../../shared/within-limits.ts'
import { wholeSize } from '../words/row-words.ts'

/** The sums of several transfers. */
export interface SelectionSums {
  /** How many are in each group that has any, in the order of the list. */
  readonly groups: readonly { readonly group: TransferGroup; readonly count: number }[]
  /** The bytes of all except canceled ones, which keep nothing; null while any size is unknown. */
  readonly sizeBytes: number | null
  readonly confirmedBytes: number
  readonly bytesPerSecond: number
  /** Null if none is under way, or the size of one that goes on by itself is unknown. */
  readonly progress: SelectionProgress | null
}

/** The progress of the transfers that go on by themselves, together with those that are completed. */
export interface SelectionProgress {
  readonly confirmedBytes: number
  readonly sizeBytes: number
  /** Null while no row knows its own. */
  readonly etaSeconds: number | null
}

/** Adds up transfers, with no speed above the limits in force. Pure. */
export function sumRows(rows: Iterable<TransferRow>, limits: RateLimits): SelectionSums {
  const counts = new Map<TransferGroup, number>()
  let sizeBytes: number | null = 0
  let confirmedBytes = 0
  const bytesPerSecond = { upload: 0, download: 0 }
  const going: TransferRow[] = []
  let completedBytes = 0
  for (const row of rows) {
    if (goesOn(row.status)) going.push(row)
    if (row.status === 'completed') completedBytes += row.sizeBytes ?? row.confirmedBytes
    const group = groupOf(row.status)
    counts.set(group, (counts.get(group) ?? 0) + 1)
    bytesPerSecond[row.direction] += row.bytesPerSecond
    if (row.status === 'canceled') continue
    confirmedBytes += row.confirmedBytes
    const rowBytes = wholeSize(row)
    sizeBytes = sizeBytes === null || rowBytes === null ? null : sizeBytes + rowBytes
  }
  const groups = GROUPS.map((group) => ({ group, count: counts.get(group) ?? 0 })).filter(({ count }) => count > 0)
  const progress = progressOf(going, completedBytes)
  const { etaSeconds, ...speed } = withinLimits(
    {
      uploadBytesPerSecond: bytesPerSecond.upload,
      downloadBytesPerSecond: bytesPerSecond.download,
      etaSeconds: progress?.etaSeconds ?? null,
    },
    limits,
  )
  return {
    ...{ groups, sizeBytes, confirmedBytes },
    bytesPerSecond: speed.uploadBytesPerSecond + speed.downloadBytesPerSecond,
    progress: progress === null ? null : { ...progress, etaSeconds },
  }
}

function progressOf(going: readonly TransferRow[], completedBytes: number): SelectionProgress | null {
  if (!going.some(({ status }) => groupOf(status) === 'active')) return null
  // Completed transfers stay included, so that the bar never goes back.
  let confirmedBytes = completedBytes
  let sizeBytes = completedBytes
  for (const row of going) {
    const rowBytes = wholeSize(row)
    if (rowBytes === null) return null
    confirmedBytes += Math.min(row.confirmedBytes, rowBytes)
    sizeBytes += rowBytes
  }
  return sizeBytes === 0 ? null : { confirmedBytes, sizeBytes, etaSeconds: etaOf(going, sizeBytes - confirmedBytes) }
}

function etaOf(going: readonly TransferRow[], leftBytes: number): number | null {
  const moving = going.filter((row) => row.bytesPerSecond > 0)
  const told = moving.flatMap(({ etaSeconds }) => etaSeconds ?? [])
  const counts = { all: going.length, moving: moving.length, told: told.length, toldSeconds: sum(told) }
  return timeLeftOf(counts, leftBytes, sum(moving.map((row) => row.bytesPerSecond)))
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
