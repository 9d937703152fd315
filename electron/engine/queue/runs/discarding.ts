// Discards what a given-up transfer leaves behind: parts on the service, a partial file here, and the records of both.

import type { EngineDeps } from '../../core/deps.ts'
import { mayKeepParts, recordAnew, UPLOAD_UNBOUND } from '../../core/new-records.ts'
import type { DueAbort, TransferRecord, UploadRecord } from '../../core/records.ts'
import type { Runs } from '../../core/run.ts'
import { isOutcomeUnknown } from '../../transfer/settled-outcome.ts'
import type { TransferEntry } from '../../transfer/transfer-entry.ts'
import type { AbortQueue } from '../../upload/abort-queue.ts'
import type { TransferQueue } from '../rows/transfer-queue.ts'

export interface DiscardParts {
  readonly deps: EngineDeps
  readonly queue: TransferQueue
  readonly runs: Runs
  readonly aborts: AbortQueue
}

/**
 * Drops what was transferred and forgets it. Never rejects: the log says what could not be dropped.
 * @returns whether nothing of it is left here.
 */
export async function discard(parts: DiscardParts, entry: TransferEntry): Promise<boolean> {
  const { deps, queue, runs } = parts
  const { record } = entry
  try {
    if (record.direction === 'download') await runs.discardDownload(record, deps.fileSystem)
    else if (record.direction === 'folder')
      await runs.discardFolder(record, { ...deps, checkpoints: queue.checkpoints })
    else if (record.direction === 'upload-folder')
      await runs.discardUploadFolder(record, deps, (due) => abandon(parts, entry, due))
    else if (record.isPartsOnly === true) queue.progressOf(entry).log('The upload of another tool was left as it is.')
    else {
      const due = dueAbortOf(record)
      if (due !== null) await abandon(parts, entry, due)
      else if (record.uploadId !== null && isOutcomeUnknown(record))
        queue.progressOf(entry).log('The upload was not aborted, because the service may have finished it.')
    }
    await deps.checkpoints.removeParts(record.id, 'all')
    await deps.checkpoints.removeRanges(record.id, 'all')
    return true
  } catch (failure) {
    queue.progressOf(entry).log(`What was transferred could not be deleted: ${String(failure)}`)
    return false
  }
}

/**
 * The abort that a given-up upload needs. Null when there is nothing to abort, when the upload is another tool's, or
 * when it may have become the object: aborting could destroy what the service is still putting together.
 */
export function dueAbortOf({ location, key, uploadId, intent, isPartsOnly }: UploadRecord): DueAbort | null {
  return uploadId === null || intent !== null || isPartsOnly === true ? null : { location, key, uploadId }
}

/** Has an upload aborted, unless another transfer continues it. */
export async function abandon(
  { queue, aborts }: Pick<DiscardParts, 'queue' | 'aborts'>,
  entry: TransferEntry,
  upload: DueAbort,
): Promise<void> {
  if (!queue.isTaken(upload.uploadId, entry)) return aborts.add(upload)
  queue.progressOf(entry).log('The upload was not aborted, because another transfer continues it.')
}

/**
 * Drops what was transferred: the next run begins from nothing, or with the parts that a changed file still has. `drop`
 * discards it, and resolves with whether nothing of it is left here.
 */
export async function reset(
  { queue }: Pick<DiscardParts, 'queue'>,
  entry: TransferEntry,
  drop: () => Promise<boolean>,
): Promise<void> {
  const isKept = mayKeepParts(entry.record)
  const anew = isKept ? UPLOAD_UNBOUND : recordAnew(entry.record)
  const discarded = isKept ? null : drop()
  // A file is deleted before its record forgets it. An upload is forgotten in the same commit that has it aborted:
  // after a stop in between it would count as canceled.
  const isLeft = entry.record.direction !== 'upload' && (await discarded) === false
  const remains = isLeft ? remainsOf(entry.record) : {}
  queue.transition(entry, { kind: 'reset' })
  entry.progress = null
  queue.histories.of(entry).startOver()
  await Promise.all([discarded, queue.keep(entry, { ...anew, ...remains })])
  queue.touch(entry)
}

/** The files of a download that could not be deleted: the next run deletes them before it creates its own. */
function remainsOf(record: TransferRecord) {
  if (record.direction !== 'download') return {}
  const { partialPath, publishing } = record
  return { partialPath, publishing }
}
