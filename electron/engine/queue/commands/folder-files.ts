// What is shown and done of single files of a folder transfer.

import { join } from 'node:path'
import type { FolderFileName, FolderFiles, FolderFilesQuery } from '../../../../shared/transfer/folder-file.ts'
import type { CheckpointStore } from '../../core/checkpoint-store.ts'
import type { FolderRecord, UploadFolderRecord } from '../../core/records.ts'
import { sourcePathOf } from '../../core/source-path.ts'
import { isBelow } from '../../files/safe-path.ts'
import { isOfMany, type TransferEntry } from '../../transfer/transfer-entry.ts'
import type { FolderFacts } from '../../transfer/folder-plan.ts'
import { NOTHING_COUNTED } from '../../transfer/transfer-row.ts'
import type { TransferQueue } from '../rows/transfer-queue.ts'

/** A page of the files of a folder transfer; null where the entry is none. */
export async function filesOf(
  queue: TransferQueue,
  entry: TransferEntry | undefined,
  { first, count }: FolderFilesQuery,
): Promise<FolderFiles | null> {
  if (entry === undefined || !isOfMany(entry.record)) return null
  const plan = await queue.plans.of(entry.record, queue.progressOf(entry).files)
  const { record, progress, state, retried } = entry
  if (!isOfMany(record)) return null
  return plan.page(first, count, {
    status: state.status,
    items: progress?.counted ?? record.counts ?? NOTHING_COUNTED,
    failures: failuresOf(entry),
    asked: retried ?? new Set(),
  })
}

/** Why the first of its files failed, by key. */
export function failuresOf({ record, progress }: TransferEntry): FolderFacts['failures'] {
  const failures = progress?.named ?? (isOfMany(record) ? record.failures : undefined) ?? []
  return new Map(failures.map(({ key, error }) => [key, error]))
}

/** Keys that the next run tries again, with one more. */
export function withRetried({ record, retried }: TransferEntry, path: string): ReadonlySet<string> {
  return new Set(retried).add(record.key + path)
}

/** Where a file of a folder is on this computer, or would be; null: there is no such place in the folder. */
export async function localPathOf(
  checkpoints: CheckpointStore,
  record: FolderRecord | UploadFolderRecord,
  { path }: FolderFileName,
): Promise<string | null> {
  if (record.direction === 'upload-folder') {
    const [source, found] = [path.split('/', 1)[0] ?? '', path].map((name) => sourcePathOf(record, name))
    return source != null && found != null && (found === source || isBelow(source, found)) ? found : null
  }
  const key = record.key + path
  for await (const items of checkpoints.items(record.id)) {
    const item = items.find((each) => each.key === key)
    if (item !== undefined) return join(record.targetPath, item.path)
  }
  const found = join(record.targetPath, path)
  return isBelow(record.targetPath, found) ? found : null
}
