// What is durable of a transfer beside its record, kept while it is off the list and may be put back.

import type { ItemFailure, TransferId } from '../../../../shared/transfer/transfer.ts'
import type { CheckpointStore } from '../../core/checkpoint-store.ts'
import type { FolderItem, PartRecord, PlanPage, RangeRecord, SentFile } from '../../core/records.ts'

export interface DurableProgress {
  readonly parts: readonly PartRecord[]
  readonly ranges: readonly RangeRecord[]
  /** This and the rest are of folder transfers, in pages. */
  readonly items: readonly (readonly FolderItem[])[]
  readonly plan: readonly PlanPage[]
  readonly sent: readonly (readonly SentFile[])[]
  readonly failed: readonly (readonly ItemFailure[])[]
}

export async function readProgress(checkpoints: CheckpointStore, id: TransferId): Promise<DurableProgress> {
  return {
    parts: await checkpoints.parts(id),
    ranges: await checkpoints.ranges(id),
    items: await all(checkpoints.items(id)),
    plan: await all(checkpoints.plan(id)),
    sent: await all(checkpoints.sent(id)),
    failed: await all(checkpoints.failed(id)),
  }
}

/** Must be called before the transfer is recorded, which may start at once. Without a transfer all this means nothing. */
export async function writeProgress(
  checkpoints: CheckpointStore,
  id: TransferId,
  progress: DurableProgress,
): Promise<void> {
  const { parts, ranges, items, plan, sent, failed } = progress
  if (parts.length > 0) await checkpoints.putParts(id, parts)
  if (ranges.length > 0) await checkpoints.putRanges(id, ranges)
  for (const page of items) await checkpoints.addItems(id, page)
  for (const page of plan) await checkpoints.addToPlan(id, page)
  for (const page of sent) await checkpoints.addSent(id, page)
  for (const page of failed) await checkpoints.addFailed(id, page)
}

async function all<T>(pages: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = []
  for await (const page of pages) found.push(page)
  return found
}
