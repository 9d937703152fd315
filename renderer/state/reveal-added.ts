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

/** Rows that a person took off the list of this window. */
const takenOff = new Set<TransferId>()

/** Main can put back the latest removal, and about as many rows of earlier ones. */
const KEPT_ROWS = 10_000

/** Notes rows that a person takes off the list: if they come back, it is by Undo, whatever window they were added in. */
export function noteTakenOff(ids: readonly TransferId[]): void {
  if (takenOff.size > KEPT_ROWS) takenOff.clear()
  for (const id of ids) takenOff.add(id)
}

/**
 * Selects rows that were just added or brought back, and brings them into view, even if a filter hides them. While a
 * place is shown, it only selects them. Other rows created before `sinceMs` (epoch milliseconds) belong to an earlier
 * window.
 */
export function createAddedRevealer(sinceMs: number): (added: readonly TransferRow[]) => void {
  return (added) => {
    const isShown = ({ id, createdAtMs }: TransferRow): boolean => takenOff.delete(id) || createdAtMs >= sinceMs
    reveal(added.filter(isShown).map(({ id }) => id))
  }
}

function reveal(ids: readonly TransferId[]): void {
  const [first] = ids
  if (first === undefined) return
  const isMore = !isNewAct
  const selection = new Set([...selectedByAct(), ...ids])
  if (isMore) uiStore.setState({ selection })
  else if (uiStore.getState().view === 'queue') revealRows(ids)
  else uiStore.setState({ selection, anchorId: first, focusedId: first, revealedId: first })
}

function selectedByAct(): Iterable<TransferId> {
  const selected = isNewAct ? [] : uiStore.getState().selection
  isNewAct = false
  return selected
}
