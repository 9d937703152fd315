import type { TransferId } from '../../../../shared/transfer/transfer.ts'
import type { CheckpointStore } from '../../core/checkpoint-store.ts'
import type { KeptHistory } from '../../core/records.ts'
import type { CommitQueue } from '../database/commit-queue.ts'
import { readText, type Database } from '../database/database.ts'
import { run } from '../database/statements.ts'
import { readableHistory } from './record-codec.ts'

const SELECT = `SELECT ${readText('history')} FROM histories WHERE transfer_id = ?`
/** Puts nothing for a transfer that was removed meanwhile. */
const PUT = `INSERT OR REPLACE INTO histories SELECT id, ? FROM transfers WHERE id = ?`

/** The histories of transfers, one JSON document each. */
export function historyTable(
  database: Database,
  queue: CommitQueue,
): Pick<CheckpointStore, 'histories' | 'putHistories'> {
  return {
    histories: (ids) =>
      queue.transact(async () => {
        const statement = await database.prepare(SELECT)
        const found = new Map<TransferId, KeptHistory>()
        for (const id of ids) {
          const [row] = (await statement.all(id)) as readonly { readonly history: string }[]
          const history = row === undefined ? null : readableHistory(row.history)
          if (history !== null) found.set(id, history)
        }
        return found
      }),
    putHistories: (histories) =>
      queue.transact(() =>
        run(
          database,
          PUT,
          histories.map(({ id, history }) => [JSON.stringify(history), id]),
        ),
      ),
  }
}
