import { assertNever } from '../shared/assert.ts'
import type { MenuCommand } from '../shared/ipc-contract.ts'
import type { TransferId } from '../shared/transfer.ts'
import { FILTER_FIELD_ID } from './queue/queue-toolbar.tsx'
import {
  chooseAndUpload,
  chooseAndUploadFolder,
  clearDone,
  pauseAll,
  perform,
  removeRows,
  resumeAll,
} from './actions.ts'
import { copyDetails } from './copy-details.ts'
import { appStore, currentPlace } from './state/app-store.ts'
import { selectedFor } from './state/selectors.ts'
import { openDialog, toggleInspector, uiStore } from './state/ui-store.ts'

/** Carries out a command of the menu bar or of a shortcut, on the selection where it is about transfers. */
export function carryOut(command: MenuCommand): void {
  switch (command) {
    case 'upload':
      return chooseAndUpload()
    case 'upload-folder':
      return chooseAndUploadFolder()
    case 'download':
      return openDialog({ kind: 'download', text: '' })
    case 'pause-all':
      return pauseAll()
    case 'resume-all':
      return resumeAll()
    case 'pause':
    case 'resume':
    case 'retry':
    case 'limit':
      return perform(command, selectedFor(command))
    case 'relink':
      return perform('relink', onlyOne(selectedFor('relink')))
    case 'remove':
      return removeRows(selectedFor('remove'))
    case 'clear-done':
      return clearDone()
    case 'find':
      return document.getElementById(FILTER_FIELD_ID)?.focus()
    case 'toggle-inspector':
      return toggleInspector()
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
  openDialog(place === null ? { kind: 'add-place' } : { kind: 'unfinished', place })
}

/** A link is for one transfer: with several there is no telling for which. */
function onlyOne(ids: readonly TransferId[]): readonly TransferId[] {
  return ids.length === 1 ? ids : []
}
