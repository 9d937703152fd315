// Large previews of files: those in a folder of a place, and finished ones on this computer.

import { isThere } from '../../shared/transfer/folder-file.ts'
import type { TransferId } from '../../shared/transfer/transfer.ts'
import { browser } from '../state/browse-store.ts'
import { fileKey } from '../state/queue/list-layout.ts'
import type { Entry } from '../state/objects/listing.ts'
import type { BrowseLocation } from '../state/objects/location.ts'
import { focusEntry, selectedEntries, selectOnlyEntry } from '../state/objects/selection.ts'
import { folderFile } from '../state/open-folders.ts'
import { liveRow } from '../state/queue/queue-store.ts'
import { canDo } from '../state/queue/row-actions.ts'
import { shownIds } from '../state/shown-ids.ts'
import { focusRow, selectOnly } from '../state/ui/row-selection.ts'
import { openDialog } from '../state/ui/open-dialogs.ts'
import { uiStore } from '../state/ui/ui-store.ts'
import type { PreviewedFile } from '../state/ui/dialog.ts'

/** Previews an object in the open folder. */
export function previewEntry(entry: Entry): void {
  const { location } = browser.store.getState()
  if (location !== null) openDialog({ kind: 'preview', file: objectOf(location, entry) })
}

/** Previews the file of a finished transfer. */
export function previewRow(id: TransferId): void {
  const file = rowFile(id)
  if (file !== null) openDialog({ kind: 'preview', file })
}

/** Previews a file of a folder transfer, if it is finished. */
export function previewFolderFile(id: TransferId, number: number): void {
  const file = doneFile(id, number)
  if (file !== null) openDialog({ kind: 'preview', file })
}

/** The next file of the list, or of the selection if that is several; null: there is none. */
export function nextFile(file: PreviewedFile, by: 1 | -1): PreviewedFile | null {
  if (file.kind === 'object') {
    const selected = selectedEntries(browser)
    const entries = (selected.length > 1 ? selected : browser.store.getState().listing.shown).filter(
      ({ kind }) => kind === 'object',
    )
    const at = entries.findIndex(({ key }) => key === file.entry.key)
    const next = at < 0 ? undefined : entries[at + by]
    return next === undefined ? null : objectOf(file.location, next)
  }
  if (file.number !== null) return doneFile(file.id, file.number + by)
  const { selection } = uiStore.getState()
  const ids = shownIds().filter((id) => (selection.size < 2 || selection.has(id)) && rowFile(id) !== null)
  const at = ids.indexOf(file.id)
  const next = at < 0 ? undefined : ids[at + by]
  return next === undefined ? null : rowFile(next)
}

/** Moves the focus to the file's row, and the selection as well unless several rows are selected. */
export function focusFile(file: PreviewedFile): void {
  if (file.kind === 'object') {
    if (selectedEntries(browser).length > 1) focusEntry(browser, file.entry.key)
    else selectOnlyEntry(browser, file.entry)
  } else if (file.number !== null) {
    focusRow(fileKey(file.id, file.number))
  } else if (uiStore.getState().selection.size > 1) {
    focusRow(file.id)
  } else {
    selectOnly(file.id)
  }
}

function objectOf(location: BrowseLocation, entry: Entry): PreviewedFile {
  return { kind: 'object', location, entry, name: entry.name, sizeBytes: entry.sizeBytes }
}

function rowFile(id: TransferId): PreviewedFile | null {
  const row = liveRow(id)
  if (row === undefined || !canDo('preview', row)) return null
  return { kind: 'local', id, number: null, path: '', name: row.name, sizeBytes: row.sizeBytes ?? 0 }
}

function doneFile(id: TransferId, number: number): PreviewedFile | null {
  const file = number < 0 ? undefined : folderFile(id, number)
  if (file === undefined || !isThere(file.state)) return null
  const { path, sizeBytes } = file
  return { kind: 'local', id, number, path, name: path.slice(path.lastIndexOf('/') + 1), sizeBytes }
}
