import { LOST_UPLOAD_READ_BACK_MS } from '../../../shared/limits.ts'
import type { TransferErrorCode } from '../../../shared/transfer/transfer-error.ts'
import type { Verification } from '../../../shared/transfer/transfer.ts'
import type { UploadRecord } from '../core/records.ts'
import type { RunContext, RunOutcome } from '../core/run.ts'
import { bindSource, isSameContent } from '../files/source-file.ts'
import { READ_BACK_INTERVAL_MS } from '../multipart/outcome.ts'
import { headKey, proofOf } from '../multipart/key-conflict.ts'
import { listPage } from '../multipart/listings.ts'
import { outcomeOfFailure } from '../retry/classify.ts'
import { forgetUpload } from './create-upload.ts'
import { createUploadRun, type UploadRun } from './upload-run.ts'

/** Failures that another writer can cause, whether it writes the same content or not. */
const MAY_BE_THERE: ReadonlySet<TransferErrorCode> = new Set<TransferErrorCode>([
  'conflict-on-server',
  'earlier-upload',
  'outcome-unknown',
  'upload-lost',
])
/** This many refusals in a row are the service's last word: a single one may be temporary. */
const MAX_REFUSALS = 3

/**
 * Decides how a failed upload ends by looking at its key: `completed` if the object there is proven to equal the file,
 * because another writer of the same content made it. Never rejects.
 */
export async function settleFailure(context: RunContext<UploadRecord>, failure: unknown): Promise<RunOutcome> {
  const failed = outcomeOfFailure(context.signal, failure)
  if (failed.kind !== 'failed' || !MAY_BE_THERE.has(failed.error.code) || context.record.isPartsOnly === true) {
    return failed
  }
  const run = createUploadRun(context)
  try {
    // The other writer may be completing the very upload that is gone.
    const verification = await proofAtKey(run, failed.error.code === 'upload-lost' ? LOST_UPLOAD_READ_BACK_MS : 0)
    if (verification === null) return failed
    context.report.log('Another writer created the object, and it matches the file')
    await abandonOvertaken(run)
    return { kind: 'completed', verification }
  } catch (error) {
    // A failure of this look is not the reason why the upload failed.
    return context.signal.aborted ? outcomeOfFailure(context.signal, error) : failed
  } finally {
    run.end()
  }
}

/** What proves that the object at the key has the bytes of the file; null if nothing does after `forMs` of looking. */
async function proofAtKey({ context }: UploadRun, forMs: number): Promise<Verification | null> {
  const { deps, signal, record, report } = context
  const { clock } = deps
  report.stage('verifying')
  const untilMs = clock.monotonicMs() + forMs
  for (;;) {
    const isLastLook = clock.monotonicMs() >= untilMs
    const found = await headKey(context, record.key)
    const verification = typeof found === 'string' ? null : await proofOf(context, record.key, found, record.sourcePath)
    if (verification !== null) return (await isAsPlanned(context)) ? verification : null
    if (isLastLook) return null
    await clock.sleep(READ_BACK_INTERVAL_MS, signal)
  }
}

/** False if the file changed since it was planned: then the object may equal its new content. */
async function isAsPlanned({ deps, record, signal }: RunContext<UploadRecord>): Promise<boolean> {
  if (record.source === null) return true
  const { identity } = await bindSource(deps, record.sourcePath, signal)
  return isSameContent(record.source, identity)
}

/**
 * Has the upload aborted if it is still open although the object exists: another writer of the same content made it.
 * While the outcome is unknown, our own completion may be under way and gets time to end; an upload that the service
 * doesn't let us look at then is left alone.
 */
export async function abandonOvertaken(run: UploadRun): Promise<void> {
  const { deps, store, signal, abandon } = run.context
  const { key, location, uploadId, intent, isPartsOnly } = run.record
  if (uploadId === null || isPartsOnly === true) return
  const { clock } = deps
  const untilMs = clock.monotonicMs() + (intent === null ? 0 : LOST_UPLOAD_READ_BACK_MS)
  let refusals = 0
  for (;;) {
    const isTimeOver = clock.monotonicMs() >= untilMs
    const page = await listPage(store, { key, uploadId, maxParts: 1, signal }, run.retryPolicy)
    const mayBeEnding = page === 'unlisted' && intent !== null
    refusals = mayBeEnding ? refusals + 1 : 0
    if (page === 'gone' || refusals === MAX_REFUSALS) return
    if (isTimeOver && !mayBeEnding) break
    await clock.sleep(READ_BACK_INTERVAL_MS, signal)
  }
  await run.save({ intent: null })
  // Together: after a restart, an upload that is due to be aborted and still has its transfer counts as canceled.
  await Promise.all([abandon({ location, key, uploadId }), forgetUpload(run)])
}
