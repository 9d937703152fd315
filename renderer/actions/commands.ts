// What a command of the menu bar or of a shortcut does, by what has the focus.

import { assertNever } from '../../shared/assert.ts'
import type { MenuCommand } from '../../shared/ipc/ipc-contract.ts'
import type { TransferId } from '../../shared/transfer/transfer.ts'
import { appStore, currentPlace } from '../state/app-store.ts'
import { openPlace, refresh, shownLocation } from '../state/browse-store.ts'
import { selectedFor } from '../state/selectors.ts'
import { openDialog, toggleInspector, uiStore } from '../state/ui-store.ts'
import { performOn } from './browse-actions.ts'
import { copyDetails } from './copy-details.ts'
import { FILTER_FIELD_ID, OBJECT_FILTER_ID } from './field-ids.ts'
import { moveRows } from './move-rows.ts'
import { clearDone, removeRows } from './remove-rows.ts'
import { pauseAll, perform, resumeAll } from './transfer-actions.ts'
import { chooseAndUpload, chooseAndUploadFolder } from './upload-actions.ts'

/** A command of the menu bar. None reaches what lies behind a sheet. */
export function carryOutOfMenu(command: MenuCommand): void {
  if (uiStore.getState().dialog.kind === 'none') carryOut(command)
}

/** Carries out a command of the menu bar or of a shortcut, on the selection where it is about transfers. */
export function carryOut(command: MenuCommand): void {
  switch (command) {
    case 'upload':
      return chooseAndUpload()
    case 'upload-folder':
      return chooseAndUploadFolder()
    case 'download':
      return openDialog({ kind: 'download', text: null })
    case 'pause-all':
      return pauseAll()
    case 'resume-all':
      return resumeAll()
    case 'retry':
      return isBrowsing() ? refresh() : perform(command, selectedFor(command))
    case 'pause':
    case 'resume':
    case 'limit':
    case 'start-now':
      return perform(command, selectedFor(command))
    case 'move-top':
      return moveRows(selectedFor('move'), 'top')
    case 'move-up':
      return moveRows(selectedFor('move'), 'up')
    case 'move-down':
      return moveRows(selectedFor('move'), 'down')
    case 'move-bottom':
      return moveRows(selectedFor('move'), 'bottom')
    case 'relink':
      return perform('relink', onlyOne(selectedFor('relink')))
    case 'remove':
      return removeRows(selectedFor('remove'))
    case 'clear-done':
      return clearDone()
    case 'find':
      return document.getElementById(isBrowsing() ? OBJECT_FILTER_ID : FILTER_FIELD_ID)?.focus()
    case 'toggle-inspector':
      return isBrowsing() ? performOn('properties') : toggleInspector()
    case 'copy-details':
      return copyDetails([...uiStore.getState().selection])
    case 'unfinished-uploads':
      return showUnfinished()
    case 'add-place':
      return openDialog({ kind: 'add-place' })
    case 'settings':
      return openDialog({ kind: 'settings' })
    default:
      return assertNever(command)
  }
}

function showUnfinished(): void {
  const place = currentPlace(appStore.getState())
  const bucket = shownLocation()?.bucket ?? place?.bucket ?? ''
  if (place === null) openDialog({ kind: 'add-place' })
  else if (bucket === '') openPlace(place)
  else openDialog({ kind: 'unfinished', place, bucket })
}

function isBrowsing(): boolean {
  return uiStore.getState().view === 'browse'
}

/** A link is for one transfer: with several there is no telling for which. */
function onlyOne(ids: readonly TransferId[]): readonly TransferId[] {
  return ids.length === 1 ? ids : []
}
