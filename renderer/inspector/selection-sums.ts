import { GROUPS, groupOf, type TransferGroup } from '../../shared/transfer/transfer-group.ts'
import type { TransferRow } from '../../shared/transfer/transfer.ts'
import { wholeSize } from '../words/row-words.ts'

/** What several transfers come to. */
export interface SelectionSums {
  /** How many are in each group that has some, in the order of the list. */
  readonly groups: readonly { readonly group: TransferGroup; readonly count: number }[]
  /** Bytes of all but the canceled ones, of which nothing is kept; null while the size of one is unknown. */
  readonly sizeBytes: number | null
  readonly confirmedBytes: number
  readonly bytesPerSecond: number
}

/** Adds up transfers. Pure. */
export function sumRows(rows: Iterable<TransferRow>): SelectionSums {
  const counts = new Map<TransferGroup, number>()
  let sizeBytes: number | null = 0
  let confirmedBytes = 0
  let bytesPerSecond = 0
  for (const row of rows) {
    const group = groupOf(row.status)
    counts.set(group, (counts.get(group) ?? 0) + 1)
    bytesPerSecond += row.bytesPerSecond
    if (row.status === 'canceled') continue
    confirmedBytes += row.confirmedBytes
    const rowBytes = wholeSize(row)
    sizeBytes = sizeBytes === null || rowBytes === null ? null : sizeBytes + rowBytes
  }
  const groups = GROUPS.map((group) => ({ group, count: counts.get(group) ?? 0 })).filter(({ count }) => count > 0)
  return { groups, sizeBytes, confirmedBytes, bytesPerSecond }
}
