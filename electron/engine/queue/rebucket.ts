import type { RunPool } from './run-pool.ts'
import type { TransferEntry } from '../transfer/transfer-entry.ts'
import type { TransferQueue } from './transfer-queue.ts'

interface Parts {
  readonly queue: TransferQueue
  readonly pool: RunPool
}

/** Begins a failed transfer anew in another bucket of its place. Others are left as they are. */
export async function rebucket({ queue, pool }: Parts, entry: TransferEntry, bucket: string): Promise<void> {
  const { location, direction } = entry.record
  if (entry.state.status !== 'failed' || location.kind !== 'place') return
  // Nobody has looked at that bucket yet.
  const isOpen = direction === 'upload' ? { isNewUpload: false, isKeyUnseen: true } : {}
  await pool.occupy(entry, async () => {
    await pool.reset(entry)
    await pool.keep(entry, { location: { ...location, bucket }, ...isOpen })
  })
  queue.transition(entry, { kind: 'retry' })
  await queue.change(entry, { error: null, finishedAtMs: null, retryAtMs: null })
  pool.pump()
}
