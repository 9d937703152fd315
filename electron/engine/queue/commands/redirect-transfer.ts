// Changes to what a stopped transfer is to do: another target, another link, another bucket, an unfinished upload.

import type { CheckpointStore } from '../../core/checkpoint-store.ts'
import { adoptMatch } from '../../core/new-records.ts'
import type { StoreLocation, TransferRecord } from '../../core/records.ts'
import type { UploadMatch, UploadRequest } from '../../core/requests.ts'
import { isEnded, type TransferEntry } from '../../transfer/transfer-entry.ts'
import type { AbortQueue } from '../../upload/abort-queue.ts'
import type { RunPool } from '../runs/run-pool.ts'
import type { TransferQueue } from '../rows/transfer-queue.ts'

/** Where what is on the service already is recorded, and aborts that are due are withdrawn. */
interface AdoptionParts {
  readonly checkpoints: Pick<CheckpointStore, 'putParts'>
  readonly aborts: Pick<AbortQueue, 'withdraw'>
}

interface Parts {
  readonly queue: TransferQueue
  readonly pool: RunPool
}

type RecordingParts = Parts & AdoptionParts

/**
 * Parts come before their transfer: without it they mean nothing, but the transfer starts at once. An upload that was to
 * be aborted is wanted again.
 */
export async function recordAdopted(
  { checkpoints, aborts }: AdoptionParts,
  requests: readonly UploadRequest[],
  records: readonly TransferRecord[],
): Promise<void> {
  for (const [index, { adopt, completes }] of requests.entries()) {
    const record = records[index]
    const parts = adopt === undefined ? completes?.parts : adoptMatch(adopt).parts
    if (parts === undefined || record === undefined) continue
    if (adopt !== undefined) await aborts.withdraw(adopt.uploadId)
    await checkpoints.putParts(record.id, parts)
  }
}

/**
 * Makes an upload that has not begun continue `match`, or, with null, begin a new one without looking for others, and
 * lets it go on. @returns false where it does not apply.
 */
export async function decideUpload(
  parts: RecordingParts,
  entry: TransferEntry | undefined,
  match: UploadMatch | null,
): Promise<boolean> {
  if (entry === undefined || isEnded(entry) || !hasNotBegun(entry)) return false
  const { queue, pool } = parts
  queue.transition(entry, { kind: 'suspend' })
  entry.controller?.abort('pause')
  let decision = Promise.resolve(false)
  // Nothing starts on it before the decision is in its record.
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
  { checkpoints, aborts, queue }: RecordingParts,
  entry: TransferEntry,
  match: UploadMatch | null,
): Promise<true> {
  const begun = match === null ? { changes: { isNewUpload: true }, parts: [] } : adoptMatch(match)
  const changes = { error: null, finishedAtMs: null, ...begun.changes }
  // It may have been given up while a person decided.
  if (match !== null) await aborts.withdraw(match.uploadId)
  await checkpoints.putParts(entry.id, begun.parts)
  await queue.change(entry, changes)
  return true
}

/** Nothing of it is on the service yet. */
function hasNotBegun({ record }: TransferEntry): boolean {
  return record.direction === 'upload' && record.uploadId === null && record.intent === null
}

/** Begins a failed transfer anew in another bucket of its place. Others are left as they are. */
export async function rebucket({ queue, pool }: Parts, entry: TransferEntry, bucket: string): Promise<void> {
  const { location, direction } = entry.record
  if (entry.state.status !== 'failed' || location.kind !== 'place') return
  // That bucket has not been looked at yet.
  const isOpen = direction === 'upload' ? ({ isNewUpload: false, onConflict: 'fail' } as const) : {}
  await pool.occupy(entry, async () => {
    await pool.reset(entry)
    await pool.keep(entry, { location: { ...location, bucket }, ...isOpen })
  })
  queue.transition(entry, { kind: 'retry' })
  await queue.change(entry, { error: null, finishedAtMs: null, retryAtMs: null })
  pool.pump()
}

/** Gives an unfinished download a fresh link, and lets it go on. @returns false where it does not apply. */
export async function relinkDownload(
  { queue, pool }: Parts,
  entry: TransferEntry | undefined,
  link: Extract<StoreLocation, { kind: 'link' }>,
): Promise<boolean> {
  const { direction, location } = entry?.record ?? {}
  if (entry === undefined || direction !== 'download' || location?.kind !== 'link' || isEnded(entry)) return false
  const relinked = { location: link, isRelinked: true }
  queue.transition(entry, { kind: 'suspend' })
  entry.controller?.abort('pause')
  // Nothing starts on it before the new link is in its record.
  await pool.occupy(entry, () => pool.keep(entry, relinked))
  for (const kind of ['resume', 'retry'] as const) queue.transition(entry, { kind })
  await queue.change(entry, { error: null, finishedAtMs: null, retryAtMs: null })
  pool.pump()
  return true
}
