import type { KeyboardEvent } from 'react'
import type { TransferId } from '../../shared/transfer/transfer.ts'
import { errorContext, placeNameOf } from '../words/row-words.ts'
import { moveRows } from '../actions/move-rows.ts'
import { askToCancel, removeRows } from '../actions/remove-rows.ts'
import { perform } from '../actions/transfer-actions.ts'
import { appStore, placeById } from '../state/app-store.ts'
import { liveRow } from '../state/queue-store.ts'
import { primaryAction } from '../state/row-actions.ts'
import { selectedFor } from '../state/selectors.ts'
import { selectOnly, uiStore } from '../state/ui-store.ts'

/** What a key does with the selected rows. @returns whether it does anything. */
export function actByKey(event: KeyboardEvent, id: TransferId): boolean {
  const { selection } = uiStore.getState()
  if (event.altKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
    if (!selection.has(id)) selectOnly(id)
    const isUp = event.key === 'ArrowUp'
    moveRows(selectedFor('move'), event.shiftKey ? (isUp ? 'top' : 'bottom') : isUp ? 'up' : 'down')
    return true
  }
  const isCommand = event.ctrlKey || event.metaKey
  if (isCommand && event.key === 'Enter') {
    if (!selection.has(id)) selectOnly(id)
    perform('start-now', selectedFor('start-now'))
    return true
  }
  if (isCommand || event.altKey) return false
  if (!selection.has(id)) selectOnly(id)
  switch (event.key) {
    case ' ':
      // A key that is held down is one press: the second would stop what the first lets end.
      if (!event.repeat) pauseOrResume()
      return true
    case 'Enter':
      performPrimary(id)
      return true
    case 'Delete':
    case 'Backspace':
      removeSelection(event.shiftKey)
      return true
    default:
      return false
  }
}

/** Pauses what can pause; when nothing can, resumes. */
function pauseOrResume(): void {
  const pausable = selectedFor('pause')
  if (pausable.length > 0) perform('pause', pausable)
  else perform('resume', selectedFor('resume'))
}

function performPrimary(id: TransferId): void {
  const row = liveRow(id)
  if (row === undefined) return
  const place = placeById(appStore.getState(), row.placeId)
  const primary = primaryAction(row, errorContext(row, placeNameOf(row, place)))
  if (primary?.enabled) perform(primary.action, [id])
}

/** Takes rows off the list; asks what is to become of what unfinished ones have. */
function removeSelection(withDiscard: boolean): void {
  const cancelable = selectedFor('cancel')
  if (withDiscard && cancelable.length > 0) askToCancel(cancelable)
  else removeRows(selectedFor('remove'))
}
