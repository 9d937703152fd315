// Folder transfers that are expanded in the list, and the files of theirs that are in view.

import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { FolderFile } from '../../shared/transfer/folder-file.ts'
import type { TransferId } from '../../shared/transfer/transfer.ts'
import { request } from '../bridge.ts'
import { fileOfKey } from './queue/list-layout.ts'
import { liveRow, onRowChanges } from './queue/queue-store.ts'
import { focusRow } from './ui/row-selection.ts'
import { uiStore } from './ui/ui-store.ts'

/** How many files are requested at a time. */
const PAGE_FILES = 100
/** How many pages of a folder are kept. */
const MAX_PAGES = 20
/** Files in view are requested again at most this often while they change, milliseconds. */
const REFRESH_MS = 300

interface OpenFolder {
  /** How many files are known. */
  total: number
  /** Pages by number, the most recently viewed last. */
  readonly pages: Map<number, readonly FolderFile[]>
  /** The numbers of pages that are up to date. */
  readonly fresh: Set<number>
  readonly asked: Set<number>
  seen: readonly number[]
}

/** Mutable and hidden in this module, like the rows. A new revision marks every change. */
const folders = new Map<TransferId, OpenFolder>()
let refreshTimer: ReturnType<typeof setTimeout> | null = null

export const openFoldersStore = createStore<{
  readonly revision: number
  /** The number of files of each folder; a new map whenever it changes. */
  readonly totals: ReadonlyMap<TransferId, number>
}>(() => ({ revision: 0, totals: new Map() }))

/** Expands or collapses the row of a folder transfer. */
export function toggleFolder(id: TransferId): void {
  if (folders.delete(id)) {
    const { focusedId } = uiStore.getState()
    // If one of its files had focus, the row gets it.
    if (focusedId !== null && fileOfKey(focusedId)?.id === id) focusRow(id)
    return publish()
  }
  if (liveRow(id)?.items == null) return
  folders.set(id, { total: 0, pages: new Map(), fresh: new Set(), asked: new Set(), seen: [0] })
  publish()
  ask(id)
}

export function isFolderOpen(id: TransferId): boolean {
  return folders.has(id)
}

export function useIsFolderOpen(id: TransferId): boolean {
  return useStore(openFoldersStore, ({ totals }) => totals.has(id))
}

/** A file of a folder transfer; undefined until it has arrived. */
export function useFolderFile(id: TransferId, number: number): FolderFile | undefined {
  return useStore(openFoldersStore, () => folderFile(id, number))
}

export function folderFile(id: TransferId, number: number): FolderFile | undefined {
  return folders.get(id)?.pages.get(Math.floor(number / PAGE_FILES))?.[number % PAGE_FILES]
}

/**
 * Sets which files are needed, by folder: those in view, and the focused one, which may be far away. None are needed of
 * a folder that is left out.
 */
export function lookAtFiles(numbers: ReadonlyMap<TransferId, readonly number[]>): void {
  for (const [id, folder] of folders) {
    folder.seen = [...new Set((numbers.get(id) ?? []).map((number) => Math.floor(number / PAGE_FILES)))]
    ask(id)
  }
}

/** Requests the files in view again whenever their folder's row changes. Returns a function that stops this. */
export function connectOpenFolders(): () => void {
  return onRowChanges((changes) => {
    if (folders.size === 0) return
    const gone = [...folders.keys()].filter((id) => liveRow(id)?.items == null)
    for (const id of gone) folders.delete(id)
    if (gone.length > 0) publish()
    for (const id of changes === 'all' ? folders.keys() : changes.ids) folders.get(id)?.fresh.clear()
    askSoon()
  })
}

function askSoon(): void {
  refreshTimer ??= setTimeout(() => {
    refreshTimer = null
    for (const id of folders.keys()) ask(id)
  }, REFRESH_MS)
}

function ask(id: TransferId): void {
  const folder = folders.get(id)
  if (folder === undefined) return
  for (const page of folder.seen) {
    if (folder.fresh.has(page) || folder.asked.has(page)) continue
    folder.asked.add(page)
    folder.fresh.add(page)
    // A refusal means that the row is gone or the app is quitting, so there is nothing to show.
    void fetchPage(id, folder, page)
      .catch(() => undefined)
      .then(() => {
        folder.asked.delete(page)
        // The folder changed meanwhile.
        if (!folder.fresh.has(page)) askSoon()
      })
  }
}

async function fetchPage(id: TransferId, folder: OpenFolder, page: number): Promise<void> {
  const files: FolderFile[] = []
  let total = 0
  // With long paths, a page takes several messages.
  do {
    const first = page * PAGE_FILES + files.length
    const found = await request('folder-files:list', { id, first, count: PAGE_FILES - files.length })
    files.push(...found.files)
    total = found.total
    if (found.files.length === 0) break
  } while (files.length < PAGE_FILES && page * PAGE_FILES + files.length < total)
  const before = folder.pages.get(page) ?? []
  folder.pages.delete(page)
  folder.pages.set(
    page,
    files.map((file, nth) => sameOr(file, before[nth])),
  )
  for (const old of [...folder.pages.keys()].slice(0, -MAX_PAGES)) {
    folder.pages.delete(old)
    folder.fresh.delete(old)
  }
  folder.total = total
  if (folders.get(id) === folder) publish()
}

/** Returns the earlier object if nothing has changed, so that its row is not redrawn. */
function sameOr(file: FolderFile, before: FolderFile | undefined): FolderFile {
  const isSame =
    before?.path === file.path &&
    before.state === file.state &&
    before.sizeBytes === file.sizeBytes &&
    before.error?.code === file.error?.code
  return isSame ? before : file
}

function publish(): void {
  openFoldersStore.setState(({ revision, totals }) => {
    const isSame = totals.size === folders.size && [...folders].every(([id, { total }]) => totals.get(id) === total)
    const now = isSame ? totals : new Map([...folders].map(([id, { total }]) => [id, total]))
    return { revision: revision + 1, totals: now }
  })
}
