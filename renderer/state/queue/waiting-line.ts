import { useStore } from 'zustand'
import type { TransferId } from '../../../shared/transfer/transfer.ts'
import { liveRow, onRowChanges, queueStore } from './queue-store.ts'
import { createRowOrder, type Placement } from './row-order.ts'
import { comparatorOf } from './sorting.ts'

let line = createRowOrder(comparatorOf(null))

/** The number of queued transfers ahead of this one. */
export function useQueuedAhead(id: TransferId): number {
  return useStore(queueStore, () => Math.max(0, line.indexOf(id)))
}

/** Keeps track of queued transfers, whatever the list shows. Returns a function that stops this. */
export function connectWaitingLine(): () => void {
  function placementOf(id: TransferId): Placement {
    const row = liveRow(id)
    return { id, to: row?.status === 'queued' ? { row, group: 'waiting' } : null }
  }

  return onRowChanges((changes) => {
    if (changes === 'all') {
      line = createRowOrder(comparatorOf(null))
      line.place(queueStore.getState().order.map(placementOf))
    } else if (changes.kind === 'reworded') {
      line.place(changes.ids.map(placementOf))
    }
  })
}
