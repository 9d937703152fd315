// The plan of a folder upload: the source is walked once, then the plan is frozen in the database.

import type { SkippedFile, SkippedSums, SkipReason } from '../../../../shared/transfer/transfer.ts'
import type { UploadFolderSums } from '../../core/records.ts'
import type { UploadFolderContext } from '../../core/run.ts'
import type { SourceFiles, WalkPage } from './source-files.ts'

/** How many skipped files are named; more are only counted. */
const MAX_NAMED_SKIPS = 100
/** Files skipped for these reasons should have been sent. */
const WANTED: ReadonlySet<SkipReason> = new Set(['unreadable', 'in-cloud', 'name'])

const NOTHING: UploadFolderSums = {
  files: 0,
  sizeBytes: 0,
  emptyFolders: 0,
  skipped: { count: 0, unreadable: 0, named: [] },
}

/** Yields the pages of a walk, each with the sums so far. */
export async function* sumWalk(pages: AsyncIterable<WalkPage>): AsyncGenerator<{
  readonly page: WalkPage
  readonly sums: UploadFolderSums
}> {
  let sums = NOTHING
  for await (const page of pages) {
    sums = {
      files: sums.files + page.files.length,
      sizeBytes: page.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, sums.sizeBytes),
      emptyFolders: sums.emptyFolders + page.emptyFolders,
      skipped: addSkipped(sums.skipped, page.skipped),
    }
    yield { page, sums }
  }
}

function addSkipped(before: SkippedSums, more: readonly SkippedFile[]): SkippedSums {
  if (more.length === 0) return before
  return {
    count: before.count + more.length,
    unreadable: before.unreadable + more.filter(({ reason }) => WANTED.has(reason)).length,
    named: before.named.concat(more.slice(0, MAX_NAMED_SKIPS - before.named.length)),
  }
}

/** Finds out what there is to send and makes that durable, in place of what an earlier walk found. */
export async function makePlan(context: UploadFolderContext, sources: SourceFiles): Promise<UploadFolderSums> {
  const { record, deps, report, signal } = context
  // Replaces the counts of the previous run.
  report.items({ done: 0, total: 0, failed: 0, isCounted: false })
  await deps.checkpoints.removePlan(record.id)
  let planned = NOTHING
  for await (const { page, sums } of sumWalk(sources.walk())) {
    signal.throwIfAborted()
    await deps.checkpoints.addToPlan(record.id, { first: planned.files, files: page.files })
    planned = sums
    report.size(sums.sizeBytes)
    report.items({ done: 0, total: sums.files, failed: 0, isCounted: false })
  }
  await deps.checkpoints.update(record.id, { planned })
  return planned
}

/** Whether the recorded plan can be read completely. */
export async function isPlanWhole(context: UploadFolderContext, planned: UploadFolderSums): Promise<boolean> {
  let files = 0
  for await (const page of context.deps.checkpoints.plan(context.record.id)) {
    if (page.first !== files) return false
    files += page.files.length
  }
  return files === planned.files
}

/** Which versions were sent, by file number. Two doubles a file, because there may be a million files. */
export interface SentVersions {
  isSent(number: number): boolean
  isVersion(number: number, file: { readonly sizeBytes: number; readonly modifiedMs: number }): boolean
}

/** Reads what earlier runs sent. If a file was sent several times, the latest version counts. */
export async function readSent(context: UploadFolderContext, planned: UploadFolderSums): Promise<SentVersions> {
  const sizes = new Float64Array(planned.files).fill(-1)
  const times = new Float64Array(planned.files)
  for await (const files of context.deps.checkpoints.sent(context.record.id)) {
    for (const { number, sizeBytes, modifiedMs } of files) {
      if (number >= planned.files) continue
      sizes[number] = sizeBytes
      times[number] = modifiedMs
    }
  }
  return {
    isSent: (number) => (sizes[number] ?? -1) >= 0,
    isVersion: (number, { sizeBytes, modifiedMs }) => sizes[number] === sizeBytes && times[number] === modifiedMs,
  }
}
