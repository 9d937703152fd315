import { readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createCommitQueue } from '../../../../electron/engine/checkpoint/database/commit-queue.ts'
import { roomPath, type Database } from '../../../../electron/engine/checkpoint/database/database.ts'
import { openDatabase } from '../../../../electron/engine/checkpoint/database/open-database.ts'
import { classify } from '../../../../electron/engine/retry/classify.ts'
import { MIB } from '../../../../shared/limits.ts'
import { mountSmallVolume } from '../../../soak/small-volume.ts'
import { tempDir } from '../../../support/tools/temp-dir.ts'

test('what is asked for in one go becomes durable together: no stop comes in between', async () => {
  const done: string[] = []
  const database: Database = {
    exec: (sql) => Promise.resolve(void done.push(sql)),
    prepare: () => Promise.reject(new Error('Nothing is prepared here.')),
    explain: (failure) => Promise.resolve(failure),
    close: () => undefined,
  }
  const queue = createCommitQueue(database, () => Promise.resolve())
  const work = (name: string) => queue.transact(() => Promise.resolve(void done.push(name)))
  await Promise.all([work('abort is due'), work('upload is forgotten')])
  expect(done).toEqual(['BEGIN IMMEDIATE', 'abort is due', 'upload is forgotten', 'COMMIT'])
})

const noFollowUp = () => Promise.resolve()

test('a statement that finds no room says so as a full disk does', async () => {
  const database = await openDatabase(join(await tempDir(), 'transfers.db'), 1)
  await database.exec('CREATE TABLE notes (text TEXT); PRAGMA max_page_count = 10')
  const insert = await database.prepare('INSERT INTO notes VALUES (?)')
  const queue = createCommitQueue(database, noFollowUp)
  const written = queue.transact(() => Promise.resolve(insert.run('x'.repeat(100_000))))
  await expect(written).rejects.toMatchObject({ code: 'ENOSPC' })
  database.close()
})

/** SQLite says so of a quota that is used up, as of a disk that is damaged. */
const WRITE_FAILED = Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_WRITE' })

/** A database whose commits fail, in a volume of its own. */
async function failingDatabase(path: string): Promise<{ readonly database: Database; readonly failures: number[] }> {
  const database = await openDatabase(path, 1)
  const failures: number[] = []
  const exec = async (sql: string) => {
    if (sql !== 'COMMIT') return await database.exec(sql)
    failures.push(failures.length)
    throw WRITE_FAILED
  }
  return { database: { ...database, exec }, failures }
}

test.runIf(process.platform === 'linux')('a write that fails where there is no room says so too', async () => {
  const folder = await tempDir()
  const path = join(folder, 'transfers.db')
  const { database, failures } = await failingDatabase(path)
  await symlink('/dev/full', roomPath(path))
  const written = createCommitQueue(database, noFollowUp).transact(noFollowUp)
  await expect(written).rejects.toMatchObject({ code: 'ENOSPC', path: folder, cause: WRITE_FAILED })
  expect(failures).toHaveLength(1)
  database.close()
})

test('a write that fails on a read-only disk says so too, as something to wait for', async (context) => {
  const folder = await tempDir()
  const volume = await mountSmallVolume(join(folder, 'volume'), MIB)
  context.skip(volume === null, 'mounting takes Linux and root')
  if (volume === null) return
  onTestFinished(() => volume.close())
  await volume.setReadOnly(true)
  const path = join(folder, 'transfers.db')
  const { database } = await failingDatabase(path)
  await symlink(join(volume.path, 'room'), roomPath(path))
  const written = createCommitQueue(database, noFollowUp).transact(noFollowUp)
  const failure = await written.catch((error: unknown) => error)
  expect(failure).toMatchObject({ code: 'EROFS', path: folder, cause: WRITE_FAILED })
  expect(classify(failure)).toMatchObject({ kind: 'wait', reason: 'state-unwritable' })
  database.close()
})

test('a write that fails where there is room says what it met, and leaves nothing there', async () => {
  const folder = await tempDir()
  const { database, failures } = await failingDatabase(join(folder, 'transfers.db'))
  await expect(createCommitQueue(database, noFollowUp).transact(noFollowUp)).rejects.toBe(WRITE_FAILED)
  expect(failures).toHaveLength(1)
  expect(await readdir(folder)).not.toContain('transfers.db-room')
  database.close()
})
