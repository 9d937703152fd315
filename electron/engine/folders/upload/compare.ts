import type { ListedObject } from '../../../../shared/place/place.ts'
import type { TransferErrorCode } from '../../../../shared/transfer/transfer-error.ts'
import { compareKeys } from '../../../stores/port/key-order.ts'
import type { ListObjectsPage, ListObjectsRequest } from '../../../stores/port/object-store.ts'
import type { WorkQueue } from '../../async/work-queue.ts'
import type { PlannedFile, PlanPage } from '../../core/records.ts'
import { TransferError } from '../../core/transfer-error.ts'
import { PROGRESS_BYTES, withRetry } from '../../retry/create-retry-policy.ts'
import { limitEmptyPages } from '../../retry/endless-pages.ts'
import type { UploadFolderRun, WantedFile } from './folder-run.ts'
import type { SentVersions } from './plan.ts'

/** How many files may wait to be sent before more are looked at. */
const AHEAD_FILES = 4000

/** Goes through the plan and passes on files that are not sent yet, each with the object that has its key. */
export async function compareListing(
  run: UploadFolderRun,
  sent: SentVersions,
  wanted: WorkQueue<WantedFile>,
): Promise<void> {
  const { context } = run
  const objectAt = listedInOrder(run)
  context.report.stage('transferring')
  for await (const page of context.deps.checkpoints.plan(context.record.id)) {
    for (const file of await unsent(run, sent, page)) {
      const key = context.record.key + file.name
      const left = run.left.get(key)
      if (left === undefined) wanted.push({ ...file, key, there: await objectAt(key) })
      else run.tally.failed(file.number, key, left)
    }
    await wanted.drained(AHEAD_FILES)
  }
}

/** The files of a page that were not sent, or have changed since. */
async function unsent(
  { sources, context, tally }: UploadFolderRun,
  sent: SentVersions,
  { first, files }: PlanPage,
): Promise<readonly (PlannedFile & { readonly number: number })[]> {
  const numbered = files.map((file, index) => ({ ...file, number: first + index }))
  const before = numbered.filter(({ number }) => sent.isSent(number))
  if (before.length === 0) return numbered
  const stats = await sources.stat(before.map(({ name }) => name))
  const done = new Set<number>()
  for (const [index, { number, sizeBytes }] of before.entries()) {
    const now = stats[index] ?? null
    // A file that is gone now was sent while it was there.
    if (now !== null && !sent.isVersion(number, now)) continue
    done.add(number)
    context.report.confirmed(sizeBytes, 'found')
    tally.done(number, sizeBytes, null)
  }
  return numbered.filter(({ number }) => !done.has(number))
}

/** The objects of up to this many dropped files are looked up one by one; for more, their prefix is listed. */
const ASKED_ONE_BY_ONE = 16

/** Creates a function that finds the object with a key; keys must ascend. */
function listedInOrder(run: UploadFolderRun): (key: string) => Promise<ListedObject | null> {
  const { key: prefix, sourcePaths } = run.context.record
  const beside = sourcePaths.length > ASKED_ONE_BY_ONE ? createCursor(run, { prefix, delimiter: '/' }) : null
  let folder = ''
  let inFolder: Cursor | null = null
  return async (key) => {
    const cut = key.indexOf('/', prefix.length)
    if (cut < 0) return (beside ?? createCursor(run, { prefix: key, maxKeys: 1 }))(key)
    if (inFolder === null || key.slice(0, cut + 1) !== folder) {
      folder = key.slice(0, cut + 1)
      inFolder = createCursor(run, { prefix: folder })
    }
    return inFolder(key)
  }
}

type Cursor = (key: string) => Promise<ListedObject | null>
type Listing = Pick<ListObjectsRequest, 'prefix' | 'delimiter' | 'maxKeys'>

/** Reads a listing as far as the asked keys require. The next page is fetched while one is looked through. */
function createCursor(run: UploadFolderRun, listing: Listing): Cursor {
  const requireEnd = limitEmptyPages('ListObjects')
  let coming: Promise<ListObjectsPage | null> = pageAfter(run, listing, null)
  // A failure is handled where the page is awaited.
  coming.catch(() => undefined)
  let objects: readonly ListedObject[] = []
  let at = 0
  let isOver = false

  async function nextPage(): Promise<void> {
    const page = await coming
    if (page !== null) requireEnd(page.objects.length + page.prefixes.length, page.requestId)
    const last = objects.at(-1)?.key
    objects = page?.objects ?? []
    at = 0
    const marker = page?.nextMarker ?? null
    isOver = marker === null || listing.maxKeys === 1
    if (!isOver) {
      coming = pageAfter(run, listing, marker)
      coming.catch(() => undefined)
    }
    requireOrder(last, objects)
  }

  return async (key) => {
    for (;;) {
      for (let object = objects[at]; object !== undefined; object = objects[at]) {
        const order = compareKeys(object.key, key)
        if (order === 0) return object
        if (order > 0) return null
        at += 1
      }
      if (isOver) return null
      await nextPage()
    }
  }
}

/** Returns null if listing is forbidden or unavailable, and the policy is to replace everything anyway. */
async function pageAfter(
  { context, retryPolicy }: UploadFolderRun,
  listing: Listing,
  marker: string | null,
): Promise<ListObjectsPage | null> {
  const { store, record, signal, report } = context
  const after = marker === null ? {} : { marker }
  try {
    return await withRetry(retryPolicy, async () => {
      const page = await store.listObjects({ ...listing, ...after, signal })
      retryPolicy.progressed(PROGRESS_BYTES)
      return page
    })
  } catch (failure) {
    const isUntold = failure instanceof TransferError && UNTOLD.has(failure.info.code)
    if (!isUntold || record.onConflict !== 'replace') throw failure
    report.log('Existing objects can’t be listed; uploading everything', failure.info.requestId)
    return null
  }
}

const UNTOLD = new Set<TransferErrorCode>(['access-denied', 'feature-unavailable'])

/** Throws for a listing that is not in key order, because that would hide existing objects. */
function requireOrder(before: string | undefined, objects: readonly ListedObject[]): void {
  let last = before
  for (const { key } of objects) {
    if (last !== undefined && compareKeys(last, key) >= 0) {
      throw new TransferError('feature-unavailable', 'The service does not list objects in key order')
    }
    last = key
  }
}
