import type { QueueTotals, TransferSnapshot } from '../../../shared/transfer/transfer-delta.ts'
import { groupOf } from '../../../shared/transfer/transfer-group.ts'
import type { ListTop } from '../core/checkpoint-store.ts'
import type { EngineDeps } from '../core/deps.ts'
import { findProgress, hasProgress } from '../transfer/transfer-entry.ts'
import { TransferQueue } from './rows/transfer-queue.ts'

/** More than a window shows at a time. */
const FIRST_ROWS = 100

/**
 * The top of a long list as it was left, with the numbers of all rows, to be seen while the list is read; null: the list
 * is short, and read as soon.
 */
export async function firstLook({
  checkpoints,
  clock,
}: Pick<EngineDeps, 'checkpoints' | 'clock'>): Promise<TransferSnapshot | null> {
  const top = await checkpoints.top(FIRST_ROWS)
  if (top === null) return null
  const queue = new TransferQueue(checkpoints, clock)
  for (const record of top.records) {
    queue.add(record, hasProgress(record) ? await findProgress(record, checkpoints) : null, true)
  }
  const { totals, ...snapshot } = queue.snapshot()
  // What is left of all rows is not known before they are read.
  return {
    ...snapshot,
    isFirstLook: true,
    totals: { ...totals, remainingBytes: 0, pausedBytes: 0, counts: countsOf(top.counts) },
  }
}

function countsOf(found: ListTop['counts']): QueueTotals['counts'] {
  const counts = { all: 0, active: 0, waiting: 0, paused: 0, attention: 0, done: 0 }
  for (const { status, count } of found) {
    counts.all += count
    // Nothing of what ran goes on yet.
    counts[groupOf(status === 'running' ? 'queued' : status)] += count
  }
  return counts
}
