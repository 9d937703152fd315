import type { RunPool } from './run-pool.ts'
import { isEnded, type TransferEntry } from '../transfer/transfer-entry.ts'
import type { TransferQueue } from './transfer-queue.ts'

interface Parts {
  readonly queue: TransferQueue
  readonly pool: RunPool
}

/** Gives an unfinished download a fresh link, and lets it go on. @returns false where it does not apply. */
export async function relinkDownload(
  { queue, pool }: Parts,
  entry: TransferEntry | undefined,
  url: string,
): Promise<boolean> {
  const { direction, location } = entry?.record ?? {}
  if (entry === undefined || direction !== 'download' || location?.kind !== 'link' || isEnded(entry)) return false
  const relinked = { location: { kind: 'link', url } as const, isRelinked: true }
  queue.transition(entry, { kind: 'suspend' })
  entry.controller?.abort('pause')
  // Nothing starts on it before the new link is in its record.
  await pool.occupy(entry, () => pool.keep(entry, relinked))
  for (const kind of ['resume', 'retry'] as const) queue.transition(entry, { kind })
  await queue.change(entry, { error: null, finishedAtMs: null, retryAtMs: null })
  pool.pump()
  return true
}
