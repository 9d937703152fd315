// Commands and queries about single files of a folder transfer.

import { join } from 'node:path'
import type { FolderFileName, FolderFiles, FolderFilesQuery } from '../../../../shared/transfer/folder-file.ts'
import type { FolderRecord } from '../../core/records.ts'
import { sourcePathOf } from '../../core/source-path.ts'
import { nameRulesOf } from '../../files/name-rules.ts'
import { isBelow } from '../../files/safe-path.ts'
import { createLayout } from '../../folders/layout.ts'
import { isOfMany, type TransferEntry } from '../../transfer/transfer-entry.ts'
import type { FolderFacts } from '../../transfer/folder-plan.ts'
import { failuresOf, NOTHING_COUNTED } from '../../transfer/transfer-row.ts'
import type { CommandParts } from './command-parts.ts'
import { retryChosen } from './stop-and-go.ts'

/** A page of the files of a folder transfer; null when the transfer is not one. */
export async function filesOf(
  { queue }: CommandParts,
  { id, first, count }: FolderFilesQuery,
): Promise<FolderFiles | null> {
  const entry = queue.get(id)
  if (entry === undefined || !isOfMany(entry.record)) return null
  const plan = await queue.plans.of(entry.record, queue.progressOf(entry).files)
  await plan.arrange(factsOf(entry))
  return isOfMany(entry.record) ? plan.page(first, count, factsOf(entry)) : null
}

function factsOf(entry: TransferEntry): FolderFacts {
  const { record, progress, state, retried } = entry
  const counts = isOfMany(record) ? record.counts : null
  return {
    status: state.status,
    items: progress?.counted ?? counts ?? NOTHING_COUNTED,
    failures: errorsOf(entry),
    asked: retried ?? new Set(),
  }
}

/** Tries one failed file of a folder transfer again, once its run is over. Other failed files stay failed. */
export async function retryFile(parts: CommandParts, { id, path }: FolderFileName): Promise<void> {
  const { queue } = parts
  const entry = queue.get(id)
  if (entry === undefined || !isOfMany(entry.record)) return
  const plan = await queue.plans.of(entry.record, queue.progressOf(entry).files)
  if (!plan.hasFailed(path, { failures: errorsOf(entry) })) return
  // A folder that is queued to be tried again as a whole stays so.
  const isWhole = entry.state.status === 'queued' && entry.retried === null
  if (!isWhole) entry.retried = withRetried(entry, path)
  queue.touch(entry)
  await entry.busy
  if (entry.state.status === 'failed') await retryChosen(parts, [id], 'retried')
}

/** Where a file of a folder is, or would be, on this computer; null when no folder has it, or it would be outside. */
export async function localPathOf(parts: CommandParts, { id, path }: FolderFileName): Promise<string | null> {
  const entry = parts.queue.get(id)
  if (entry === undefined || !isOfMany(entry.record)) return null
  const { record } = entry
  if (record.direction === 'folder') return downloadedPathOf(parts, entry, record, path)
  const [source, found] = [path.split('/', 1)[0] ?? '', path].map((name) => sourcePathOf(record, name))
  return source != null && found != null && (found === source || isBelow(source, found)) ? found : null
}

/** Finds the path that a run gave, or would give, the file: a key may be no valid name, or another file may have it. */
async function downloadedPathOf(
  { deps, queue }: CommandParts,
  entry: TransferEntry,
  record: FolderRecord,
  path: string,
): Promise<string | null> {
  const written = new Map<string, string>()
  for await (const items of deps.checkpoints.items(record.id)) {
    for (const item of items) written.set(item.key, item.path)
    const found = written.get(record.key + path)
    if (found !== undefined) return join(record.targetPath, found)
  }
  const { paths } = await queue.plans.of(record, queue.progressOf(entry).files)
  if (!paths.includes(path)) return null
  const layout = createLayout(written.values(), await nameRulesOf(deps.fileSystem, record.targetPath))
  for (const name of paths) {
    if (written.has(record.key + name)) continue
    const file = layout.fileOf(name)
    if (name === path) return join(record.targetPath, file)
  }
  return null
}

/** Why the first failed files failed, by key. */
function errorsOf(entry: TransferEntry): FolderFacts['failures'] {
  return new Map(failuresOf(entry).map(({ key, error }) => [key, error]))
}

/** The keys that the next run tries again, with that of one more file. */
function withRetried({ record, retried }: TransferEntry, path: string): ReadonlySet<string> {
  return new Set(retried).add(record.key + path)
}
