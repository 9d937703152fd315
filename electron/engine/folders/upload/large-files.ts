import type { TransferErrorCode } from '../../../../shared/transfer/transfer-error.ts'
import type { Proof } from '../../../../shared/transfer/transfer.ts'
import type { WorkQueue } from '../../async/work-queue.ts'
import { uploadRecord } from '../../core/new-records.ts'
import type { UploadRecord } from '../../core/records.ts'
import type { RunReporter, Runs } from '../../core/run.ts'
import { TransferError } from '../../core/transfer-error.ts'
import { provesContent } from '../../integrity/proof-strength.ts'
import { proveContent } from '../../integrity/prove-content.ts'
import { Reach } from '../../retry/reach.ts'
import { resolveUpload } from '../../upload/resolve-outcome.ts'
import { reporterOf } from '../child-report.ts'
import { resolveFolderConflict } from './conflict.ts'
import type { UploadFolderRun, WantedFile } from './folder-run.ts'

/** Failures that make what was sent worthless. */
const WORTHLESS: ReadonlySet<TransferErrorCode> = new Set<TransferErrorCode>([
  'conflict-on-server',
  'final-mismatch',
  'source-changed',
  'upload-lost',
])

/**
 * Uploads large files, one after the other, until there are no more. Each is a transfer of its own, whose record
 * belongs to the folder's and outlives any interruption.
 */
export async function sendLarge(
  run: UploadFolderRun,
  wanted: WorkQueue<WantedFile>,
  begun: ReadonlyMap<string, UploadRecord>,
  runUpload: Runs['upload'],
): Promise<void> {
  for (let file = await wanted.take(); file !== null; file = await wanted.take()) {
    let reach = new Reach(run.retryPolicy)
    let record = begun.get(run.pathOf(file.name)) ?? null
    run.tally.began(file.number)
    for (let tries = 1; ; tries += 1) {
      try {
        await sendOne(run, { file, begun: record, reach }, runUpload)
        break
      } catch (failure) {
        const isChanged = failure instanceof TransferError && failure.info.code === 'source-changed'
        if (isChanged && tries === 1) {
          reach = new Reach(run.retryPolicy)
          record = null
          continue
        }
        if (await run.givesUp(file, failure)) break
        record = await begunOf(run, file)
      }
    }
  }
}

/** Reads the current record of what an earlier try left of a file. */
async function begunOf({ context, pathOf }: UploadFolderRun, { name }: WantedFile): Promise<UploadRecord | null> {
  const begun = await context.deps.checkpoints.uploadsOf(context.record.id)
  return begun.findLast(({ sourcePath }) => sourcePath === pathOf(name)) ?? null
}

/** One of the tries to send a file. */
interface Try {
  readonly file: WantedFile
  /** The upload that it continues; null when there is none. */
  readonly begun: UploadRecord | null
  readonly reach: Reach
}

async function sendOne(run: UploadFolderRun, { file, begun, reach }: Try, runUpload: Runs['upload']): Promise<void> {
  const { context, tally, journal } = run
  const { checkpoints } = context.deps
  const [now] = await run.sources.stat([file.name])
  if (now === null || now === undefined) throw new TransferError('source-missing', `${file.name} is gone`)
  let record = begun
  if (record === null) {
    const decision = await decisionFor(run, file)
    if (decision.kind !== 'send') {
      tally.resized(now.sizeBytes - file.sizeBytes)
      if (decision.kind === 'skip') tally.skipped(file.number, now.sizeBytes)
      else tally.alreadyThere(file.number, now.sizeBytes, decision.proof)
      context.report.confirmed(now.sizeBytes, 'found')
      return
    }
    record = await newRecord(run, file, decision.key)
  }
  const told = { path: file.name, sizeBytes: now.sizeBytes, etag: null }
  const gone = new AbortController()
  const report = reporterOf(context.report, told, run.finishing(), reach)
  const outcome = await runUpload({
    ...context,
    record,
    signal: AbortSignal.any([context.signal, gone.signal]),
    // On its own it would wait until its file is back; here the others go on, and the next run looks for it.
    report: {
      ...report,
      waiting: (wait, who) => (wait?.reason === 'source-missing' ? gone.abort('pause') : report.waiting(wait, who)),
    },
  })
  switch (outcome.kind) {
    case 'stopped':
      context.signal.throwIfAborted()
      throw new TransferError('source-missing', `${run.pathOf(file.name)} is gone`)
    case 'failed':
      if (WORTHLESS.has(outcome.error.code)) await discardUpload(run, record, report)
      throw TransferError.of(outcome.error)
    case 'completed':
      tally.resized(told.sizeBytes - file.sizeBytes)
      tally.done(file.number, told.sizeBytes, outcome)
      // If the file has changed since, the next run sends it again.
      journal.sent({ number: file.number, sizeBytes: told.sizeBytes, modifiedMs: now.modifiedMs })
      await journal.commit()
      await checkpoints.remove([record.id])
  }
}

type LargeDecision =
  | { readonly kind: 'send'; readonly key: string }
  | { readonly kind: 'skip' }
  | { readonly kind: 'found'; readonly proof: Proof | null }

async function decisionFor(run: UploadFolderRun, file: WantedFile): Promise<LargeDecision> {
  let proof: Proof | null = null
  const decision = await resolveFolderConflict(run, file, async (object) => {
    const subject = { key: object.key, identity: object }
    const found = await proveContent(run.context, run.pathOf(file.name), subject)
    if (!provesContent(found)) return false
    proof = found
    return true
  })
  return decision.kind === 'found' ? { kind: 'found', proof } : decision
}

async function newRecord(
  { context, pathOf }: UploadFolderRun,
  { name }: WantedFile,
  key: string,
): Promise<UploadRecord> {
  const { deps, record } = context
  const facts = { id: deps.uuid(), position: record.position, createdAtMs: deps.clock.nowMs() }
  const onConflict = record.onConflict === 'replace' ? 'replace' : 'fail'
  const request = { location: record.location, key, sourcePath: pathOf(name), onConflict } as const
  const child: UploadRecord = { ...uploadRecord(request, facts), folderId: record.id }
  await deps.checkpoints.insert([child])
  return child
}

/**
 * Forgets an upload that leads nowhere and has it aborted, but only once it is known that it made no object. Until then
 * its record stays.
 */
async function discardUpload({ context }: UploadFolderRun, { id }: UploadRecord, report: RunReporter): Promise<void> {
  const { deps, signal } = context
  const found = (await deps.checkpoints.uploadsOf(context.record.id)).find((each) => each.id === id)
  const isUnknown = found?.uploadId != null && found.intent !== null
  const outcome = isUnknown ? await resolveUpload({ ...context, record: found, report }) : null
  if (outcome?.kind === 'failed' || signal.aborted) return
  const due =
    found?.uploadId == null || outcome?.kind === 'completed'
      ? null
      : { location: found.location, key: found.key, uploadId: found.uploadId }
  // Together: a stop in between would leave an open upload that nothing knows of, or the record of one that is gone.
  await Promise.all([due && context.abandon(due), deps.checkpoints.remove([id])])
}
