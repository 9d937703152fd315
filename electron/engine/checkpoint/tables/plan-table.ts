import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ItemFailure, TransferId } from '../../../../shared/transfer/transfer.ts'
import type { CheckpointStore } from '../../core/checkpoint-store.ts'
import type { CommitQueue } from '../database/commit-queue.ts'
import { readText, type Database } from '../database/database.ts'
import {
  decodeTransfer,
  encodePlanPage,
  encodeSent,
  readableFailures,
  readablePlanPage,
  readableSent,
} from './record-codec.ts'

type PlanTable = Pick<
  CheckpointStore,
  'plan' | 'addToPlan' | 'sent' | 'addSent' | 'failed' | 'addFailed' | 'removeFailed' | 'removePlan' | 'uploadsOf'
>
type Kind = 'plan' | 'sent' | 'failed'

const SELECT_PAGE = `SELECT number, ${readText('files')} FROM plans
  WHERE transfer_id = ? AND kind = ? AND number > ? ORDER BY number LIMIT 1`
const SELECT_UPLOADS = `SELECT ${readText('record')} FROM transfers WHERE folderId = ?`

/** What folder transfers are to send or fetch, what they have sent, and what failed. */
export function planTable(database: Database, queue: CommitQueue): PlanTable {
  const add = (id: TransferId, kind: Kind, files: string) =>
    queue.transact(async () => {
      const statement = await database.prepare('INSERT INTO plans (transfer_id, kind, files) VALUES (?, ?, ?)')
      statement.run(id, kind, files)
    })

  /** Reads page by page, because a page is parsed on the calling thread. */
  async function* rows(id: TransferId, kind: Kind): AsyncGenerator<string, void> {
    for (let last = 0; ;) {
      const found = await queue.transact(async () => (await database.prepare(SELECT_PAGE)).all(id, kind, last))
      const [row] = found as readonly { readonly number: number; readonly files: string }[]
      if (row === undefined) return
      last = row.number
      yield row.files
      await nextTurn()
    }
  }

  return {
    async *plan(id) {
      for await (const row of rows(id, 'plan')) {
        const page = readablePlanPage(row)
        if (page !== null) yield page
      }
    },
    addToPlan: (id, page) => add(id, 'plan', encodePlanPage(page)),
    async *sent(id) {
      for await (const row of rows(id, 'sent')) yield readableSent(row)
    },
    addSent: (id, files) => add(id, 'sent', encodeSent(files)),
    async *failed(id) {
      for await (const row of rows(id, 'failed')) yield readableFailures(row)
    },
    addFailed: (id, failures: readonly ItemFailure[]) => add(id, 'failed', JSON.stringify(failures)),
    removeFailed: (id) =>
      queue.transact(async () => {
        const statement = await database.prepare("DELETE FROM plans WHERE transfer_id = ? AND kind = 'failed'")
        statement.run(id)
      }),
    removePlan: (id) =>
      queue.transact(async () => {
        const statement = await database.prepare('DELETE FROM plans WHERE transfer_id = ?')
        statement.run(id)
      }),
    async uploadsOf(folderId) {
      const found = await queue.transact(async () => (await database.prepare(SELECT_UPLOADS)).all(folderId))
      return (found as readonly { readonly record: string }[]).flatMap(({ record }) => {
        const decoded = decodeTransfer(record)
        return 'value' in decoded && decoded.value.direction === 'upload' ? [decoded.value] : []
      })
    },
  }
}
