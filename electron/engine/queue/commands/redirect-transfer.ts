// Changes what a stopped transfer is to do: continue an unfinished upload, use another bucket, use another link.

import type { TransferId } from '../../../../shared/transfer/transfer.ts'
import { adoptMatch } from '../../core/new-records.ts'
import type { StoreLocation } from '../../core/records.ts'
import type { TransferSelection, UploadMatch } from '../../core/requests.ts'
import { isEnded, type TransferEntry } from '../../transfer/transfer-entry.ts'
import type { CommandParts } from './command-parts.ts'

/** How the last try ended no longer counts. */
const TRIED_AGAIN = { error: null, finishedAtMs: null, retryAtMs: null }

/**
 * Makes an upload that has not begun continue `match` or, with null, begin a new one without looking for others, and
 * lets it go on. @returns false if it does not apply.
 */
export async function decideUpload(parts: CommandParts, id: TransferId, match: UploadMatch | null): Promise<boolean> {
  const entry = parts.queue.get(id)
  if (entry === undefined || isEnded(entry) || !hasNotBegun(entry)) return false
  let decision = Promise.resolve(false)
  await whileStopped(parts, entry, async () => {
    if (hasNotBegun(entry)) decision = record(parts, entry, match)
    await decision.catch(() => undefined)
  })
  const isDecided = await decision
  await goOn(parts, entry)
  return isDecided
}

async function record(
  { deps, aborts, queue }: CommandParts,
  entry: TransferEntry,
  match: UploadMatch | null,
): Promise<true> {
  const begun = match === null ? { changes: { isNewUpload: true }, parts: [] } : adoptMatch(match)
  const changes = { error: null, finishedAtMs: null, ...begun.changes }
  // The upload may have been given up while a person decided.
  if (match !== null) await aborts.withdraw(match.uploadId)
  await deps.checkpoints.putParts(entry.id, begun.parts)
  await queue.change(entry, changes)
  return true
}

/** Whether the service has nothing of the upload yet. */
function hasNotBegun({ record }: TransferEntry): boolean {
  return record.direction === 'upload' && record.uploadId === null && record.intent === null
}

/** Starts failed transfers over in another bucket of their place. Others are left as they are. */
export async function rebucket(parts: CommandParts, ids: TransferSelection, bucket: string): Promise<void> {
  await Promise.all(parts.queue.entriesOf(ids).map((entry) => rebucketOne(parts, entry, bucket)))
}

async function rebucketOne({ queue, pool }: CommandParts, entry: TransferEntry, bucket: string): Promise<void> {
  const { location, direction } = entry.record
  if (entry.state.status !== 'failed' || location.kind !== 'place') return
  // The new bucket has not been looked at yet.
  const isOpen = direction === 'upload' ? ({ isNewUpload: false, onConflict: 'fail' } as const) : {}
  await pool.occupy(entry, async () => {
    await pool.reset(entry)
    await queue.keep(entry, { location: { ...location, bucket }, ...isOpen })
  })
  queue.transition(entry, { kind: 'retry' })
  await queue.change(entry, TRIED_AGAIN)
  pool.pump()
}

/** Gives an unfinished download a fresh link, and lets it go on. @returns false if it does not apply. */
export async function relink(
  parts: CommandParts,
  id: TransferId,
  link: Extract<StoreLocation, { kind: 'link' }>,
): Promise<boolean> {
  const entry = parts.queue.get(id)
  const { direction, location } = entry?.record ?? {}
  if (entry === undefined || direction !== 'download' || location?.kind !== 'link' || isEnded(entry)) return false
  await whileStopped(parts, entry, () => parts.queue.keep(entry, { location: link, isRelinked: true }))
  await goOn(parts, entry, TRIED_AGAIN)
  return true
}

/** Stops a transfer, and does `work` before it may start again: what it is to do now must be in its record first. */
function whileStopped({ queue, pool }: CommandParts, entry: TransferEntry, work: () => Promise<void>): Promise<void> {
  queue.transition(entry, { kind: 'suspend' })
  entry.controller?.abort('pause')
  return pool.occupy(entry, work)
}

/** Lets a paused or failed transfer go on. */
async function goOn(
  { queue, pool }: CommandParts,
  entry: TransferEntry,
  changes: Partial<typeof TRIED_AGAIN> = {},
): Promise<void> {
  for (const kind of ['resume', 'retry'] as const) queue.transition(entry, { kind })
  await queue.change(entry, changes)
  pool.pump()
}
