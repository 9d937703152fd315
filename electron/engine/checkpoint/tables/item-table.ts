import { setImmediate as nextTurn } from 'node:timers/promises'
import type { TransferId } from '../../../../shared/transfer/transfer.ts'
import type { CheckpointStore } from '../../core/checkpoint-store.ts'
import type { FolderItem } from '../../core/records.ts'
import type { CommitQueue } from '../database/commit-queue.ts'
import { readText, type Database } from '../database/database.ts'
import { run } from '../database/statements.ts'
import { decodeTransfer, readableItems } from './record-codec.ts'

const SELECT_DOWNLOADS = `SELECT ${readText('record')} FROM transfers WHERE folderId = ?`
const SELECT_ITEMS = `SELECT number, ${readText('items')} FROM items WHERE transfer_id = ? AND number > ? ORDER BY number LIMIT 1`

/** The finished objects of folder downloads, and the downloads that are part of one. */
export function itemTable(
  database: Database,
  queue: CommitQueue,
): Pick<CheckpointStore, 'items' | 'addItems' | 'removeItems' | 'downloadsOf'> {
  return {
    items: (id) => itemPages(database, queue, id),
    addItems: (id, items) =>
      queue.transact(() =>
        run(database, 'INSERT INTO items (transfer_id, items) VALUES (?, ?)', [[id, JSON.stringify(items)]]),
      ),
    removeItems: (id) => queue.transact(() => run(database, 'DELETE FROM items WHERE transfer_id = ?', [[id]])),
    async downloadsOf(folderId) {
      const rows = await queue.transact(async () => (await database.prepare(SELECT_DOWNLOADS)).all(folderId))
      const decoded = (rows as readonly { readonly record: string }[]).map((row) => decodeTransfer(row.record))
      return decoded.flatMap((each) => ('value' in each && each.value.direction === 'download' ? [each.value] : []))
    },
  }
}

/** Reads page by page, because a page is parsed on the calling thread. */
async function* itemPages(
  database: Database,
  queue: CommitQueue,
  id: TransferId,
): AsyncGenerator<readonly FolderItem[], void> {
  for (let last = 0; ;) {
    const rows = await queue.transact(async () => (await database.prepare(SELECT_ITEMS)).all(id, last))
    const [row] = rows as readonly { readonly number: number; readonly items: string }[]
    if (row === undefined) return
    last = row.number
    yield readableItems(row.items)
    await nextTurn()
  }
}
