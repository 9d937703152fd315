import type { CheckpointStore } from '../../core/checkpoint-store.ts'
import type { CommitQueue } from '../database/commit-queue.ts'
import { readText, type Database } from '../database/database.ts'
import { statementsOf } from '../database/statements.ts'
import { readableItems } from './record-codec.ts'

const SELECT = `SELECT number, ${readText('items')} FROM items WHERE transfer_id = ? AND number > ? ORDER BY number LIMIT 1`

/** The finished objects of folder downloads, with many in a row. */
export function itemTable(
  database: Database,
  queue: CommitQueue,
): Pick<CheckpointStore, 'items' | 'addItems' | 'removeItems'> {
  const { eachRow, write } = statementsOf(database, queue)
  return {
    async *items(id) {
      for await (const { items } of eachRow<{ number: number; items: string }>(SELECT, id)) yield readableItems(items)
    },
    addItems: (id, items) => write('INSERT INTO items (transfer_id, items) VALUES (?, ?)', id, JSON.stringify(items)),
    removeItems: (id) => write('DELETE FROM items WHERE transfer_id = ?', id),
  }
}
