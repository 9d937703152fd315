import type { Sort, SortColumn } from '../../shared/transfer/queue-view.ts'
import type { TransferGroup } from '../../shared/transfer/transfer-group.ts'
import type { TransferRow } from '../../shared/transfer/transfer.ts'
import type { Compare } from './row-order.ts'

const NAMES = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

/** How two rows of a group compare. Never 0 for two of them. Pure. */
export function comparatorOf(sort: Sort): (group: TransferGroup) => Compare {
  if (sort === null) return (group) => (group === 'done' ? latestFirst : byPosition)
  const sign = sort.isDescending ? -1 : 1
  const compare = COLUMNS[sort.by]
  return () => (left, right) => sign * compare(left, right) || byPosition(left, right)
}

/** Whether numbers alone may change the order. */
export function isSortedByNumbers(sort: Sort): boolean {
  return sort !== null && sort.by !== 'name'
}

/** The next order after a click on a column's head: up, down, none. Pure. */
export function nextSort(sort: Sort, by: SortColumn): Sort {
  const first = by === 'progress' || by === 'speed'
  if (sort?.by !== by) return { by, isDescending: first }
  return sort.isDescending === first ? { by, isDescending: !first } : null
}

const COLUMNS: Readonly<Record<SortColumn, Compare>> = {
  name: (left, right) => NAMES.compare(left.name, right.name),
  progress: (left, right) => shareOf(left) - shareOf(right),
  speed: (left, right) => left.bytesPerSecond - right.bytesPerSecond,
  left: (left, right) => compareNumbers(left.etaSeconds ?? Infinity, right.etaSeconds ?? Infinity),
}

function shareOf({ confirmedBytes, sizeBytes }: TransferRow): number {
  if (sizeBytes === null) return -1
  return sizeBytes === 0 ? 1 : confirmedBytes / sizeBytes
}

function byPosition(left: TransferRow, right: TransferRow): number {
  return compareNumbers(left.position, right.position) || (left.id < right.id ? -1 : 1)
}

function latestFirst(left: TransferRow, right: TransferRow): number {
  return compareNumbers(right.finishedAtMs ?? Infinity, left.finishedAtMs ?? Infinity) || byPosition(right, left)
}

function compareNumbers(left: number, right: number): number {
  return left === right ? 0 : left < right ? -1 : 1
}
