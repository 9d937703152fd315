import { StoreError } from '../../stores/port/store-error.ts'
import type { UploadRecord } from '../core/records.ts'
import { TransferError } from '../core/transfer-error.ts'
import { listAllParts, listUploadsOfKey, type PartsListing } from '../multipart/listings.ts'
import { planOfParts } from '../multipart/match-uploads.ts'
import { lookIfPossible } from '../retry/look-if-possible.ts'
import { refuseTakenKey } from './key-policy.ts'
import { contentTypeFor, markOf, newToken, type UploadRun } from './upload-run.ts'

/**
 * Begins the multipart upload, only once: if the answer to an earlier request may have been lost, this looks for the
 * upload that it made before it begins another. The id is durable when it is returned. Throws TransferError
 * `earlier-upload` if a person must choose first, `conflict-on-server` if an object that must stay has the key.
 */
export async function createUpload(run: UploadRun, sizeBytes: number): Promise<string> {
  const { store, signal, report, deps } = run.context
  const { clock } = deps
  const { key, sourcePath } = run.record
  // An earlier run may have asked and ended before the answer.
  let isAsked = (run.record.uploadsBefore ?? null) !== null
  if (!isAsked) {
    // Together: far away, each request in turn costs a round trip.
    const isFree = refuseTakenKey(run, sizeBytes)
    const [uploadsBefore] = await Promise.all([openUploads(run), lookForEarlierUpload(run, isFree), isFree])
    await run.save({ uploadsBefore, ...newToken(run) })
  }
  for (;;) {
    const found = isAsked ? await findLostUpload(run) : null
    if (found !== null) return keep(run, found, 'Continuing the multipart upload whose first response was lost', null)
    try {
      const askedAtMs = clock.monotonicMs()
      const about = { ...contentTypeFor(run.context, sourcePath), ...markOf(run.record) }
      const created = await store.createMultipartUpload({ key, ...about, signal })
      // Earlier requests have already made the connection.
      run.line.roundTrip(clock.monotonicMs() - askedAtMs)
      return await keep(run, created.uploadId, 'Multipart upload created', created.requestId)
    } catch (failure) {
      isAsked ||= failure instanceof StoreError && failure.maybeProcessed
      if (isAsked) report.log('It is unclear whether the server created the upload')
      await run.retryPolicy.waitAfter(failure)
    }
  }
}

/**
 * Forgets an upload that is over, and applies `changes` for the next one. Its parts and its token don't belong to the
 * next one.
 */
export async function forgetUpload(
  run: UploadRun,
  changes: Partial<Pick<UploadRecord, 'plan' | 'intent' | 'onConflict'>> = {},
): Promise<void> {
  const { checkpoints } = run.context.deps
  await Promise.all([
    checkpoints.removeParts(run.record.id, 'all'),
    run.save({ ...changes, uploadId: null, uploadsBefore: null }),
  ])
}

async function keep(run: UploadRun, uploadId: string, said: string, requestId: string | null): Promise<string> {
  await run.save({ uploadId })
  run.context.report.log(said, requestId)
  return uploadId
}

/**
 * Finds the upload made by a request whose response was lost: the only one of the key that was not there before, has no
 * parts, belongs to no other transfer and is not due to be aborted. Several are left alone: they may be other clients'.
 */
async function findLostUpload(run: UploadRun): Promise<string | null> {
  const { store, signal, report, isTaken } = run.context
  const { key, uploadsBefore } = run.record
  const now = await openUploads(run)
  if (now === null || uploadsBefore == null) {
    report.log('The server’s unfinished uploads can’t be listed, so an empty one may be left behind')
    return null
  }
  const known = new Set([...uploadsBefore, ...(await uploadsToAbort(run))])
  const added = now.filter((uploadId) => !known.has(uploadId) && !isTaken(uploadId))
  const [uploadId, ...others] = added
  if (uploadId === undefined) return null
  if (others.length === 0) {
    const listing = await listAllParts(store, { key, uploadId, signal }, run.retryPolicy)
    if (listing.kind === 'listed' && listing.parts.length === 0) return uploadId
    if (listing.kind === 'gone') return null
  }
  report.log('New uploads of this key have appeared that may belong to others; leaving them alone')
  await run.save({ uploadsBefore: now })
  return null
}

/** Null if the service doesn't list them, or not to us. */
async function openUploads({ context, record, newRetryPolicy }: UploadRun): Promise<readonly string[] | null> {
  const uploads = await lookIfPossible(newRetryPolicy(), (fewTries) =>
    listUploadsOfKey(context.store, record.key, fewTries, context.signal),
  )
  return uploads?.map(({ uploadId }) => uploadId) ?? null
}

async function uploadsToAbort({ context }: UploadRun): Promise<readonly string[]> {
  return (await context.deps.checkpoints.abortsDue()).map(({ uploadId }) => uploadId)
}

/**
 * Throws TransferError `earlier-upload` if an unfinished upload of the same key could be continued with this file: a
 * person decides between the two, so that nobody pays twice for the same parts. If the service doesn't tell, the
 * upload goes on. `isFree`: a key that is taken must be settled first, so its failure is thrown in place of that.
 */
async function lookForEarlierUpload(run: UploadRun, isFree: Promise<void>): Promise<void> {
  const { deps, store, signal } = run.context
  const { key, location, source, isNewUpload } = run.record
  const { openUploads: known } = deps
  if (known === undefined || isNewUpload === true || source === null) return
  const uploads = await lookIfPossible(run.newRetryPolicy(), (retryPolicy) =>
    known.ofKey({ location, key }, { store, retryPolicy, signal }),
  )
  if (uploads === null || uploads.length === 0) return
  const leaving = new Set(await uploadsToAbort(run))
  for (const { uploadId } of uploads) {
    if (leaving.has(uploadId)) continue
    const listing = await lookIfPossible(run.newRetryPolicy(), (fewTries) =>
      listAllParts(store, { key, uploadId, signal }, fewTries),
    )
    if (listing !== null && couldContinue(listing, source.sizeBytes, store.capabilities)) {
      await isFree
      throw new TransferError('earlier-upload', `An earlier upload of this file is unfinished: ${uploadId}`)
    }
  }
}

/** Whether the parts could come from a file of this size. Parts that we can't list could come from any. */
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
