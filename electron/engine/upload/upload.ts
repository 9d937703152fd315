import { assert } from '../../../shared/assert.ts'
import type { Verification } from '../../../shared/transfer/transfer.ts'
import type { CompletionIntent, PartRecord, UploadRecord } from '../core/records.ts'
import type { RunContext, RunOutcome } from '../core/run.ts'
import { SourceTouched, TransferError } from '../core/transfer-error.ts'
import { sourceChanged } from '../files/source-file.ts'
import { multipartEtag } from '../integrity/etag.ts'
import { proofByEtag } from '../integrity/etag-trust.ts'
import { completeObject, type CompletionResponse } from '../multipart/complete.ts'
import { readBack } from '../multipart/read-back.ts'
import { baselineOf, weigh } from '../multipart/evidence.ts'
import { withRetry } from '../retry/create-retry-policy.ts'
import { Reach } from '../retry/reach.ts'
import { bindPlan, hasFileChanged } from './bind-source.ts'
import { createUpload, forgetUpload } from './create-upload.ts'
import { goalOf, requireFree } from './key-policy.ts'
import { letEnd } from './let-end.ts'
import { abandonOvertaken, settleFailure } from './made-by-another.ts'
import { PartWorkers } from './part-workers.ts'
import { uploadRank } from './rank.ts'
import { dropDamagedParts, reconcileParts, type Reconciled } from './reconcile-parts.ts'
import { sendProven } from './send-range.ts'
import {
  contentTypeFor,
  createUploadRun,
  listsUploads,
  markOf,
  newToken,
  type PlannedUpload,
  type UploadRun,
} from './upload-run.ts'

/** How many times refused parts are found and sent again, and the upload completed anew. */
const MAX_REPAIRS = 2

/** After the last part: a look at the key, completing, and a look at the object. */
const CLOSING_ROUND_TRIPS = 3

/** How many times in a row a file that was moved, or got other permissions, is proven to be unchanged. */
const MAX_PROOFS = 3

/**
 * Uploads a file, top to bottom: plan, create, parts, complete, verify. Resuming is the same function, entered with a
 * record that says what is already there. Never rejects.
 */
export async function runUpload(context: RunContext<UploadRecord>): Promise<RunOutcome> {
  let { record } = context
  for (let proofs = 0; ; proofs += 1) {
    const run = createUploadRun({ ...context, record })
    try {
      return { kind: 'completed', ...proofByEtag(await upload(run)) }
    } catch (error) {
      run.stop(error)
      record = run.record
      const isTouched = error instanceof SourceTouched && proofs < MAX_PROOFS
      if (!isTouched || context.signal.aborted) return await settleFailure({ ...context, record }, error)
      context.report.log('The file was moved or replaced; comparing it with what was sent')
      run.dropAll()
    } finally {
      run.end()
    }
  }
}

async function upload(run: UploadRun): Promise<Verification> {
  run.context.report.stage('preparing')
  const planned = once(() => (run.record.isPartsOnly === true ? refuseWithoutFile() : bindPlan(run)))
  // With an intent on record, the object may already be there, whatever became of the file.
  let ready = await intendedEarlier(run)
  for (let repairs = 0; repairs <= MAX_REPAIRS; repairs += 1) {
    ready ??= await sendMissing(await planned())
    const verification = await complete(run, planned, ready)
    if (verification !== null) {
      await refuseOldVersion(run)
      run.confirmAll(ready.intent.sizeBytes)
      return verification
    }
    ready = null
  }
  throw new TransferError('refused-by-server', 'The server keeps rejecting the list of parts')
}

/**
 * The object is there. Throws TransferError `source-changed` if the file has changed since, because the object has its
 * old content; a file that is gone tells nothing.
 */
async function refuseOldVersion(run: UploadRun): Promise<void> {
  // If this look is aborted, it is repeated when the upload goes on.
  if (!(await hasFileChanged({ ...run.context, record: run.record }))) return
  // The object is the one that this upload made, so the file as it is now may replace it.
  await forgetUpload(run, { intent: null, onConflict: 'replace' })
  throw sourceChanged('The file changed after it was uploaded; the object has its old content')
}

/** The upload can be completed; `intent` is durable. */
interface ReadyToComplete {
  readonly intent: CompletionIntent
  readonly outcomeUnknown: boolean
}

/** What an earlier run made ready to complete; its parts are reported as already there. */
async function intendedEarlier(run: UploadRun): Promise<ReadyToComplete | null> {
  const { id, intent, plan } = run.record
  if (intent === null) return null
  if (plan !== null) run.layOut(intent.sizeBytes, plan)
  for (const part of await run.context.deps.checkpoints.parts(id)) run.confirmPart(part, 'found', 'done')
  return { intent, outcomeUnknown: true }
}

/** Parts that others sent can only be completed as they are: anything else takes the file that they belong to. */
function refuseWithoutFile(): Promise<never> {
  const detail = 'The parts list alone is not enough to complete this upload; the file is needed'
  return Promise.reject(new TransferError('refused-by-server', detail))
}

const NOTHING_SENT: Reconciled = { parts: [], isGone: false }

/** Sends what the service doesn't have yet, and records the intent to complete. */
async function sendMissing(planned: PlannedUpload): Promise<ReadyToComplete> {
  const { run, plan, source } = planned
  const { context } = run
  const { sizeBytes } = source.identity
  if (plan.partCount === 0) {
    const md5 = await source.md5({ start: 0, end: sizeBytes }, context.signal)
    return intend(planned, { expectedEtag: md5, sizeBytes, parts: [], ...newToken(run) }, false)
  }
  const begun = run.record.uploadId
  const uploadId = begun ?? (await createUpload(run, sizeBytes))
  context.report.facts({ uploadId })
  // An upload that was just begun has no parts, and not every server of the service may know it yet.
  const { parts: present, isGone } = begun === null ? NOTHING_SENT : await reconcileParts(planned, uploadId)
  const missing = missingParts(plan.partCount, present)
  if (isGone && present.length === 0) {
    await forgetUpload(run)
    return sendMissing(planned)
  }
  if (isGone && missing.length > 0) throw new TransferError('upload-lost', 'The server no longer has this upload')
  context.report.closing(CLOSING_ROUND_TRIPS * run.line.roundTripMs)
  context.report.stage('transferring')
  await new PartWorkers(planned, uploadId, { missing, isResumed: begun !== null }).run()
  context.signal.throwIfAborted()
  await source.check()
  if (await dropDamagedParts(planned)) return sendMissing(planned)
  const parts = await context.deps.checkpoints.parts(run.record.id)
  assert(parts.length === plan.partCount, 'an object has every part of its plan')
  const expectedEtag = run.etags.areOpaque ? null : multipartEtag(parts.map((part) => part.md5))
  const { token } = run.record
  const listed = parts.map(({ partNumber, etag }) => ({ partNumber, etag }))
  return intend(planned, { expectedEtag, sizeBytes, parts: listed, ...(token === undefined ? {} : { token }) }, isGone)
}

/**
 * Makes durable what will prove, after any interruption, that we made the object. `outcomeUnknown`: the upload is gone
 * although no intent survived, so an object that fits is ours, and any other one counts as the earlier object.
 */
async function intend(
  { run }: PlannedUpload,
  facts: Pick<CompletionIntent, 'expectedEtag' | 'sizeBytes' | 'parts' | 'token'>,
  outcomeUnknown: boolean,
): Promise<ReadyToComplete> {
  const { store, deps, signal } = run.context
  const found = await withRetry(run.retryPolicy, () => readBack({ store, key: run.record.key, signal }))
  const serverTimeMs = (typeof found === 'string' ? null : found.serverTimeMs) ?? deps.clock.nowMs()
  const goal: CompletionIntent = { ...facts, baseline: null, serverTimeMs }
  const fits = weigh(found, goal, store.capabilities) === 'ours'
  if (run.record.onConflict === 'fail' && !(outcomeUnknown && fits)) requireFree(found, goal)
  const intent = { ...goal, baseline: outcomeUnknown && fits ? null : baselineOf(found) }
  await run.save({ intent })
  return { intent, outcomeUnknown }
}

/** Completes and verifies. Returns null if parts were refused and must be sent again. Throws TransferError. */
async function complete(
  run: UploadRun,
  planned: () => Promise<PlannedUpload>,
  { intent, outcomeUnknown }: ReadyToComplete,
): Promise<Verification | null> {
  const { store, deps, signal, report } = run.context
  const { parts, sizeBytes } = intent
  const { key, uploadId, isPartsOnly } = run.record
  const goal = goalOf(run.record, intent)
  const { ifAbsent } = goal
  const put = { mayBeMade: outcomeUnknown, reach: new Reach(run.retryPolicy) }
  const completing = completeObject({
    store,
    key,
    uploadId,
    goal,
    outcomeUnknown,
    listsUploads: listsUploads(run),
    beforeSend: async () => (isPartsOnly === true ? undefined : (await planned()).source.now.check()),
    send: async () =>
      uploadId === null
        ? putWhole(await planned(), intent, put)
        : store.completeMultipartUpload({ key, uploadId, parts, sizeBytes, ifAbsent, signal }),
    clock: deps.clock,
    retryPolicy: run.retryPolicy,
    signal,
    report,
  })
  const result = await completing.catch(async (stop: unknown) => {
    // Nobody can have received the whole body, so there is no outcome to find out.
    if (uploadId === null && !put.mayBeMade) await run.save({ intent: null })
    throw stop
  })
  if (result.kind === 'done') {
    if (result.isReadBack === true) await abandonOvertaken(run)
    return result.verification
  }
  if (result.kind === 'parts-refused' || result.outcomeKnown) await run.save({ intent: null })
  if (result.kind === 'failed') throw result.error
  report.log(`The server rejected the list of parts (${result.error.code}); comparing parts`, result.error.requestId)
  return null
}

/** @param put shared by all tries; `mayBeMade` is set once the service may have the whole body. */
async function putWhole(
  planned: PlannedUpload,
  intent: CompletionIntent,
  put: { mayBeMade: boolean; readonly reach: Reach },
): Promise<CompletionResponse> {
  const { run } = planned
  const { store, report, record } = run.context
  const { sizeBytes } = planned.source.identity
  report.stage('transferring')
  report.unit(0, 'active')
  const proof = { md5: intent.expectedEtag }
  const whole = { start: 0, end: sizeBytes }
  const { signal } = run.context
  const { reach } = put
  const sending = { rank: uploadRank(sizeBytes, record.position), signal, isReady: () => true, reach }
  const about = { key: record.key, ...contentTypeFor(run.context, record.sourcePath), ...markOf(intent) }
  let { ifAbsent } = goalOf(record, intent)
  const sent = await letEnd(run.context, (onBegun) =>
    sendProven(planned, whole, proof, { ...sending, onBegun }, async (request) => {
      const response = await store.putObject({ ...about, ifAbsent, ...request }).finally(() => {
        put.mayBeMade ||= request.body.mayBeWhole
      })
      // If the bytes arrived damaged, the object that has the key now is our own.
      ifAbsent = false
      return response
    }),
  )
  run.confirmPart({ partNumber: 1, sizeBytes }, 'moved', 'done')
  if (run.etags.areOpaque) await run.save({ intent: { ...intent, expectedEtag: null } })
  return { etag: sent.etag, isOpaque: run.etags.areOpaque }
}

function missingParts(partCount: number, present: readonly PartRecord[]): readonly number[] {
  const there = new Set(present.map((part) => part.partNumber))
  return Array.from({ length: partCount }, (_, index) => index + 1).filter((partNumber) => !there.has(partNumber))
}

/** Makes the value only once; after a failure the next call tries again. */
function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Value | null = null
  return async () => (made ??= await make())
}
