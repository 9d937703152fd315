// Folder transfers that are open in the list, and those of their files that are looked at.

import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { FolderFile } from '../../shared/transfer/folder-file.ts'
import type { TransferId } from '../../shared/transfer/transfer.ts'
import { request } from '../bridge.ts'
import { fileOfKey } from './queue/list-layout.ts'
import { liveRow, onRowChanges } from './queue/queue-store.ts'
import { focusRow } from './ui/row-selection.ts'
import { uiStore } from './ui/ui-store.ts'

/** Files that are asked for at a time. */
const PAGE_FILES = 100
/** Pages of a folder that are kept. */
const MAX_PAGES = 20
/** What is looked at is asked for anew at most this often while it changes. */
const REFRESH_MS = 300

interface OpenFolder {
  /** How many files are known. */
  total: number
  /** By number of the page, what was looked at last at the end. */
  readonly pages: Map<number, readonly FolderFile[]>
  /** Pages that tell what is true now. */
  readonly fresh: Set<number>
  readonly asked: Set<number>
  seen: readonly number[]
}

/** Mutable and hidden in this module, as the rows are; a new revision tells of every change. */
const folders = new Map<TransferId, OpenFolder>()
let refreshTimer: ReturnType<typeof setTimeout> | null = null

export const openFoldersStore = createStore<{
  readonly revision: number
  /** How many files each has; a new map when that changes. */
  readonly totals: ReadonlyMap<TransferId, number>
}>(() => ({ revision: 0, totals: new Map() }))

/** Opens or closes the row of a folder transfer. */
export function toggleFolder(id: TransferId): void {
  if (folders.delete(id)) {
    const { focusedId } = uiStore.getState()
    // Focus on one of its files goes back to it.
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

/** Undefined: it is not here yet. */
export function useFolderFile(id: TransferId, number: number): FolderFile | undefined {
  return useStore(openFoldersStore, () => folderFile(id, number))
}

export function folderFile(id: TransferId, number: number): FolderFile | undefined {
  return folders.get(id)?.pages.get(Math.floor(number / PAGE_FILES))?.[number % PAGE_FILES]
}

/**
 * Tells which files are looked at, by their folder: those in view, and one with focus, which may be far from them. Of a
 * folder that is left out none is.
 */
export function lookAtFiles(numbers: ReadonlyMap<TransferId, readonly number[]>): void {
  for (const [id, folder] of folders) {
    folder.seen = [...new Set((numbers.get(id) ?? []).map((number) => Math.floor(number / PAGE_FILES)))]
    ask(id)
  }
}

/** Asks anew for what is looked at whenever its row changes. Returns a function that stops it. */
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
    // A refusal means that the row is gone, or the app ends: nothing is shown instead.
    void fetchPage(id, folder, page)
      .catch(() => undefined)
      .then(() => {
        folder.asked.delete(page)
        // Something changed meanwhile.
        if (!folder.fresh.has(page)) askSoon()
      })
  }
}

async function fetchPage(id: TransferId, folder: OpenFolder, page: number): Promise<void> {
  const files: FolderFile[] = []
  let total = 0
  // Long paths take several messages.
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

/** What has not changed is the same object, so that its row is not drawn again. */
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
