// Rows that one act adds are selected and shown together, however far apart they come.

import type { TransferId, TransferRow } from '../../shared/transfer/transfer.ts'
import { revealRows } from './ui/row-selection.ts'
import { uiStore } from './ui/ui-store.ts'

/** Whether something was pressed, dropped or chosen since rows were last shown: the next are not of the same act. */
let isNewAct = true

/** Notes that something was pressed, dropped or chosen: the rows that it adds are selected without those before them. */
export function beginAct(): void {
  isNewAct = true
}

/** Selects rows of the present act beside those that it has shown already, and shows them even from behind a filter. */
export function revealTogether(ids: readonly TransferId[]): void {
  revealRows([...selectedByAct(), ...ids])
}

/**
 * Selects what was just added and brings it into view, even from behind a filter; while a place is shown it is selected
 * only. Rows that were made before `sinceMs` (epoch milliseconds) are of an earlier window.
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
