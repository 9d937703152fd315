import { join } from 'node:path'
import { SMALL_OBJECTS_BUDGET_BYTES } from '../../../../shared/limits.ts'
import type { NothingToCheck, Proof } from '../../../../shared/transfer/transfer.ts'
import { createMemoryBudget } from '../../async/memory-budget.ts'
import { runGroup, type TaskGroup } from '../../async/task-group.ts'
import { createWorkQueue } from '../../async/work-queue.ts'
import type { EngineDeps } from '../../core/deps.ts'
import { errnoCode } from '../../../errno/errno.ts'
import type { DownloadRecord, FolderRecord } from '../../core/records.ts'
import type { FolderContext, FolderOutcome, Runs } from '../../core/run.ts'
import { TransferError } from '../../core/transfer-error.ts'
import { onTarget, orNull } from '../../files/file-errors.ts'
import { makeFolders } from '../../files/make-folders.ts'
import { requireInside } from '../../files/safe-path.ts'
import { classify, isCommonCause, outcomeOfFailure } from '../../retry/classify.ts'
import { createRetryPolicy } from '../../retry/create-retry-policy.ts'
import { shareWaits } from '../../retry/shared-waits.ts'
import { DriveSilence } from '../../volumes/drive-silence.ts'
import { eachCall } from '../../volumes/each-call.ts'
import { takeLeftAsFailed } from '../left-as-failed.ts'
import { createRequestSlots, type RequestSlots } from '../request-slots.ts'
import { createFolderTally } from '../tally.ts'
import { createFolderWindDown, type FolderWindDown } from '../wind-down.ts'
import type { FolderRun } from './folder-run.ts'
import { answeringFiles } from './answering-files.ts'
import { createFolderJournal } from './journal.ts'
import { fetchLarge } from './large-objects.ts'
import { listFolder } from './list-prefix.ts'
import type { OpenSmallFiles, SmallFiles } from './small-files.ts'
import { fetchSmall } from './small-objects.ts'
import { createFolderSpace } from './space.ts'
import type { WantedItem } from './wanted-item.ts'

/** Small objects fetched at a time. With 40 ms of latency, 2,000 take 2.08 s with 64, 1.90 s with 96 and with 128. */
const SMALL_AT_A_TIME = 96
/** How many large objects are fetched at a time; each uses several connections. */
const LARGE_AT_A_TIME = 2

/**
 * Downloads everything under a prefix into a folder: list → fetch → record, all at the same time. Continues with what
 * an earlier run left. Never throws; an object that fails does not stop the others. Reports when the drive is silent.
 */
export async function runFolder(
  context: FolderContext,
  openFiles: OpenSmallFiles,
  runDownload: Runs['download'],
): Promise<FolderOutcome> {
  const silence = new DriveSilence(context)
  const fileSystem = eachCall(context.deps.fileSystem, (_path, call) => silence.during(call()))
  const watched = { ...context, deps: { ...context.deps, fileSystem } }
  const openWatched: OpenSmallFiles = (...opening) => answeringFiles(openFiles(...opening), silence)
  try {
    return { kind: 'completed', ...(await downloadFolder(watched, openWatched, runDownload)) }
  } catch (failure) {
    return outcomeOfFailure(context.signal, failure)
  } finally {
    silence.end()
  }
}

async function downloadFolder(
  context: FolderContext,
  openFiles: OpenSmallFiles,
  runDownload: Runs['download'],
): Promise<Proof | NothingToCheck> {
  const { record, deps, report, signal } = context
  report.stage('preparing')
  const begun = await deps.checkpoints.downloadsOf(record.id)
  const left = await takeLeftAsFailed(context)
  const { root, files, made } = await openTarget(context, openFiles)
  const tally = createFolderTally(report)
  const journal = createFolderJournal(context, files, tally)
  const retryPolicy = shareWaits(createRetryPolicy(context))
  const space = createFolderSpace(context, root, begun, retryPolicy)
  const { connections, limiter, store } = context
  const most = typeof connections === 'number' ? connections : SMALL_AT_A_TIME
  let slots: RequestSlots | null = null
  const givesUp: FolderRun['givesUp'] = async (item, failure) => {
    signal.throwIfAborted()
    const verdict = classify(failure)
    if (verdict.kind === 'stop' && !isCommonCause(verdict.error.info)) {
      tally.failed(item.number, item.object.key, verdict.error.info)
      space.moved(item.object.sizeBytes)
      return true
    }
    if (verdict.kind === 'wait' && verdict.reason === 'server-busy') {
      slots?.refused()
      if (typeof connections !== 'number') connections.refused(store.host)
    }
    await retryPolicy.waitAfter(await space.withLack(failure))
    return false
  }
  const start = (group: TaskGroup) => {
    const winding = createFolderWindDown(context, group.signal)
    slots = winding.slots(createRequestSlots(most, deps.clock, group.signal, () => limiter.limitBytesPerSecond))
    const shared = {
      context: { ...context, signal: group.signal },
      retryPolicy,
      root,
      files,
      tally,
      journal,
      left,
      space,
    }
    const run = { ...shared, slots, finishing: winding.finishing, givesUp }
    for (const running of fetchAll(run, winding, begun, runDownload)) group.spawn(running)
  }
  let isWhole = false
  try {
    await runGroup(signal, start, (inner) => journal.keepCommitting(inner))
    report.stage('completing')
    await journal.commit()
    isWhole = tally.counts.failed === 0
  } finally {
    // Written files are recorded whatever happened; the next run looks again at those that can't be.
    await journal.commit().catch((failure: unknown) => {
      report.log(`The state could not be saved: ${String(failure)}`)
    })
    // The folder that was asked for is kept even without files, if that is all there is.
    if (!isWhole) for (const folder of made) files.made(folder)
    await files.close()
  }
  await deps.checkpoints.update(record.id, { counts: tally.counts, failures: tally.failures })
  return tally.outcome()
}

/** The folder that is downloaded into. */
interface Target {
  /** Its path, absolute and without links. */
  readonly root: string
  readonly files: SmallFiles
  /** The folders that were made, itself and those above it. */
  readonly made: readonly string[]
}

/** Makes the target folder if it is missing, and opens it. If that fails, leaves nothing behind. */
async function openTarget({ record, deps }: FolderContext, openFiles: OpenSmallFiles): Promise<Target> {
  const { fileSystem } = deps
  const { targetPath } = record
  if (record.root !== undefined) await requireInside(fileSystem, record.root, targetPath)
  const made = await onTarget(targetPath, () => makeFolders(fileSystem, targetPath))
  try {
    if (record.root !== undefined) await requireInside(fileSystem, record.root, join(targetPath, 'any'))
    const root = await onTarget(targetPath, () => fileSystem.realpath(targetPath))
    const scratch = scratchOf(record, root)
    const isUnclean = await onTarget(scratch, () => makeScratch(deps, scratch))
    return { root, files: openFiles({ root, scratch, isUnclean }, deps.markOrigin), made }
  } catch (failure) {
    if (made.length > 0) {
      const files = openFiles({ root: targetPath, scratch: scratchOf(record, targetPath), isUnclean: false })
      for (const folder of made) files.made(folder)
      await files.close()
    }
    throw failure
  }
}

function fetchAll(
  run: FolderRun,
  winding: FolderWindDown,
  begun: readonly DownloadRecord[],
  runDownload: Runs['download'],
): Promise<void>[] {
  const { signal } = run.context
  const wanted = winding.queue(createWorkQueue<WantedItem>(signal))
  const large = winding.queue(createWorkQueue<WantedItem>(signal))
  const budget = createMemoryBudget(SMALL_OBJECTS_BUDGET_BYTES)
  const begunByKey = new Map(begun.map((each) => [each.key, each]))
  const small = Array.from({ length: run.slots.most }, (_, slot) => fetchSmall(run, wanted, large, budget, slot))
  return [
    listFolder(run, wanted).finally(() => wanted.end()),
    ...small,
    Promise.allSettled(small).then(() => large.end()),
    ...Array.from({ length: LARGE_AT_A_TIME }, () => fetchLarge(run, large, begunByKey, runDownload)),
  ]
}

function scratchOf({ id }: FolderRecord, root: string): string {
  return join(root, `.sluice-${id.slice(0, 8)}.part`)
}

/** @returns whether the scratch folder was there, which means that an earlier run was cut off. */
async function makeScratch({ fileSystem }: EngineDeps, scratch: string): Promise<boolean> {
  try {
    await fileSystem.mkdir(scratch)
    return false
  } catch (failure) {
    if (errnoCode(failure) !== 'EEXIST') throw failure
  }
  const found = await fileSystem.lstat(scratch)
  if (!found.isDirectory()) throw new TransferError('target-unwritable', `${scratch} is not a folder`)
  return true
}

/** Deletes what a folder download left beside its finished files, which stay. */
export async function discardFolder(
  record: FolderRecord,
  deps: EngineDeps,
  openFiles: OpenSmallFiles,
  discardDownload: Runs['discardDownload'],
): Promise<void> {
  const { checkpoints, fileSystem } = deps
  const begun = await checkpoints.downloadsOf(record.id)
  for (const each of begun) await discardDownload(each, fileSystem)
  await checkpoints.remove(begun.map(({ id }) => id))
  await checkpoints.removeItems(record.id)
  await checkpoints.removePlan(record.id)
  const root = record.targetPath
  const scratch = scratchOf(record, root)
  // If a link has its place, what that leads to is not ours.
  if ((await orNull(fileSystem.lstat(scratch)))?.isDirectory() !== true) return
  await openFiles({ root, scratch, isUnclean: true }).close()
}
