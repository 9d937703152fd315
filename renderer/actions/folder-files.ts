// The actions on one file of a folder transfer.

import { isThere, type FolderFile } from '../../shared/transfer/folder-file.ts'
import type { TransferId, TransferRow } from '../../shared/transfer/transfer.ts'
import { request } from '../bridge.ts'
import { folderFile } from '../state/open-folders.ts'
import { liveRow } from '../state/queue/queue-store.ts'
import { run } from '../state/ui/messages.ts'
import { offerFileLink, showKeyInPlace, showUnfinished } from './uploaded.ts'

export type FileAction = 'retry' | 'review' | 'reveal' | 'copy-link' | 'show-in-place'

/** The actions that a file allows now, the most wanted first. Pure. */
export function actionsFor({ state, error }: FolderFile, row: TransferRow): readonly FileAction[] {
  if (state === 'failed') {
    const isTried = row.status === 'failed' ? row.error?.code === 'items-failed' : row.status !== 'paused'
    // A file that is gone from this computer can't be shown in its folder.
    const reveals = row.direction === 'upload' && error?.code !== 'source-missing'
    // The unfinished upload that is in the way has to be finished or discarded before the file is tried again.
    const reviews = error?.code === 'earlier-upload' && row.placeId !== null
    if (reviews) return isTried ? ['review', 'retry'] : ['review']
    return [...(isTried ? (['retry'] as const) : []), ...(reveals ? (['reveal'] as const) : [])]
  }
  if (row.direction === 'upload')
    return isThere(state) && row.placeId !== null ? ['copy-link', 'show-in-place', 'reveal'] : ['reveal']
  return isThere(state) ? ['reveal'] : []
}

/** Carries out the main action of a file, if it has any. */
export function openFile(id: TransferId, number: number): void {
  const row = liveRow(id)
  const file = folderFile(id, number)
  const [action] = row === undefined || file === undefined ? [] : actionsFor(file, row)
  if (action !== undefined && file !== undefined) performOnFile(action, id, file)
}

export function performOnFile(action: FileAction, id: TransferId, { path, sizeBytes }: FolderFile): void {
  if (action === 'retry') return run(request('folder-files:retry', { id, path }))
  if (action === 'reveal') return run(request('folder-files:reveal', { id, path }))
  const row = liveRow(id)
  if (row === undefined) return
  if (action === 'review') showUnfinished(row)
  else if (action === 'copy-link') run(offerFileLink(row, row.key + path, sizeBytes))
  else showKeyInPlace(row, row.key + path)
}
