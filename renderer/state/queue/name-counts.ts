import { useStore } from 'zustand'
import type { TransferId } from '../../../shared/transfer/transfer.ts'
import { liveRow, onRowChanges, queueStore, type RowChanges } from './queue-store.ts'

const names = new Map<TransferId, string>()
const counts = new Map<string, number>()

/** Whether several transfers have this name. */
export function useIsNameShared(name: string): boolean {
  return useStore(queueStore, () => (counts.get(name) ?? 0) > 1)
}

/** Keeps count of the names. Returns a function that stops this. */
export function connectNameCounts(): () => void {
  function recount(id: TransferId): void {
    const [before, after] = [names.get(id), liveRow(id)?.name]
    if (before === after) return
    if (before !== undefined) add(before, -1)
    if (after !== undefined) add(after, 1)
    if (after === undefined) names.delete(id)
    else names.set(id, after)
  }

  return onRowChanges((changes: RowChanges) => {
    if (changes !== 'all') {
      if (changes.kind === 'reworded') changes.ids.forEach(recount)
      return
    }
    names.clear()
    counts.clear()
    queueStore.getState().order.forEach(recount)
  })
}

function add(name: string, difference: 1 | -1): void {
  const count = (counts.get(name) ?? 0) + difference
  if (count > 0) counts.set(name, count)
  else counts.delete(name)
}
