import { setImmediate as nextTurn } from 'node:timers/promises'
import type { SqlValue } from '../../../sqlite/connection.ts'
import type { CommitQueue } from './commit-queue.ts'
import type { Database } from './database.ts'

/** How many rows are handled before other work gets its turn: about 5 ms. */
export const ROWS_PER_TURN = 500

/** Runs one statement with the values of each row, as part of a transaction. */
export async function run(database: Database, sql: string, rows: readonly (readonly SqlValue[])[]): Promise<void> {
  const statement = await database.prepare(sql)
  for (const [index, row] of rows.entries()) {
    if (index % ROWS_PER_TURN === ROWS_PER_TURN - 1) await nextTurn()
    statement.run(...row)
  }
}

/** Reads and writes of one statement and one commit each. */
export function statementsOf(database: Database, queue: CommitQueue) {
  const read = (sql: string, ...values: SqlValue[]) =>
    queue.transact(async () => (await database.prepare(sql)).all(...values))
  return {
    read,
    write: (sql: string, ...values: SqlValue[]) => queue.transact(() => run(database, sql, [values])),
    /**
     * Reads long rows one by one, because each is parsed on the calling thread. `sql` selects the first one, by its
     * `number`, behind the number that is its last value.
     */
    async *eachRow<Row extends { readonly number: number }>(
      sql: string,
      ...values: SqlValue[]
    ): AsyncGenerator<Row, void> {
      for (let last = 0; ;) {
        const [row] = (await read(sql, ...values, last)) as readonly Row[]
        if (row === undefined) return
        last = row.number
        yield row
        await nextTurn()
      }
    },
  }
}
