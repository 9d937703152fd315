import type { KeyboardEvent } from 'react'
import type { TransferId } from '../../shared/transfer/transfer.ts'
import { openFile } from '../actions/folder-files.ts'
import { askToCancel, removeRows } from '../actions/rows/remove-rows.ts'
import { perform } from '../actions/transfer-actions.ts'
import { doToRows, mainActionOf, pressMain } from '../commands/row-commands.ts'
import { LIST_KEYS } from '../commands/shortcuts.ts'
import { toggleFolder } from '../state/open-folders.ts'
import { fileOfKey } from '../state/queue/list-layout.ts'
import { liveRow } from '../state/queue/queue-store.ts'
import { selectedFor } from '../state/selectors.ts'
import { shownSelection } from '../state/shown-ids.ts'
import { selectOnly } from '../state/ui/row-selection.ts'
import { uiStore } from '../state/ui/ui-store.ts'
import { inTable } from '../ui/shortcut.ts'

/**
 * Carries out a key on the selected rows. A key that is held down counts once, or it would stop what it just started
 * and remove row after row; only moving rows up and down repeats. @returns whether the key does anything
 */
export function actByKey(event: KeyboardEvent, id: TransferId): boolean {
  const does = inTable(LIST_KEYS, event.nativeEvent)
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
      return () => pressMain(id, shownSelection())
    case 'cancel':
      return discardOrRemove
    case 'start-now':
    case 'open':
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

/**
 * What a double click on a line does: it opens or closes a folder, and otherwise does what Return does. It neither
 * pauses nor removes, because whoever double-clicks wants to see more.
 */
export function openLine(key: TransferId): void {
  const file = fileOfKey(key)
  if (file !== null) return openFile(file.id, file.number)
  if (liveRow(key)?.items != null) return toggleFolder(key)
  const main = mainActionOf(key)
  if (main?.action !== 'pause' && main?.action !== 'remove') pressMain(key)
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

/** Cancels rows, or, if there is nothing to discard, only removes them from the list. */
function discardOrRemove(): void {
  const cancelable = selectedFor('cancel')
  if (cancelable.length > 0) askToCancel(cancelable)
  else removeRows(selectedFor('remove'))
}
