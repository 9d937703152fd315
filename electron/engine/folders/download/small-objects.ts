import { basename, dirname, join } from 'node:path'
import { SMALL_OBJECT_MAX_BYTES } from '../../../../shared/limits.ts'
import type { Proof } from '../../../../shared/transfer/transfer.ts'
import type { MemoryBudget } from '../../async/memory-budget.ts'
import type { WorkQueue } from '../../async/work-queue.ts'
import { blockBytesUnder } from '../../core/rate-limiter.ts'
import { TransferError } from '../../core/transfer-error.ts'
import { leave } from '../../download/requests.ts'
import { targetFailure } from '../../files/file-errors.ts'
import { numberedName } from '../../files/safe-name.ts'
import { md5OfEtag } from '../../integrity/etag.ts'
import { partCountOf } from '../../integrity/proof-goals.ts'
import { Reach } from '../../retry/reach.ts'
import { Memory } from '../shared-memory.ts'
import { moved, type FolderRun } from './folder-run.ts'
import { secondsOf } from './list-prefix.ts'
import type { WriteResult } from './small-files.ts'
import type { WantedItem } from './wanted-item.ts'

/** A whole object in memory, from one response. */
interface FetchedObject {
  readonly memory: number
  readonly sizeBytes: number
  readonly etag: string | null
  readonly lastModified: string | null
}

/**
 * Fetches small objects, one after the other, until there are no more. Each takes one request, without a range or a
 * probe. Objects that need more go to `large`. `slot` is different for each call that runs at the same time.
 */
export async function fetchSmall(
  run: FolderRun,
  wanted: WorkQueue<WantedItem>,
  large: WorkQueue<WantedItem>,
  budget: MemoryBudget,
  slot: number,
): Promise<void> {
  const memory = new Memory(slot, run.files)
  const { signal } = run.context
  for (let item = await wanted.take(); item !== null; item = await wanted.take()) {
    const { sizeBytes } = item.object
    if (needsMore(run, item)) {
      large.push(item)
      continue
    }
    await run.slots.enter(sizeBytes)
    await budget.take(sizeBytes, signal)
    try {
      signal.throwIfAborted()
      await fetchOne(run, item, large, memory)
    } finally {
      budget.give(sizeBytes)
      run.slots.leave(sizeBytes)
    }
  }
}

/** Whether an object is too large for memory or has parts: only its own download asks for parts and proves them. */
function needsMore({ context }: FolderRun, { object }: WantedItem): boolean {
  const isOfParts = context.store.capabilities.etagIsMd5 && partCountOf(object) !== null
  return object.sizeBytes > SMALL_OBJECT_MAX_BYTES || isOfParts
}

async function fetchOne(run: FolderRun, item: WantedItem, large: WorkQueue<WantedItem>, memory: Memory): Promise<void> {
  const reach = new Reach(run.retryPolicy)
  run.tally.began(item.number)
  for (let tries = 1; ; tries += 1) {
    try {
      const fetched = await fetchWhole(run, item, memory, reach)
      if (fetched === null) return large.push(item)
      const isPlaced = await place(run, item, fetched)
      if (isPlaced) return
      moved(run, -fetched.sizeBytes)
      // A download of its own finds out whether the bytes are wrong or the ETag is not an MD5.
      if (tries > 1) return large.push(item)
    } catch (failure) {
      if (await run.givesUp(item, failure)) return
    }
  }
}

/** Returns null when one plain response won't do: it is larger than listed, of unknown size, encoded, or no content. */
async function fetchWhole(
  run: FolderRun,
  { object }: WantedItem,
  memory: Memory,
  reach: Reach,
): Promise<FetchedObject | null> {
  const { store, signal, limiter, deps } = run.context
  const askedAtMs = deps.clock.monotonicMs()
  const response = await store.getObject({ key: object.key, signal })
  run.slots.answered(deps.clock.monotonicMs() - askedAtMs)
  if (response.kind !== 'content') return null
  const { head, contentLength, body } = response
  const isPlain = response.status === 200 && head.contentEncoding === null
  // Memory was reserved for the listed size.
  if (!isPlain || contentLength === null || contentLength > object.sizeBytes) {
    await leave(body)
    return null
  }
  const bytes = memory.room(contentLength)
  let filled = 0
  let movedBytes = 0
  const reached = reach.begin()
  try {
    for await (const block of body) {
      bytes.set(block, filled)
      filled += block.length
      // Bytes count as moved once the limiter lets them pass; nothing more is read meanwhile.
      while (movedBytes < filled) {
        const stepBytes = Math.min(filled - movedBytes, blockBytesUnder(limiter.limitBytesPerSecond))
        const turn = limiter.take(stepBytes, signal)
        if (turn !== null) await turn
        moved(run, stepBytes)
        reached(stepBytes)
        run.slots.arrived(stepBytes)
        movedBytes += stepBytes
      }
    }
  } catch (failure) {
    if (signal.aborted) run.context.report.dropped(movedBytes)
    moved(run, -movedBytes)
    throw failure
  }
  run.retryPolicy.progressed(Math.max(1, filled))
  return { memory: memory.number, sizeBytes: filled, etag: head.etag, lastModified: head.lastModified }
}

/** Writes and names the file. Returns false when its bytes are not those that the ETag promises. */
async function place(run: FolderRun, item: WantedItem, fetched: FetchedObject): Promise<boolean> {
  const { context, files, journal, tally } = run
  const { object } = item
  const md5 = context.store.capabilities.etagIsMd5 ? md5OfEtag(fetched.etag) : null
  const { memory, sizeBytes, etag } = fetched
  const modifiedSeconds = secondsOf(fetched.lastModified)
  const { number, path, mayReplace } = item
  const result = await files.write({ number, path, mayReplace, md5, modifiedSeconds, memory, sizeBytes })
  if (result.kind === 'damaged') return false
  tally.resized(sizeBytes - object.sizeBytes)
  const placed = await nameAnew(run, item, result)
  const proof: Proof = md5 === null ? { verification: 'size-only', lack: 'no-checksum' } : { verification: 'etag-md5' }
  switch (placed.kind) {
    case 'skipped':
      tally.skipped(number, sizeBytes)
      break
    case 'equal':
      context.report.confirmed(sizeBytes, 'moved')
      tally.alreadyThere(number, sizeBytes, proof)
      break
    case 'named':
      tally.done(number, sizeBytes, proof)
      journal.written({ key: object.key, path: placed.path, sizeBytes, etag, modifiedSeconds })
  }
  return true
}

/** Where a file ends up. `equal`: another download, or a person, has put the same bytes there meanwhile. */
type Placed = { readonly kind: 'named'; readonly path: string } | { readonly kind: 'equal' | 'skipped' }

/** Gives a written file its name, or another one if that is taken. Throws what fails the object. */
async function nameAnew({ files, context, root }: FolderRun, item: WantedItem, first: WriteResult): Promise<Placed> {
  let { path } = item
  for (let result = first, number = 1; ; number += 1) {
    if (result.kind === 'written') return { kind: 'named', path }
    if (result.kind === 'equal') return { kind: 'equal' }
    if (result.kind === 'damaged') throw new TransferError('final-mismatch', path)
    if (result.kind === 'failed') {
      const failure = Object.assign(new Error(result.message), result.code === null ? {} : { code: result.code })
      throw targetFailure(failure, path)
    }
    const { onConflict } = context.record
    if (onConflict === 'skip') return { kind: 'skipped' }
    if (onConflict === 'fail') throw new TransferError('target-exists', join(root, item.path))
    path = join(dirname(item.path), numberedName(basename(item.path), number))
    result = await files.publish(item.number, path)
  }
}
