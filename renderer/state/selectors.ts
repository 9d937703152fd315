// Hooks by which components read the stores, so that each redraws only for what it shows.

import { useStore } from 'zustand'
import type { QueueTotals } from '../../shared/transfer/transfer-delta.ts'
import type { TransferId, TransferRow } from '../../shared/transfer/transfer.ts'
import type { ListLayout } from './queue/list-layout.ts'
import { drawnRow, liveRow, queueStore } from './queue/queue-store.ts'
import { canDo, type RowAction } from './queue/row-actions.ts'
import { shownSelection, shownStore, type ShownState } from './shown-ids.ts'
import { uiStore, type UiState } from './ui/ui-store.ts'

export function useTransferRow(id: TransferId): TransferRow | undefined {
  return useStore(queueStore, () => drawnRow(id))
}

export function useListLayout(): ListLayout {
  return useStore(shownStore, (state) => state.layout)
}

export function useTotals(): QueueTotals {
  return useStore(queueStore, (state) => state.totals)
}

export function useConnected(): boolean {
  return useStore(queueStore, (state) => state.connected)
}

export function useQueueLength(): number {
  return useStore(queueStore, (state) => state.order.length)
}

/** Whether any transfer is a folder. */
export function useHasFolders(): boolean {
  return useStore(queueStore, ({ order }) => order.some((id) => liveRow(id)?.items != null))
}

/** `pick` must return a primitive or a stored reference. */
export function useUi<Picked>(pick: (state: UiState) => Picked): Picked {
  return useStore(uiStore, pick)
}

export function useIsSelected(id: TransferId): boolean {
  return useStore(uiStore, (state) => state.selection.has(id))
}

/** The selected transfers that no filter hides. */
export function useShownSelection(): ReadonlySet<TransferId> {
  return useStore(shownStore, (state) => state.selection)
}

/** The transfer that the inspector shows; null unless exactly one is selected. */
export function inspectedId({ selection }: Pick<ShownState, 'selection'>): TransferId | null {
  const [first, another] = selection
  return another === undefined ? (first ?? null) : null
}

/** The selected ids that an action applies to now. */
export function selectedFor(action: RowAction): readonly TransferId[] {
  return shownSelection().filter((id) => {
    const row = liveRow(id)
    return row !== undefined && canDo(action, row)
  })
}

/** How many selected transfers an action applies to. */
export function useSelectedCount(action: RowAction): number {
  const wording = useStore(queueStore, (state) => state.wording)
  const selection = useShownSelection()
  return countSelected(action, wording, selection)
}

const counted = new Map<RowAction, { wording: number; selection: ReadonlySet<TransferId>; count: number }>()

/** Cached, because with all of 10,000 rows selected, counting takes time. */
function countSelected(action: RowAction, wording: number, selection: ReadonlySet<TransferId>): number {
  const known = counted.get(action)
  if (known?.wording === wording && known.selection === selection) return known.count
  const count = selectedFor(action).length
  counted.set(action, { wording, selection, count })
  return count
}
