import type { CheckpointStore } from '../../core/checkpoint-store.ts'
import type { CommitQueue } from '../database/commit-queue.ts'
import { readText, type Database } from '../database/database.ts'
import { statementsOf } from '../database/statements.ts'
import { decodeAbort } from './record-codec.ts'

/** Multipart uploads that are to be aborted. */
export function abortTable(
  database: Database,
  queue: CommitQueue,
): Pick<CheckpointStore, 'abortsDue' | 'addAbort' | 'abortDone'> {
  const { read, write } = statementsOf(database, queue)
  return {
    async abortsDue() {
      const rows = (await read(`SELECT ${readText('due')} FROM aborts`)) as readonly { readonly due: string }[]
      return rows.flatMap((row) => {
        const decoded = decodeAbort(row.due)
        return 'value' in decoded ? [decoded.value] : []
      })
    },
    addAbort: (abort) => write('INSERT OR REPLACE INTO aborts VALUES (?, ?)', abort.uploadId, JSON.stringify(abort)),
    abortDone: (uploadId) => write('DELETE FROM aborts WHERE upload_id = ?', uploadId),
  }
}
