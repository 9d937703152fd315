import type { TransferId } from '../../../../shared/transfer/transfer.ts'
import type { CheckpointStore } from '../../core/checkpoint-store.ts'
import type { CommitQueue } from '../database/commit-queue.ts'
import { readText, type Database } from '../database/database.ts'
import { statementsOf } from '../database/statements.ts'
import { encodePlanPage, encodeSent, readableFailures, readablePlanPage, readableSent } from './record-codec.ts'

type PlanTable = Pick<
  CheckpointStore,
  'plan' | 'addToPlan' | 'sent' | 'addSent' | 'failed' | 'addFailed' | 'removeFailed' | 'removePlan'
>
type Kind = 'plan' | 'sent' | 'failed'

const SELECT = `SELECT number, ${readText('files')} FROM plans
  WHERE transfer_id = ? AND kind = ? AND number > ? ORDER BY number LIMIT 1`

/** What folder transfers are to send or fetch, what they have sent, and what failed, with many files in a row. */
export function planTable(database: Database, queue: CommitQueue): PlanTable {
  const { eachRow, write } = statementsOf(database, queue)
  const rows = (id: TransferId, kind: Kind) => eachRow<{ number: number; files: string }>(SELECT, id, kind)
  const add = (id: TransferId, kind: Kind, files: string) =>
    write('INSERT INTO plans (transfer_id, kind, files) VALUES (?, ?, ?)', id, kind, files)

  return {
    async *plan(id) {
      for await (const { files } of rows(id, 'plan')) {
        const page = readablePlanPage(files)
        if (page !== null) yield page
      }
    },
    addToPlan: (id, page) => add(id, 'plan', encodePlanPage(page)),
    async *sent(id) {
      for await (const { files } of rows(id, 'sent')) yield readableSent(files)
    },
    addSent: (id, files) => add(id, 'sent', encodeSent(files)),
    async *failed(id) {
      for await (const { files } of rows(id, 'failed')) yield readableFailures(files)
    },
    addFailed: (id, failures) => add(id, 'failed', JSON.stringify(failures)),
    removeFailed: (id) => write("DELETE FROM plans WHERE transfer_id = ? AND kind = 'failed'", id),
    removePlan: (id) => write('DELETE FROM plans WHERE transfer_id = ?', id),
  }
}
