import type { KeyboardEvent } from 'react'
import type { TransferId } from '../../shared/transfer/transfer.ts'
import { actionContext } from '../words/row-words.ts'
import { askToCancel, removeRows } from '../actions/rows/remove-rows.ts'
import { perform } from '../actions/transfer-actions.ts'
import { doToRows } from '../commands/row-commands.ts'
import { keysOf, LIST_KEYS } from '../commands/shortcuts.ts'
import { appStore, placeById } from '../state/app-store.ts'
import { liveRow } from '../state/queue/queue-store.ts'
import { primaryAction } from '../state/queue/row-actions.ts'
import { selectedFor } from '../state/selectors.ts'
import { shownSelection } from '../state/shown-ids.ts'
import { selectOnly } from '../state/ui/row-selection.ts'
import { uiStore } from '../state/ui/ui-store.ts'

/**
 * Carries out a key on the selected rows. A key that is held down counts once, or it would stop what it just started
 * and remove row after row; only moving rows up and down repeats. @returns whether the key does anything
 */
export function actByKey(event: KeyboardEvent, id: TransferId): boolean {
  const does = LIST_KEYS[keysOf(event.nativeEvent)]
  const act = actionOf(does, id)
  if (act === null) return false
  if (event.repeat && does !== 'move-up' && does !== 'move-down') return true
  select(id)
  act()
  return true
}

function actionOf(does: (typeof LIST_KEYS)[string] | undefined, id: TransferId): (() => void) | null {
  switch (does) {
    case 'pause-or-resume':
      return () => pauseOrResume(id)
    case 'main-action':
      return () => performPrimary(id)
    case 'cancel':
      return discardOrRemove
    case 'start-now':
    case 'move-top':
    case 'move-up':
    case 'move-down':
    case 'move-bottom':
    case 'remove':
      return () => doToRows(does, shownSelection())
    default:
      return null
  }
}

function select(id: TransferId): void {
  if (!uiStore.getState().selection.has(id)) selectOnly(id)
}

/** Pauses the rows that can be paused; if there are none, resumes those that can; otherwise previews the file. */
function pauseOrResume(id: TransferId): void {
  const pausable = selectedFor('pause')
  const resumable = selectedFor('resume')
  if (pausable.length > 0) perform('pause', pausable)
  else if (resumable.length > 0) perform('resume', resumable)
  else doToRows('preview', [id])
}

function performPrimary(id: TransferId): void {
  const row = liveRow(id)
  if (row === undefined) return
  const place = placeById(appStore.getState(), row.placeId)
  const primary = primaryAction(row, actionContext(row, place))
  if (primary?.enabled) perform(primary.action, [id])
}

/** Cancels rows, or, if there is nothing to discard, only removes them from the list. */
function discardOrRemove(): void {
  const cancelable = selectedFor('cancel')
  if (cancelable.length > 0) askToCancel(cancelable)
  else removeRows(selectedFor('remove'))
}
