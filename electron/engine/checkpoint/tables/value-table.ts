import type { CheckpointStore } from '../../core/checkpoint-store.ts'
import type { CommitQueue } from '../database/commit-queue.ts'
import { readText, type Database } from '../database/database.ts'
import { statementsOf } from '../database/statements.ts'

/** Small values by name, such as settings. */
export function valueTable(database: Database, queue: CommitQueue): Pick<CheckpointStore, 'getValue' | 'setValue'> {
  const { read, write } = statementsOf(database, queue)
  return {
    async getValue(name) {
      const rows = await read(`SELECT ${readText('json')} FROM named_values WHERE name = ?`, name)
      return (rows as readonly { readonly json: string }[])[0]?.json ?? null
    },
    setValue: (name, json) => write('INSERT OR REPLACE INTO named_values VALUES (?, ?)', name, json),
  }
}
