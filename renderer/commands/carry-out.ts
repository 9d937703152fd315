// What the commands of the menu bar and the shortcuts do.

import type { MenuCommand, NamedCommand } from '../../shared/ipc/menu-commands.ts'
import { COLUMNS, SORT_COLUMNS } from '../../shared/transfer/queue-view.ts'
import { GROUPS } from '../../shared/transfer/transfer-group.ts'
import { FILTER_FIELD_ID, OBJECT_FILTER_ID } from '../actions/field-ids.ts'
import { exportPlaces, importPlaces } from '../actions/place-files.ts'
import { clearDone } from '../actions/rows/remove-rows.ts'
import { undoRemoval } from '../actions/rows/take-off.ts'
import { pauseAll, resumeAll } from '../actions/transfer-actions.ts'
import { chooseAndUpload, chooseAndUploadFolder } from '../actions/upload-actions.ts'
import { openUnfinished } from '../actions/uploaded.ts'
import { appStore, currentPlace, loadApp, placeById } from '../state/app-store.ts'
import { browser, openPlace, shownLocation } from '../state/browse-store.ts'
import { refresh } from '../state/objects/object-list.ts'
import { hasSheet, openDialog } from '../state/ui/open-dialogs.ts'
import { setFilter, setSort, toggleColumn, toggleCompact } from '../state/ui/list-view.ts'
import { toggleInspector } from '../state/ui/panes.ts'
import { run } from '../state/ui/messages.ts'
import { uiStore } from '../state/ui/ui-store.ts'
import { shownSelection } from '../state/shown-ids.ts'
import { doToRows, isRowCommand, type RowCommand } from './row-commands.ts'

/** Carries out a command of the menu bar. None works while a sheet is open. */
export function carryOutOfMenu(command: MenuCommand): void {
  if (hasSheet(uiStore.getState())) return
  if (command === 'undo') undoUnlessTyped()
  else if (isOfPlace(command)) showPlace(command.slice('place:'.length))
  else carryOut(command)
}

/** Carries out a command of the menu bar or a shortcut; a command about transfers acts on the selection. */
export function carryOut(command: NamedCommand): void {
  if (isBrowsing() && command === 'retry') return refresh(browser)
  if (!isRowCommand(command)) return OTHERS[command]()
  // While a place is shown, the selected transfers can't be seen.
  if (!isBrowsing()) doToRows(command, shownSelection())
}

const OTHERS: Readonly<Record<Exclude<NamedCommand, RowCommand>, () => void>> = {
  upload: chooseAndUpload,
  'upload-folder': chooseAndUploadFolder,
  download: () => openDialog({ kind: 'download', text: null }),
  'pause-all': pauseAll,
  'resume-all': resumeAll,
  'clear-done': clearDone,
  refresh: () => {
    if (isBrowsing()) refresh(browser)
  },
  find: () => document.getElementById(isBrowsing() ? OBJECT_FILTER_ID : FILTER_FIELD_ID)?.focus(),
  'compact-rows': toggleCompact,
  'toggle-inspector': toggleInspector,
  'unfinished-uploads': showUnfinished,
  'import-places': importPlaces,
  'export-places': exportPlaces,
  'add-place': () => openDialog({ kind: 'add-place' }),
  settings: () => openDialog({ kind: 'settings' }),
  shortcuts: () => openDialog({ kind: 'shortcuts' }),
  'save-report': () => openDialog({ kind: 'report' }),
  about: () => openDialog({ kind: 'about' }),
  'filter:all': () => setFilter('all'),
  'sort:none': () => setSort(null),
  ...forEach(GROUPS, (group) => [`filter:${group}`, () => setFilter(group)]),
  ...forEach(SORT_COLUMNS, (column) => [`sort:${column}`, () => setSort(column)]),
  ...forEach(COLUMNS, (column) => [`column:${column}`, () => toggleColumn(column)]),
}

function forEach<From extends string, Name extends string>(
  names: readonly From[],
  toEntry: (name: From) => readonly [Name, () => void],
): Record<Name, () => void> {
  return Object.fromEntries(names.map(toEntry)) as Record<Name, () => void>
}

function isOfPlace(command: MenuCommand): command is Exclude<MenuCommand, NamedCommand | 'undo'> {
  return command.startsWith('place:')
}

/** Whether undo belongs to what was typed here. */
export function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
}

/** In a field, main has undone what was typed. */
function undoUnlessTyped(): void {
  if (!isField(document.activeElement)) undoRemoval()
}

function showPlace(id: string): void {
  const place = placeById(appStore.getState(), id)
  if (place !== null) openPlace(place)
}

function showUnfinished(): void {
  run(
    loadApp().then(() => {
      const place = currentPlace(appStore.getState())
      if (place === null) openDialog({ kind: 'add-place' })
      else openUnfinished(place, shownLocation()?.bucket ?? place.bucket)
    }),
  )
}

function isBrowsing(): boolean {
  return uiStore.getState().view === 'browse'
}
