import { compareNames } from '../../../shared/name-order.ts'
import type { Sort, SortColumn } from '../../../shared/transfer/queue-view.ts'
import type { TransferGroup } from '../../../shared/transfer/transfer-group.ts'
import type { TransferRow } from '../../../shared/transfer/transfer.ts'
import type { Compare } from './row-order.ts'

/** Compares rows of a group. Never returns 0 for two different rows. Pure. */
export function comparatorOf(
  sort: Sort,
  placeNameOf: (row: TransferRow) => string = () => '',
): (group: TransferGroup) => Compare {
  if (sort === null) return (group) => (group === 'done' ? latestFirst : byPosition)
  const sign = sort.isDescending ? -1 : 1
  const compare = sort.by === 'place' ? byText(placeNameOf) : COMPARES[sort.by]
  return () => (left, right) => sign * compare(left, right) || byPosition(left, right)
}

/** Whether numbers alone may change the order. */
export function isSortedByNumbers(sort: Sort): boolean {
  return sort !== null && NUMBERS.has(sort.by)
}

/** The next sort order after a click on a column's head: one direction, the other, then none. Pure. */
export function nextSort(sort: Sort, by: SortColumn): Sort {
  const first = LARGEST_FIRST.has(by)
  if (sort?.by !== by) return { by, isDescending: first }
  return sort.isDescending === first ? { by, isDescending: !first } : null
}

const NUMBERS: ReadonlySet<SortColumn> = new Set(['progress', 'speed', 'left', 'size'])
const LARGEST_FIRST: ReadonlySet<SortColumn> = new Set(['progress', 'speed', 'size', 'added'])

const COMPARES: Readonly<Record<Exclude<SortColumn, 'place'>, Compare>> = {
  name: byText(({ name }) => name),
  progress: (left, right) => shareOf(left) - shareOf(right),
  speed: (left, right) => left.bytesPerSecond - right.bytesPerSecond,
  left: (left, right) => compareNumbers(left.etaSeconds ?? Infinity, right.etaSeconds ?? Infinity),
  size: (left, right) => (left.sizeBytes ?? -1) - (right.sizeBytes ?? -1),
  added: (left, right) => left.createdAtMs - right.createdAtMs,
}

function byText(textOf: (row: TransferRow) => string): Compare {
  return (left, right) => compareNames(textOf(left), textOf(right))
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
