// Changes what a stopped transfer is to do: continue an unfinished upload, use another bucket, use another link.

import type { TransferId } from '../../../../shared/transfer/transfer.ts'
import { adoptMatch } from '../../core/new-records.ts'
import type { StoreLocation } from '../../core/records.ts'
import type { TransferSelection, UploadMatch } from '../../core/requests.ts'
import { isEnded, type TransferEntry } from '../../transfer/transfer-entry.ts'
import type { CommandParts } from './command-parts.ts'

/**
 * Makes an upload that has not begun continue `match` or, with null, begin a new one without looking for others, and
 * lets it go on. @returns false if it does not apply.
 */
export async function decideUpload(parts: CommandParts, id: TransferId, match: UploadMatch | null): Promise<boolean> {
  const { queue, pool } = parts
  const entry = queue.get(id)
  if (entry === undefined || isEnded(entry) || !hasNotBegun(entry)) return false
  queue.transition(entry, { kind: 'suspend' })
  entry.controller?.abort('pause')
  let decision = Promise.resolve(false)
  // The transfer must not start before the decision is in its record.
  await pool.occupy(entry, async () => {
    if (hasNotBegun(entry)) decision = record(parts, entry, match)
    await decision.catch(() => undefined)
  })
  const isDecided = await decision
  for (const kind of ['resume', 'retry'] as const) queue.transition(entry, { kind })
  await queue.change(entry)
  pool.pump()
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
  await queue.change(entry, { error: null, finishedAtMs: null, retryAtMs: null })
  pool.pump()
}

/** Gives an unfinished download a fresh link, and lets it go on. @returns false if it does not apply. */
export async function relink(
  { queue, pool }: CommandParts,
  id: TransferId,
  link: Extract<StoreLocation, { kind: 'link' }>,
): Promise<boolean> {
  const entry = queue.get(id)
  const { direction, location } = entry?.record ?? {}
  if (entry === undefined || direction !== 'download' || location?.kind !== 'link' || isEnded(entry)) return false
  const relinked = { location: link, isRelinked: true }
  queue.transition(entry, { kind: 'suspend' })
  entry.controller?.abort('pause')
  // The transfer must not start before the new link is in its record.
  await pool.occupy(entry, () => queue.keep(entry, relinked))
  for (const kind of ['resume', 'retry'] as const) queue.transition(entry, { kind })
  await queue.change(entry, { error: null, finishedAtMs: null, retryAtMs: null })
  pool.pump()
  return true
}
