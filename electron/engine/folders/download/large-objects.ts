import { relative, sep } from 'node:path'
import type { WorkQueue } from '../../async/work-queue.ts'
import { downloadRecord } from '../../core/new-records.ts'
import type { DownloadRecord } from '../../core/records.ts'
import type { RunReporter, Runs } from '../../core/run.ts'
import { TransferError } from '../../core/transfer-error.ts'
import { resolveTarget } from '../../files/safe-path.ts'
import { discardDownload } from '../../partial-file/partial-file.ts'
import { withRetry } from '../../retry/create-retry-policy.ts'
import { Reach } from '../../retry/reach.ts'
import { reporterOf } from '../child-report.ts'
import type { FolderRun } from './folder-run.ts'
import { isProven, secondsOf } from './list-prefix.ts'
import type { WantedItem } from './wanted-item.ts'

/**
 * Downloads large objects, one after the other, until there are no more. Each is a transfer of its own, whose record
 * belongs to the folder's and outlives any interruption.
 */
export async function fetchLarge(
  run: FolderRun,
  wanted: WorkQueue<WantedItem>,
  begun: ReadonlyMap<string, DownloadRecord>,
  runDownload: Runs['download'],
): Promise<void> {
  for (let item = await wanted.take(); item !== null; item = await wanted.take()) {
    const reach = new Reach(run.retryPolicy)
    let record = begun.get(item.object.key) ?? null
    run.tally.began(item.number)
    for (;;) {
      try {
        await fetchOne(run, { item, begun: record, reach }, runDownload)
        break
      } catch (failure) {
        if (await run.givesUp(item, failure)) break
        record = await begunOf(run, item)
      }
    }
  }
}

/** Reads the current record of what an earlier try left of an object. */
async function begunOf({ context }: FolderRun, { object }: WantedItem): Promise<DownloadRecord | null> {
  const begun = await context.deps.checkpoints.downloadsOf(context.record.id)
  return begun.findLast(({ key }) => key === object.key) ?? null
}

/** Removes what a try left of an object that is not needed any more. */
async function discardLeft(run: FolderRun, item: WantedItem): Promise<void> {
  const left = await begunOf(run, item)
  if (left !== null) await discardDownload(left, run.context.deps.fileSystem)
}

/** One of the tries to fetch an object. */
interface Try {
  readonly item: WantedItem
  /** The download that it continues; null when there is none. */
  readonly begun: DownloadRecord | null
  readonly reach: Reach
}

async function fetchOne(run: FolderRun, { item, begun, reach }: Try, runDownload: Runs['download']): Promise<void> {
  const { context, journal, tally, root } = run
  const { checkpoints } = context.deps
  const { key } = item.object
  const record = begun ?? (await newRecord(run, item))
  const told = { path: record.targetPath, sizeBytes: item.object.sizeBytes, etag: item.object.etag }
  const own = reporterOf(context.report, told, run.finishing(), reach)
  const report: RunReporter = {
    ...own,
    moved(bytes) {
      run.space.moved(bytes)
      own.moved(bytes)
    },
  }
  const outcome = await runDownload({ ...context, record, report })
  switch (outcome.kind) {
    case 'stopped':
      context.signal.throwIfAborted()
      return
    case 'failed':
      if (outcome.error.code !== 'target-exists') throw TransferError.of(outcome.error)
      if (await isProven(run, item.object, told.path)) {
        context.report.confirmed(item.object.sizeBytes, 'found')
        tally.alreadyThere(item.number, item.object.sizeBytes, null)
      } else if (context.record.onConflict === 'skip') tally.skipped(item.number, told.sizeBytes)
      else throw TransferError.of(outcome.error)
      await discardLeft(run, item)
      break
    case 'completed': {
      const path = relative(root, told.path).split(sep).join('/')
      tally.resized(told.sizeBytes - item.object.sizeBytes)
      tally.done(item.number, told.sizeBytes, outcome)
      const modifiedSeconds = secondsOf(item.object.lastModified)
      journal.durable({ key, path, sizeBytes: told.sizeBytes, etag: told.etag, modifiedSeconds })
      await journal.commit()
    }
  }
  await withRetry(run.retryPolicy, () => checkpoints.remove([record.id]))
}

async function newRecord(
  { context, root, files }: FolderRun,
  { object, path, mayReplace }: WantedItem,
): Promise<DownloadRecord> {
  const { deps, record } = context
  const targetPath = await resolveTarget(deps.fileSystem, root, path, (folder) => files.made(folder))
  const asked = record.onConflict === 'skip' ? 'fail' : record.onConflict
  const onConflict = mayReplace ? 'replace' : asked
  const facts = { id: deps.uuid(), position: record.position, createdAtMs: deps.clock.nowMs() }
  const request = { location: record.location, key: object.key, targetPath, onConflict, root } as const
  const child: DownloadRecord = { ...downloadRecord(request, facts), folderId: record.id }
  await deps.checkpoints.insert([child])
  return child
}
