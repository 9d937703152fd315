// Selects and shows the rows that one user action adds together, however far apart they arrive.

import type { TransferId, TransferRow } from '../../shared/transfer/transfer.ts'
import { revealRows } from './ui/row-selection.ts'
import { uiStore } from './ui/ui-store.ts'

/** Whether something was pressed, dropped or chosen since rows were last shown, so that the next rows are new. */
let isNewAct = true

/** Notes that something was pressed, dropped or chosen: the rows that it adds replace the present selection. */
export function beginAct(): void {
  isNewAct = true
}

/** Selects rows in addition to those that the same action has shown already, and shows them even if filtered out. */
export function revealTogether(ids: readonly TransferId[]): void {
  revealRows([...selectedByAct(), ...ids])
}

/**
 * Selects rows that were just added and brings them into view, even if a filter hides them. While a place is shown, it
 * only selects them. Rows created before `sinceMs` (epoch milliseconds) belong to an earlier window.
 */
export function createAddedRevealer(sinceMs: number): (added: readonly TransferRow[]) => void {
  return (added) => {
    const ids = added.filter(({ createdAtMs }) => createdAtMs >= sinceMs).map(({ id }) => id)
    const [first] = ids
    if (first === undefined) return
    const isMore = !isNewAct
    const selection = new Set([...selectedByAct(), ...ids])
    if (isMore) uiStore.setState({ selection })
    else if (uiStore.getState().view === 'queue') revealRows(ids)
    else uiStore.setState({ selection, anchorId: first, focusedId: first, revealedId: first })
  }
}

function selectedByAct(): Iterable<TransferId> {
  const selected = isNewAct ? [] : uiStore.getState().selection
  isNewAct = false
  return selected
}
