import type { CheckpointStore, ListTop } from '../../core/checkpoint-store.ts'
import type { DurableStatus } from '../../core/records.ts'
import type { CommitQueue } from '../database/commit-queue.ts'
import { readText, type Database } from '../database/database.ts'
import type { KeptLinks } from './kept-links.ts'
import { decodeTransfer } from './record-codec.ts'

/** A list of up to this many transfers is loaded as fast as its top is found. */
const SHORT_LIST = 2000

/** Transfers with a `folderId` belong to a folder and have no row of their own. */
const SELECT_TOP = `WITH top AS (
    SELECT id FROM transfers WHERE folderId IS NULL ORDER BY
      CASE status WHEN 'failed' THEN 0 WHEN 'running' THEN 1 WHEN 'queued' THEN 1 WHEN 'paused' THEN 2 ELSE 3 END,
      CASE WHEN status IN ('completed', 'canceled') THEN -finishedAtMs END, position
    LIMIT ?)
  SELECT status, count(*) AS count, NULL AS record FROM transfers
    WHERE folderId IS NULL AND status IS NOT NULL GROUP BY status
  UNION ALL SELECT NULL, NULL, ${readText('record')} FROM top JOIN transfers USING (id)`

type TopRow =
  { readonly record: null; readonly status: DurableStatus; readonly count: number } | { readonly record: string }

/** Finds the top of a long list in SQL, off the calling thread; decoding the whole list would take a second. */
export function listTop(
  database: Database,
  queue: CommitQueue,
  links: Pick<KeptLinks, 'open'>,
): Pick<CheckpointStore, 'top'> {
  async function find(count: number): Promise<ListTop | null> {
    const rows = (await (await database.prepare(SELECT_TOP)).all(count)) as readonly TopRow[]
    const counts = rows.flatMap((row) => (row.record === null ? [row] : []))
    if (counts.reduce((sum, each) => sum + each.count, 0) <= SHORT_LIST) return null
    const records = rows.flatMap(({ record }) => {
      const decoded = record === null ? { reason: '' } : decodeTransfer(record)
      return 'value' in decoded ? [links.open(decoded.value)] : []
    })
    return { counts, records }
  }

  // Loading reports what can't be read.
  return { top: (count) => queue.transact(() => find(count)).catch(() => null) }
}
