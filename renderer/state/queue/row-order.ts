import { firstIndex } from '../../../shared/first-index.ts'
import type { TransferGroup } from '../../../shared/transfer/transfer-group.ts'
import type { TransferId, TransferRow } from '../../../shared/transfer/transfer.ts'

export type Compare = (left: TransferRow, right: TransferRow) => number

/** Where a row is to be shown, if at all. */
export interface Placement {
  readonly id: TransferId
  /** Null: the row is no longer shown. */
  readonly to: { readonly row: TransferRow; readonly group: TransferGroup } | null
}

/** The shown rows by group, each group in order. */
export interface RowOrder {
  /** Puts rows where they belong. @returns whether any appeared, disappeared or moved */
  place(placements: readonly Placement[]): boolean
  /** A new array whenever it changes. */
  ids(group: TransferGroup): readonly TransferId[]
  /** The group that a row is shown in; null: it is not shown. */
  groupOf(id: TransferId): TransferGroup | null
  /** The index of a row in its group, from 0; -1: it is not shown. */
  indexOf(id: TransferId): number
}

/** More rows than this are merged in one pass instead of one by one. */
const FEW = 32

interface Placed {
  readonly row: TransferRow
  readonly group: TransferGroup
}

/**
 * Kept up to date row by row, so that a change among 100,000 rows costs what the changed rows cost. `compareIn` must
 * tell any two rows apart.
 */
export function createRowOrder(compareIn: (group: TransferGroup) => Compare): RowOrder {
  const placed = new Map<TransferId, Placed>()
  const groups = new Map<TransferGroup, readonly TransferId[]>()
  const idsOf = (group: TransferGroup): readonly TransferId[] => groups.get(group) ?? []

  /** The index of a row, or where it belongs: before the first row that does not come before it. */
  function search(group: TransferGroup, row: TransferRow): number {
    const ids = idsOf(group)
    const compare = compareIn(group)
    return firstIndex(0, ids.length, (index) => {
      const other = placed.get(ids[index] ?? '')
      return other === undefined || compare(other.row, row) >= 0
    })
  }

  function isInPlace(group: TransferGroup, index: number, row: TransferRow): boolean {
    const rowAt = (at: number): TransferRow | undefined => placed.get(idsOf(group)[at] ?? '')?.row
    return isBetween(rowAt(index - 1), row, rowAt(index + 1), compareIn(group))
  }

  function placeOne({ id, to }: Placement): boolean {
    const before = placed.get(id)
    if (before === undefined && to === null) return false
    if (before !== undefined) {
      const index = search(before.group, before.row)
      if (to?.group === before.group && isInPlace(before.group, index, to.row)) {
        placed.set(id, to)
        return false
      }
      groups.set(before.group, idsOf(before.group).toSpliced(index, 1))
      placed.delete(id)
    }
    if (to !== null) {
      groups.set(to.group, idsOf(to.group).toSpliced(search(to.group, to.row), 0, id))
      placed.set(id, to)
    }
    return true
  }

  function placeMany(placements: readonly Placement[]): boolean {
    const changed = new Set(placements.map(({ id }) => id))
    const left = new Set(placements.map(({ id }) => placed.get(id)?.group))
    const touched = new Set([...left, ...placements.map(({ to }) => to?.group)])
    for (const { id, to } of placements) {
      if (to === null) placed.delete(id)
      else placed.set(id, to)
    }
    const latest = new Map(placements.map(({ id, to }) => [id, to]))
    for (const group of touched) {
      if (group === undefined) continue
      const compare = compareIn(group)
      const come = [...latest].filter(([, to]) => to?.group === group).map(([id]) => id)
      const order = idOrder((id) => placed.get(id)?.row, compare)
      const kept = left.has(group) ? idsOf(group).filter((id) => !changed.has(id)) : idsOf(group)
      groups.set(group, merge(kept, come.sort(order), order))
    }
    return placements.length > 0
  }

  return {
    place: (placements) =>
      placements.length > FEW ? placeMany(placements) : placements.map(placeOne).some((moved) => moved),
    ids: idsOf,
    groupOf: (id) => placed.get(id)?.group ?? null,
    indexOf: (id) => {
      const found = placed.get(id)
      return found === undefined ? -1 : search(found.group, found.row)
    },
  }
}

function isBetween(
  before: TransferRow | undefined,
  row: TransferRow,
  after: TransferRow | undefined,
  compare: Compare,
): boolean {
  return (before === undefined || compare(before, row) < 0) && (after === undefined || compare(row, after) < 0)
}

function idOrder(rowOf: (id: TransferId) => TransferRow | undefined, compare: Compare) {
  return (left: TransferId, right: TransferId): number => {
    const [a, b] = [rowOf(left), rowOf(right)]
    return a === undefined || b === undefined ? 0 : compare(a, b)
  }
}

/** Merges two ordered lists. A few rows among many cost only their own comparisons. */
function merge<T>(left: readonly T[], right: readonly T[], compare: (a: T, b: T) => number): readonly T[] {
  const merged: T[] = []
  let from = 0
  for (const item of right) {
    const to = firstIndex(from, left.length, (index) => compare(item, left[index] as T) < 0)
    for (; from < to; from += 1) merged.push(left[from] as T)
    merged.push(item)
  }
  return merged.concat(left.slice(from))
}
