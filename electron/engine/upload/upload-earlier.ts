import { TransferError } from '../core/transfer-error.ts'
import { planOfParts } from '../multipart/match-uploads.ts'
import { listAllParts, type PartsListing } from '../multipart/listings.ts'
import type { UploadRun } from './upload-run.ts'

/**
 * Throws TransferError `earlier-upload` when an unfinished upload of the same key could be continued with this file:
 * which of the two it is to be is for a person to decide, so that nobody pays twice for the same parts.
 */
export async function lookForEarlierUpload(run: UploadRun): Promise<void> {
  const { deps, store, signal } = run.context
  const { key, location, source, isNewUpload } = run.record
  if (deps.openUploads === undefined || isNewUpload === true || source === null) return
  const asker = { store, patience: run.patience, signal }
  const uploads = await deps.openUploads.ofKey({ location, key }, asker)
  if (uploads.length === 0) return
  const leaving = new Set((await deps.checkpoints.abortsDue()).map((due) => due.uploadId))
  for (const { uploadId } of uploads) {
    if (leaving.has(uploadId)) continue
    const listing = await listAllParts(store, { key, uploadId, signal }, run.patience)
    if (couldContinue(listing, source.sizeBytes, store.capabilities)) {
      throw new TransferError('earlier-upload', `Upload ${uploadId} of this key is unfinished`)
    }
  }
}

/** Whether the parts could be of a file of this size. Parts that nobody may see could be of any. */
function couldContinue(listing: PartsListing, sizeBytes: number, limits: Parameters<typeof planOfParts>[2]): boolean {
  switch (listing.kind) {
    case 'listed':
      return listing.parts.length > 0 && planOfParts(listing.parts, sizeBytes, limits) !== null
    case 'unlisted':
      return true
    case 'gone':
      return false
  }
}
