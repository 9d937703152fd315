import { join } from 'node:path'
import { SMALL_OBJECT_MAX_BYTES } from '../../../../shared/limits.ts'
import type { ListedObject } from '../../../../shared/place/place.ts'
import type { ListObjectsPage } from '../../../stores/port/object-store.ts'
import type { WorkQueue } from '../../async/work-queue.ts'
import type { FolderItem } from '../../core/records.ts'
import { TransferError } from '../../core/transfer-error.ts'
import { onTarget, orNull } from '../../files/file-errors.ts'
import { isSpecialFile } from '../../files/special-file.ts'
import { fileTimeMs } from '../../files/file-time.ts'
import { longPathWords, nameRulesOf } from '../../files/name-rules.ts'
import { resolveTarget } from '../../files/safe-path.ts'
import { provesContent } from '../../integrity/proof-strength.ts'
import { md5OfEtag } from '../../integrity/etag.ts'
import { proveIfReadable } from '../../integrity/prove-content.ts'
import { isCommonCause } from '../../retry/classify.ts'
import { PROGRESS_BYTES, withRetry } from '../../retry/create-retry-policy.ts'
import { limitEmptyPages } from '../../retry/endless-pages.ts'
import { createLayout } from '../layout.ts'
import type { FolderRun } from './folder-run.ts'
import type { FileCheck, FileVerdict } from './small-files.ts'
import type { WantedItem } from './wanted-item.ts'

/** How many objects may wait to be fetched before another page is asked for. */
const AHEAD_ITEMS = 4000

/** Lists the prefix, and passes on what is not here already. The next page is fetched while one is looked through. */
export async function listFolder(run: FolderRun, wanted: WorkQueue<WantedItem>): Promise<void> {
  const { tally, context } = run
  const listing = await compareListing(run)
  const requireEnd = limitEmptyPages('ListObjects')
  let page: ListObjectsPage | null = await pageAfter(run, null)
  context.report.stage('transferring')
  while (page !== null) {
    requireEnd(page.objects.length, page.requestId)
    const next: Promise<ListObjectsPage> | null = page.nextMarker === null ? null : pageAfter(run, page.nextMarker)
    // A failure is handled where the page is awaited.
    next?.catch(() => undefined)
    const items = await listing.compare(page.objects)
    await run.space.waitFor(items)
    for (const item of items) wanted.push(item)
    await wanted.drained(AHEAD_ITEMS)
    page = next === null ? null : await next
  }
  tally.counted()
  if (tally.counts.total === 0 && !listing.hasFoundFolder)
    throw new TransferError('no-such-key', `There is nothing under “${context.record.key}”`)
}

function pageAfter({ context, retryPolicy }: FolderRun, marker: string | null): Promise<ListObjectsPage> {
  const { store, record, signal } = context
  const after = marker === null ? {} : { marker }
  return withRetry(retryPolicy, async () => {
    const page = await store.listObjects({ prefix: record.key, signal, ...after })
    retryPolicy.progressed(PROGRESS_BYTES)
    return page
  })
}

/** Goes through the pages of a listing, in order. */
interface Listing {
  /** Whether any object only stood for a folder. */
  readonly hasFoundFolder: boolean
  /** Makes the listed folders, and finds out which of the other objects are to be fetched. */
  compare(objects: readonly ListedObject[]): Promise<readonly WantedItem[]>
}

/** Compares the listing with what is in the folder. */
async function compareListing(run: FolderRun): Promise<Listing> {
  const { context, files, tally, left } = run
  const { record, deps } = context
  const earlier = new Map<string, FolderItem>()
  for await (const items of deps.checkpoints.items(record.id)) for (const item of items) earlier.set(item.key, item)
  await deps.checkpoints.removePlan(record.id)
  const layout = createLayout(
    [...earlier.values()].map(({ path }) => path),
    await nameRulesOf(deps.fileSystem, run.root),
  )
  let count = 0
  let hasFoundFolder = false

  async function compare(objects: readonly ListedObject[]): Promise<readonly WantedItem[]> {
    // An empty page needs no question to the thread, which would take longer than the page.
    if (objects.length === 0) return []
    const below = objects.filter(({ key }) => key.startsWith(record.key))
    for (const { key } of below.filter(isFolderMarker)) {
      hasFoundFolder = true
      await makeFolder(run, key, layout.folderOf(key.slice(record.key.length)))
    }
    const inFolder = below.filter((object) => !isFolderMarker(object))
    const first = count
    count += inFolder.length
    const planned = inFolder.map(({ key, sizeBytes }) => ({
      // The key of an object may be the prefix itself.
      name: key.slice(record.key.length) || '/',
      sizeBytes,
      modifiedMs: 0,
    }))
    // The plan only serves to show what is left: the download goes on without it.
    if (planned.length > 0)
      await deps.checkpoints.addToPlan(record.id, { first, files: planned }).catch(() => undefined)
    const checks = inFolder.map((object) => {
      const known = earlier.get(object.key) ?? null
      return checkOf(run, object, known, known?.path ?? layout.fileOf(object.key.slice(record.key.length)))
    })
    const verdicts = await files.check(checks)
    const wanted: WantedItem[] = []
    for (const [index, object] of inFolder.entries()) {
      const path = checks[index]?.path ?? ''
      tally.found(object.sizeBytes)
      if (path !== object.key.slice(record.key.length)) tally.renamed(object.key, path)
      const target = join(run.root, path)
      const tooLong = longPathWords(target)
      if (tooLong !== null) tally.longPath(target, tooLong)
      const number = first + index
      const verdict = await decide(run, { number, object, path }, verdicts[index] ?? 'other')
      if (verdict === null) continue
      const reason = left.get(object.key)
      if (reason !== undefined) {
        tally.failed(number, object.key, reason)
        continue
      }
      wanted.push({
        number,
        object,
        path,
        mayReplace: verdict === 'replace' || record.onConflict === 'replace',
      })
    }
    return wanted
  }

  return {
    get hasFoundFolder() {
      return hasFoundFolder
    },
    compare,
  }
}

/** Whether an object only stands for an empty folder, as services and browsers keep it: no bytes, and a final `/`. */
export function isFolderMarker({ key, sizeBytes }: ListedObject): boolean {
  return sizeBytes === 0 && key.endsWith('/')
}

async function makeFolder({ context, retryPolicy, root, tally }: FolderRun, key: string, path: string): Promise<void> {
  try {
    if (path !== '') await withRetry(retryPolicy, () => resolveTarget(context.deps.fileSystem, root, `${path}/any`))
  } catch (failure) {
    if (!(failure instanceof TransferError) || isCommonCause(failure.info)) throw failure
    tally.found(0)
    tally.failed(null, key, failure.info)
  }
}

function checkOf({ context }: FolderRun, object: ListedObject, earlier: FolderItem | null, path: string): FileCheck {
  const { sizeBytes, lastModified } = object
  const isSmall = sizeBytes <= SMALL_OBJECT_MAX_BYTES
  return {
    path,
    sizeBytes,
    md5: isSmall && context.store.capabilities.etagIsMd5 ? md5OfEtag(object.etag) : null,
    modifiedSeconds: secondsOf(lastModified),
    earlier: earlier && {
      sizeBytes: earlier.sizeBytes,
      modifiedSeconds: earlier.modifiedSeconds,
      isThisVersion: earlier.etag === object.etag && earlier.sizeBytes === sizeBytes,
    },
  }
}

/** Decides how an object is written; null when there is nothing to do for it. */
async function decide(
  run: FolderRun,
  { number, object, path }: Pick<WantedItem, 'number' | 'object' | 'path'>,
  verdict: FileVerdict,
): Promise<'new' | 'replace' | null> {
  const { tally, context } = run
  const { key, sizeBytes } = object
  if (verdict === 'absent') return 'new'
  if (verdict === 'ours') return 'replace'
  if (verdict === 'kept') {
    context.report.confirmed(sizeBytes, 'found')
    tally.done(number, sizeBytes, null)
    return null
  }
  if (verdict === 'equal' || (await isProvenEqual(run, object, path))) {
    context.report.confirmed(sizeBytes, 'found')
    tally.alreadyThere(number, sizeBytes, null)
    return null
  }
  const target = join(run.root, path)
  const refuse = (): null => {
    tally.failed(number, key, new TransferError('target-exists', target).info)
    return null
  }
  switch (context.record.onConflict) {
    case 'replace':
      return (await onTarget(target, () => isSpecialFile(context.deps.fileSystem, target))) ? refuse() : 'replace'
    case 'keep-both':
    case 'skip-identical':
      return 'new'
    case 'skip':
      tally.skipped(number, sizeBytes)
      return null
    case 'fail':
      return refuse()
  }
}

/** Compares what the quick check could not: large files, and objects of several parts. */
async function isProvenEqual(run: FolderRun, object: ListedObject, path: string): Promise<boolean> {
  const isChecked = object.sizeBytes <= SMALL_OBJECT_MAX_BYTES && md5OfEtag(object.etag) !== null
  return !isChecked && (await isProven(run, object, join(run.root, path)))
}

/** Whether a file (absolute path) is proven to have the bytes of an object. */
export async function isProven({ context }: FolderRun, object: ListedObject, file: string): Promise<boolean> {
  const facts = await orNull(context.deps.fileSystem.lstat(file))
  if (facts?.isFile() !== true || facts.size !== object.sizeBytes) return false
  return provesContent(await proveIfReadable(context, file, { key: object.key, identity: object }))
}

/** Whole seconds since the epoch; null when `date` is not a date. */
export function secondsOf(date: string | null): number | null {
  const timeMs = fileTimeMs(date)
  return timeMs === null ? null : Math.floor(timeMs / 1000)
}
