// The actions on selected objects and folders: which apply, and carrying them out.

import type { Conflict } from '../../shared/conflict.ts'
import { t } from '../../shared/language/translate.ts'
import { makesCopies } from '../../shared/place/place.ts'
import type { TransferPatch } from '../../shared/transfer/transfer-delta.ts'
import type { TransferRow } from '../../shared/transfer/transfer.ts'
import { visibleText } from '../../shared/visible-text.ts'
import { request } from '../bridge.ts'
import { appStore, downloadsFolderOf, placeById } from '../state/app-store.ts'
import { browser, noteFilled, noteFilling, noteLanded, shownLocation, type DraggedRows } from '../state/browse-store.ts'
import { folderEntry, type Entry } from '../state/objects/listing.ts'
import { prefixAbove, type BrowseLocation } from '../state/objects/location.ts'
import { openAround, openEntry, type ObjectListState } from '../state/objects/object-list.ts'
import { selectedEntries, selectOnlyEntry } from '../state/objects/selection.ts'
import { addTogether } from '../state/queue/adding.ts'
import { liveRow } from '../state/queue/queue-store.ts'
import { openDialog } from '../state/ui/open-dialogs.ts'
import { run, showToast } from '../state/ui/messages.ts'
import { showInspector } from '../state/ui/panes.ts'
import { previewEntry } from './preview-files.ts'
import { download, tellOfAdded } from './report.ts'

/** What a person can have done with the selected lines of the browser. */
export type EntryAction =
  'open' | 'preview' | 'reveal' | 'download' | 'properties' | 'link' | 'copy-key' | 'rename' | 'move' | 'delete'

/** Whether an action applies to these lines. Pure. */
export function canDoWith(action: EntryAction, entries: readonly Entry[]): boolean {
  const [first] = entries
  if (first === undefined) return false
  const isOne = entries.length === 1
  switch (action) {
    case 'open':
      return isOne && first.kind !== 'object'
    case 'reveal':
      // Only search results from subfolders have slashes in their names.
      return isOne && first.kind === 'object' && first.name.includes('/')
    case 'preview':
    case 'link':
      return isOne && first.kind === 'object'
    case 'rename':
      return isOne && first.kind !== 'bucket'
    case 'copy-key':
    case 'properties':
      return true
    default:
      return first.kind !== 'bucket'
  }
}

export function performOn(action: EntryAction, entries: readonly Entry[] = selectedEntries(browser)): void {
  const { location } = browser.store.getState()
  const [entry] = entries
  if (location === null || entry === undefined || !canDoWith(action, entries)) return
  switch (action) {
    case 'open':
      return openEntry(browser, entry)
    case 'preview':
      return previewEntry(entry)
    case 'reveal':
      return openAround(browser, entry.key)
    case 'download':
      return openDialog({ kind: 'download-picked', location, entries })
    case 'properties':
      return showInspector()
    case 'link':
      return openDialog({ kind: 'link', location, entry })
    case 'rename':
      return hasAction(action, location) ? openDialog({ kind: 'rename', location, entry }) : sayNoCopies(location)
    case 'move':
      return openDialog({ kind: 'move', location, entries })
    case 'delete':
      return openDialog({ kind: 'delete', location, entries })
    case 'copy-key':
      return run(copyKeys(entries))
  }
}

/** Whether the place of a location has an action: where the service makes no copies, nothing moves. */
export function hasAction(action: EntryAction, { placeId }: Pick<BrowseLocation, 'placeId'>): boolean {
  const place = placeById(appStore.getState(), placeId)
  return (action !== 'rename' && action !== 'move') || (place !== null && makesCopies(place))
}

function sayNoCopies({ placeId }: BrowseLocation): void {
  const place = placeById(appStore.getState(), placeId)?.name ?? ''
  showToast(() => t('services.object.cant-move', { place }))
}

/**
 * The open folder as a line of the folder around it. Null where that is not what a person sees: in a whole bucket, which
 * has no name for a folder on the disk, in the results of a search, behind a filter, and in an empty folder. Pure.
 */
export function openFolderOf({ location, listing, sought }: ObjectListState): Entry | null {
  if (location === null || location.prefix === '' || sought !== null || listing.search !== '') return null
  if (listing.state === 'listed' && listing.entries.length === 0) return null
  return folderEntry(location.prefix, prefixAbove(location.prefix))
}

export function downloadOpenFolder(): void {
  const state = browser.store.getState()
  const folder = openFolderOf(state)
  if (state.location === null || folder === null) return
  const location = { ...state.location, prefix: prefixAbove(folder.key) }
  openDialog({ kind: 'download-picked', location, entries: [folder] })
}

async function copyKeys(entries: readonly Entry[]): Promise<void> {
  await request('clipboard:write', { text: entries.map(({ key }) => key).join('\n') })
  showToast(() => t('commands.paths-copied', { count: entries.length }))
}

export function askForFolder(): void {
  const location = shownLocation()
  if (location !== null) openDialog({ kind: 'new-folder', location })
}

/** Makes a folder, which is an empty object whose key ends in a slash. Throws RequestError. */
export async function makeFolder({ placeId, bucket, prefix }: BrowseLocation, name: string): Promise<void> {
  await request('objects:make-folder', { placeId, bucket, prefix: `${prefix}${name}/` })
  // A name with slashes makes nested folders, of which the outermost is in this one.
  const folder = folderEntry(`${prefix}${name.split('/', 1).join('')}/`, prefix)
  noteLanded({ placeId, bucket }, (around) => (around === prefix ? folder : null))
  selectOnlyEntry(browser, folder)
}

/** Where picked downloads are saved, and what to do with files that exist there. */
export interface Saving {
  readonly directory: string
  readonly onConflict: Conflict
}

/** How many downloads are added at a time, so that the first needn't wait until the last is stored. */
const ADDED_AT_A_TIME = 5000

/** Follows the adding of downloads, and can stop it. */
interface Watcher {
  /** Told how many of the lines have been added. */
  readonly tell: (count: number) => void
  /** Once it is aborted, no more are added. */
  readonly signal: AbortSignal
}

/** Adds downloads of objects and folders to the queue. Throws RequestError. */
export function downloadPicked(
  { placeId, bucket }: BrowseLocation,
  entries: readonly Entry[],
  saving: Saving,
  watcher?: Watcher,
): Promise<void> {
  return addTogether(async () => {
    let added = 0
    let count = 0
    while (count < entries.length && watcher?.signal.aborted !== true) {
      const some = entries.slice(count, count + ADDED_AT_A_TIME)
      const [keys, prefixes] = [keysOf(some, 'object'), keysOf(some, 'folder')]
      if (keys.length > 0) added += await download({ source: { kind: 'objects', placeId, bucket, keys }, ...saving })
      if (prefixes.length > 0)
        added += await download({ source: { kind: 'folders', placeId, bucket, prefixes }, ...saving })
      count += some.length
      watcher?.tell(count)
    }
    if (added === count) tellOfAdded(added)
  })
}

/** Downloads the dragged lines to the downloads folder. */
export function downloadDragged({ location, entries }: DraggedRows): void {
  const directory = downloadsFolderOf(appStore.getState(), location.placeId)
  run(downloadPicked(location, entries, { directory, onConflict: 'keep-both' }))
}

export function keysOf(entries: readonly Entry[], kind: Entry['kind']): readonly string[] {
  return entries.filter((entry) => entry.kind === kind).map(({ key }) => key)
}

/** Shows what folder uploads have made so far, if the folder is open. */
export function showFilling(patched: readonly TransferPatch[], nowMs: number): void {
  for (const { id, items } of patched) {
    const row = items == null || items.done === 0 ? undefined : liveRow(id)
    if (row?.direction !== 'upload' || row.placeId === null) continue
    noteFilling({ placeId: row.placeId, bucket: row.bucket, prefix: row.key }, nowMs)
  }
}

/** Shows what a finished upload made, if its folder is open. Even a folder upload that failed has made something. */
export function showUploaded(row: TransferRow): void {
  const { placeId, bucket, key, sizeBytes } = row
  if (placeId === null || row.direction !== 'upload') return
  if (row.items != null) return noteFilled({ placeId, bucket, prefix: key })
  if (row.status !== 'completed') return
  noteLanded({ placeId, bucket }, (prefix) => {
    if (!key.startsWith(prefix)) return null
    const slash = key.indexOf('/', prefix.length)
    if (slash >= 0) return folderEntry(key.slice(0, slash + 1), prefix)
    const name = visibleText(key.slice(prefix.length))
    return { kind: 'object', key, name, sizeBytes: sizeBytes ?? 0, modifiedMs: Date.now(), etag: '' }
  })
}
