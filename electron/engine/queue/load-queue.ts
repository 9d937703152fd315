import { isFinal } from '../../../shared/transfer/transfer.ts'
import type { CheckpointStore } from '../core/checkpoint-store.ts'
import type { TransferRecord } from '../core/records.ts'
import { findProgress, hasProgress, type TransferEntry } from '../transfer/transfer-entry.ts'
import { isOutcomeUnknown } from '../transfer/settled-outcome.ts'
import type { FoundProgress } from '../transfer/transfer-progress.ts'
import { isUnmeasured } from './rows/source-sizes.ts'
import type { TransferQueue } from './rows/transfer-queue.ts'

/** How many records are handled before other work gets its turn. */
const RECORDS_PER_TURN = 1000

export interface LoadedQueue {
  readonly setAside: number
  /** Transfers that were canceled before the process ended, but are not recorded as such yet. */
  readonly discarded: readonly TransferEntry[]
  /** Uploads whose size is not known yet. */
  readonly unmeasured: readonly TransferEntry[]
}

/** Fills `queue` with what the checkpoints hold, each begun transfer with the bytes that it already has. */
export async function loadQueue(queue: TransferQueue, checkpoints: CheckpointStore): Promise<LoadedQueue> {
  const [{ records: all, setAside }, aborts] = await Promise.all([checkpoints.load(), checkpoints.abortsDue()])
  const aborted = new Set(aborts.map((abort) => abort.uploadId))
  const records = all.filter((record) => !('folderId' in record) || record.folderId === undefined)
  const found = await findAll(records, checkpoints)
  const discarded: TransferEntry[] = []
  const unmeasured: TransferEntry[] = []
  for (const [index, record] of records.entries()) {
    if (index % RECORDS_PER_TURN === RECORDS_PER_TURN - 1) await new Promise((resolve) => setImmediate(resolve))
    const entry = queue.load(record, found.get(record) ?? null)
    if (isGivenUp(record, aborted)) {
      queue.transition(entry, { kind: 'cancel' })
      discarded.push(entry)
    } else if (isUnmeasured(entry)) {
      unmeasured.push(entry)
    }
  }
  return { setAside, discarded, unmeasured }
}

async function findAll(
  records: readonly TransferRecord[],
  checkpoints: CheckpointStore,
): Promise<ReadonlyMap<TransferRecord, FoundProgress>> {
  const begun = records.filter(hasProgress)
  return new Map(
    await Promise.all(begun.map(async (record) => [record, await findProgress(record, checkpoints)] as const)),
  )
}

/**
 * Whether what the transfer has transferred is being thrown away: continuing would transfer it again, which nobody
 * wants. False for an upload whose outcome is unknown: a run must find that out first.
 */
function isGivenUp(record: TransferRecord, aborted: ReadonlySet<string>): boolean {
  if (isFinal(record.status)) return false
  if (record.givenUp === 'cancel' && !isOutcomeUnknown(record)) return true
  return record.direction === 'upload' && record.uploadId !== null && aborted.has(record.uploadId)
}
