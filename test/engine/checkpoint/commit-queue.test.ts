import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createCommitQueue } from '../../../electron/engine/checkpoint/commit-queue.ts'
import { openDatabase, type Database } from '../../../electron/engine/checkpoint/database.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

test('what is asked for in one go becomes durable together: no stop comes in between', async () => {
  const done: string[] = []
  const database: Database = {
    exec: (sql) => Promise.resolve(void done.push(sql)),
    prepare: () => Promise.reject(new Error('Nothing is prepared here.')),
    close: () => undefined,
  }
  const queue = createCommitQueue(database, () => Promise.resolve())
  const work = (name: string) => queue.transact(() => Promise.resolve(void done.push(name)))
  await Promise.all([work('abort is due'), work('upload is forgotten')])
  expect(done).toEqual(['BEGIN IMMEDIATE', 'abort is due', 'upload is forgotten', 'COMMIT'])
})

test('a statement that finds no room says so as a full disk does', async () => {
  const database = await openDatabase(join(await tempDir(), 'transfers.db'), 1)
  await database.exec('CREATE TABLE notes (text TEXT); PRAGMA max_page_count = 10')
  const insert = await database.prepare('INSERT INTO notes VALUES (?)')
  expect(() => insert.run('x'.repeat(100_000))).toThrow(expect.objectContaining({ code: 'ENOSPC' }))
  database.close()
})
