import { createStore } from 'zustand/vanilla'
import { groupOf } from '../../shared/transfer/transfer-group.ts'
import type { TransferId, TransferRow } from '../../shared/transfer/transfer.ts'
import { liveRow, queueStore } from './queue-store.ts'
import { uiStore, type Filter } from './ui-store.ts'

/** The ids that pass filter and search, in queue order: worked out once per change, not per render. */
export const shownStore = createStore<{ readonly ids: readonly TransferId[] }>(() => ({ ids: [] }))

export interface ShownQuery {
  readonly filter: Filter
  readonly search: string
  /** Rows that stay although they left the filter, because the pointer is on them or focus is in them. */
  readonly held: ReadonlySet<TransferId>
}

/** The ids of `order` that a query shows; `order` itself when it shows all. Pure. */
export function shownIds(
  order: readonly TransferId[],
  rowOf: (id: TransferId) => TransferRow | undefined,
  { filter, search, held }: ShownQuery,
): readonly TransferId[] {
  const words = search.trim().toLocaleLowerCase()
  if (filter === 'all' && words === '') return order
  return order.filter((id) => {
    const row = rowOf(id)
    if (row === undefined) return false
    const inGroup = filter === 'all' || groupOf(row.status) === filter || held.has(id)
    return inGroup && (words === '' || matches(row, words))
  })
}

function matches(row: TransferRow, words: string): boolean {
  return row.name.toLocaleLowerCase().includes(words) || row.key.toLocaleLowerCase().includes(words)
}

/** The row that focus goes to when its own row leaves: the one that took its position, or the last. Pure. */
export function successor(
  before: readonly TransferId[],
  after: readonly TransferId[],
  id: TransferId,
): TransferId | null {
  if (after.includes(id)) return id
  const index = before.indexOf(id)
  return after[Math.min(Math.max(index, 0), after.length - 1)] ?? null
}

/** Keeps `shownStore` up to date. Returns a function that stops it. */
export function connectShownIds(): () => void {
  function update(keepHeld: boolean): void {
    const { filter, search, focusedId, hoveredId } = uiStore.getState()
    const before = shownStore.getState().ids
    const held = new Set<TransferId>()
    for (const id of [focusedId, hoveredId]) if (keepHeld && id !== null && before.includes(id)) held.add(id)
    const ids = shownIds(queueStore.getState().order, liveRow, { filter, search, held })
    if (sameIds(ids, before)) return
    shownStore.setState({ ids })
    if (focusedId !== null) {
      const next = successor(before, ids, focusedId)
      if (next !== focusedId) uiStore.setState({ focusedId: next })
    }
  }

  const stopQueue = queueStore.subscribe((state, previous) => {
    if (state.wording !== previous.wording) update(true)
  })
  const stopUi = uiStore.subscribe((state, previous) => {
    if (state.filter !== previous.filter || state.search !== previous.search) update(false)
    else if (state.focusedId !== previous.focusedId || state.hoveredId !== previous.hoveredId) update(true)
  })
  update(false)
  return () => {
    stopQueue()
    stopUi()
  }
}

function sameIds(left: readonly TransferId[], right: readonly TransferId[]): boolean {
  return left === right || (left.length === right.length && left.every((id, index) => id === right[index]))
}
