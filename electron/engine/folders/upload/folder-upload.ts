import { lstat } from 'node:fs/promises'
import { SMALL_OBJECTS_BUDGET_BYTES } from '../../../../shared/limits.ts'
import type { NothingToCheck, Proof } from '../../../../shared/transfer/transfer.ts'
import { createMemoryBudget } from '../../async/memory-budget.ts'
import { runGroup, type TaskGroup } from '../../async/task-group.ts'
import { createWorkQueue } from '../../async/work-queue.ts'
import type { EngineDeps } from '../../core/deps.ts'
import type { DueAbort, UploadFolderRecord, UploadRecord } from '../../core/records.ts'
import type { FolderOutcome, Runs, UploadFolderContext } from '../../core/run.ts'
import { sourcePathOf } from '../../core/source-path.ts'
import { SourceAway, TransferError } from '../../core/transfer-error.ts'
import { createPartEtags } from '../../integrity/etag-trust.ts'
import { classify, isCommonCause, outcomeOfFailure } from '../../retry/classify.ts'
import { createRetryPolicy } from '../../retry/create-retry-policy.ts'
import { shareWaits } from '../../retry/shared-waits.ts'
import { lineOf } from '../../upload/upload-run.ts'
import { DriveSilence } from '../../volumes/drive-silence.ts'
import { takeLeftAsFailed } from '../left-as-failed.ts'
import { createRequestSlots } from '../request-slots.ts'
import { createFolderTally } from '../tally.ts'
import { createFolderWindDown, type FolderWindDown } from '../wind-down.ts'
import { answeringSources } from './answering-sources.ts'
import { compareListing } from './compare.ts'
import type { UploadFolderRun, WantedFile } from './folder-run.ts'
import { createUploadFolderJournal } from './journal.ts'
import { sendLarge } from './large-files.ts'
import { isPlanWhole, makePlan, readSent, type SentVersions } from './plan.ts'
import { sendSmall } from './small-files.ts'
import type { OpenSourceFiles, SourceFiles } from './source-files.ts'

/** How many small files are sent at a time: with this many, 40 ms of latency cost 2,000 files only two seconds. */
const SMALL_AT_A_TIME = 64
/** How many large files are sent at a time; each uses several connections. */
const LARGE_AT_A_TIME = 2

/**
 * Uploads files and folders below a prefix: find → record what is to be sent → compare with what is there → send →
 * record. Continues with what an earlier run left. Never throws; a file that fails does not stop the others.
 */
export async function runUploadFolder(
  context: UploadFolderContext,
  openSources: OpenSourceFiles,
  runUpload: Runs['upload'],
): Promise<FolderOutcome> {
  const { sourcePaths, key } = context.record
  const sources = openSources(sourcePaths, key)
  const silence = new DriveSilence(context, sources.pulse)
  const answering = (signal: AbortSignal): SourceFiles => answeringSources(sources, silence, signal)
  try {
    return { kind: 'completed', ...(await uploadFolder(context, answering, runUpload)) }
  } catch (failure) {
    return outcomeOfFailure(context.signal, failure)
  } finally {
    silence.end()
    await sources.close()
  }
}

async function uploadFolder(
  context: UploadFolderContext,
  sourcesUntil: (signal: AbortSignal) => SourceFiles,
  runUpload: Runs['upload'],
): Promise<Proof | NothingToCheck> {
  const { record, deps, report, signal } = context
  report.stage('preparing')
  const begun = await deps.checkpoints.uploadsOf(record.id)
  const left = await takeLeftAsFailed(context)
  const isKnown = record.planned !== null && (await isPlanWhole(context, record.planned))
  const planned = isKnown && record.planned !== null ? record.planned : await makePlan(context, sourcesUntil(signal))
  for (const { path, reason } of planned.skipped.named) report.log(`Left out: ${path} (${reason})`)
  if (planned.files === 0) await requireSources(record)
  const tally = createFolderTally(report, { total: planned.files, totalBytes: planned.sizeBytes })
  const journal = createUploadFolderJournal(context, tally)
  const retryPolicy = shareWaits(createRetryPolicy(context))
  const sent = await readSent(context, planned)
  const start = (group: TaskGroup) => {
    const { connections, limiter } = context
    const most = typeof connections === 'number' ? connections : SMALL_AT_A_TIME
    const winding = createFolderWindDown(context, group.signal)
    const slots = createRequestSlots(most, deps.clock, group.signal, () => limiter.limitBytesPerSecond)
    const run: UploadFolderRun = {
      context: { ...context, signal: group.signal },
      retryPolicy,
      sources: sourcesUntil(group.signal),
      tally,
      journal,
      left,
      line: lineOf(context),
      slots: winding.slots(slots),
      etags: createPartEtags(context.store),
      givenKeys: new Map(),
      finishing: winding.finishing,
      pathOf: (name) => sourcePathOf(record, name) ?? name,
      givesUp: (file, failure) => givesUp(run, file, failure),
    }
    for (const running of sendAll(run, winding, sent, begun, runUpload)) group.spawn(running)
  }
  try {
    await runGroup(signal, start, (inner) => journal.keepCommitting(inner))
    report.stage('completing')
    await journal.commit()
  } finally {
    // Sent files are recorded whatever happened; the next run compares those that can't be with their objects.
    await journal.commit().catch((failure: unknown) => {
      report.log(`The state could not be saved: ${String(failure)}`)
    })
  }
  await deps.checkpoints.update(record.id, { counts: tally.counts, failures: tally.failures })
  return tally.outcome()
}

function sendAll(
  run: UploadFolderRun,
  winding: FolderWindDown,
  sent: SentVersions,
  begun: readonly UploadRecord[],
  runUpload: Runs['upload'],
): Promise<void>[] {
  const { signal } = run.context
  const wanted = winding.queue(createWorkQueue<WantedFile>(signal))
  const large = winding.queue(createWorkQueue<WantedFile>(signal))
  const budget = createMemoryBudget(SMALL_OBJECTS_BUDGET_BYTES)
  const begunByPath = new Map(begun.map((each) => [each.sourcePath, each]))
  const small = Array.from({ length: run.slots.most }, (_, slot) => sendSmall(run, wanted, large, budget, slot))
  return [
    compareListing(run, sent, wanted).finally(() => {
      wanted.end()
    }),
    ...small,
    Promise.allSettled(small).then(() => large.end()),
    ...Array.from({ length: LARGE_AT_A_TIME }, () => sendLarge(run, large, begunByPath, runUpload)),
  ]
}

async function givesUp(run: UploadFolderRun, file: WantedFile, failure: unknown): Promise<boolean> {
  const { context, slots, tally, retryPolicy } = run
  const { record, signal } = context
  signal.throwIfAborted()
  const verdict = classify(failure)
  if (verdict.kind === 'wait' && verdict.reason === 'server-busy') {
    slots.refused()
    run.line.refused()
  }
  if (verdict.kind === 'stop') {
    const { code, detail } = verdict.error.info
    if (isCommonCause(verdict.error.info)) throw verdict.error
    const isAway = code === 'source-missing' && (await isRootAway(record, file))
    if (!isAway) {
      tally.failed(file.number, file.key, verdict.error.info)
      return true
    }
    // A drive that is gone took all of its files along, and brings them back.
    await retryPolicy.waitAfter(new SourceAway('source-missing', detail))
    return false
  }
  await retryPolicy.waitAfter(failure)
  return false
}

async function isRootAway(record: UploadFolderRecord, { name }: WantedFile): Promise<boolean> {
  if (!name.includes('/')) return false
  return requireSource(sourcePathOf(record, name.slice(0, name.indexOf('/'))) ?? name).then(
    () => false,
    () => true,
  )
}

/** Throws TransferError `source-missing` for the first source that is not there. */
async function requireSources({ sourcePaths }: UploadFolderRecord): Promise<void> {
  for (const path of sourcePaths) await requireSource(path)
}

async function requireSource(path: string): Promise<void> {
  await lstat(path).catch((failure: unknown) => {
    throw new TransferError('source-missing', String(failure), { cause: failure })
  })
}

/** Gives up what a folder upload has under way on the service. Finished objects stay. */
export async function discardUploadFolder(
  record: UploadFolderRecord,
  { checkpoints }: EngineDeps,
  abort: (due: DueAbort) => Promise<void>,
): Promise<void> {
  const begun = await checkpoints.uploadsOf(record.id)
  for (const { location, key, uploadId, intent } of begun) {
    // An upload with an intent may have become the object: aborting could destroy what is still being put together.
    if (uploadId !== null && intent === null) await abort({ location, key, uploadId })
  }
  await checkpoints.remove(begun.map(({ id }) => id))
  await checkpoints.removePlan(record.id)
}
