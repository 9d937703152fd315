import type { QueueTotals, TransferSnapshot } from '../../../shared/transfer/transfer-delta.ts'
import { groupOf } from '../../../shared/transfer/transfer-group.ts'
import type { ListTop } from '../core/checkpoint-store.ts'
import type { EngineDeps } from '../core/deps.ts'
import { findProgress, hasProgress } from '../transfer/transfer-entry.ts'
import { TransferQueue } from './rows/transfer-queue.ts'

/** More rows than a window shows at a time. */
const FIRST_ROWS = 100

/**
 * The top of a long list as it was left, with the counts of all rows, to show while the list is read. Returns null for
 * a short list, which is read just as fast.
 */
export async function firstLook({
  checkpoints,
  clock,
}: Pick<EngineDeps, 'checkpoints' | 'clock'>): Promise<TransferSnapshot | null> {
  const top = await checkpoints.top(FIRST_ROWS)
  if (top === null) return null
  const queue = new TransferQueue(checkpoints, clock)
  for (const record of top.records) {
    queue.load(record, hasProgress(record) ? await findProgress(record, checkpoints) : null)
  }
  const { totals, ...snapshot } = queue.snapshot()
  // How much all rows have left is not known before they are read.
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
    // Nothing that ran has been continued yet.
    counts[groupOf(status === 'running' ? 'queued' : status)] += count
  }
  return counts
}
