import * as fileSystem from 'node:fs/promises'
import { dirname } from 'node:path'
import type { CheckpointStore } from '../core/checkpoint-store.ts'
import type { Clock } from '../core/deps.ts'
import { makeFolders } from '../files/make-folders.ts'
import { createCommitQueue } from './database/commit-queue.ts'
import type { Database } from './database/database.ts'
import { isSound, openDatabase, toCheckpointError } from './database/open-database.ts'
import { statementsOf } from './database/statements.ts'
import { deleteDatabase, mark, unmark, type DeleteFile } from './discarded.ts'
import { migrate, MIGRATIONS } from './migrations.ts'
import { salvage, type Damage } from './salvage.ts'
import { abortTable } from './tables/abort-table.ts'
import { claimTables } from './tables/claim-tables.ts'
import { historyTable } from './tables/history-table.ts'
import { itemTable } from './tables/item-table.ts'
import { createKeptLinks } from './tables/kept-links.ts'
import { NO_SEALER, type Sealer } from './tables/link-secrets.ts'
import { listTop } from './tables/list-top.ts'
import { planTable } from './tables/plan-table.ts'
import { transferTable } from './tables/transfer-table.ts'
import { valueTable } from './tables/value-table.ts'

/** A checkpoint store on one SQLite file, and what happened when it was opened. */
export interface SqliteCheckpointStore extends CheckpointStore {
  /** What became of a damaged database, so that a person can be told; null: there was none. */
  readonly damage: Damage | null
  /** Whether the file passes the check of the next opener. Never throws. */
  isSound(): Promise<boolean>
  /** Nothing in it is needed any more: `close` deletes it, its copies too, before another opener can have it. */
  discardOnClose(): void
}

/**
 * Opens the checkpoint store at `path`, making its folder and file where they are missing. A damaged database is kept
 * aside, and what can be read of it copied into a new one. `sealer` seals links. Throws CheckpointError; a database it
 * refuses is left as it is. Throws what the file system says where its folder can't be made.
 */
export async function openCheckpointStore(
  path: string,
  clock: Clock,
  sealer: Sealer = NO_SEALER,
  migrations: readonly string[] = MIGRATIONS,
  deleteFile?: DeleteFile,
): Promise<SqliteCheckpointStore> {
  await makeFolders(fileSystem, dirname(path), 0o700)
  const database = await openDatabase(path, migrations.length)
  try {
    await unmark(path)
    await migrate(database, path, migrations)
    const damage = await salvage(database, path, clock.nowMs())
    const wasRunning = await startSession(database)
    const opening = { afterUncleanStop: wasRunning || damage !== null, damage }
    return createStore(database, clock, sealer, opening, () => discard(database, path, deleteFile))
  } catch (failure) {
    const explained = await database.explain(failure)
    await release(database)
    throw toCheckpointError(explained, path)
  }
}

function createStore(
  database: Database,
  clock: Clock,
  sealer: Sealer,
  opening: Pick<SqliteCheckpointStore, 'afterUncleanStop' | 'damage'>,
  discardAll: () => Promise<void>,
): SqliteCheckpointStore {
  const links = createKeptLinks(sealer)
  const queue = createCommitQueue(database, async () => {
    // What was overwritten still stands in the log of changes.
    if (links.takeSpent()) await database.exec('PRAGMA wal_checkpoint(TRUNCATE)').catch(() => undefined)
  })
  let closing: Promise<void> | null = null
  let isDiscarded = false
  const { write } = statementsOf(database, queue)

  return {
    ...opening,
    ...transferTable(database, queue, clock, links),
    ...listTop(database, queue, links),
    ...itemTable(database, queue),
    ...planTable(database, queue),
    ...historyTable(database, queue),
    ...claimTables(database, queue),
    ...abortTable(database, queue),
    ...valueTable(database, queue),
    isSound: () => queue.transact(() => isSound(database)),
    discardOnClose() {
      isDiscarded = true
    },
    close() {
      closing ??= write('UPDATE session SET running = 0').then(() => (isDiscarded ? discardAll() : release(database)))
      return closing
    },
  }
}

/** @returns whether the process before this one ended without `close`. */
async function startSession(database: Database): Promise<boolean> {
  const rows = await (await database.prepare('SELECT running FROM session')).all()
  await database.exec('UPDATE session SET running = 1')
  return (rows as readonly { readonly running: number }[])[0]?.running !== 0
}

/** Leaves one file without companions and gives up the lock, which libsql holds until its statements are collected. */
async function release(database: Database): Promise<void> {
  await database.exec('PRAGMA journal_mode = DELETE; PRAGMA locking_mode = NORMAL; SELECT count(*) FROM sqlite_schema')
  database.close()
}

/** Deletes the files under the lock, or right after it where open files can't be deleted (Windows). */
async function discard(database: Database, path: string, deleteFile?: DeleteFile): Promise<void> {
  // Without companions: SQLite would delete them by name at the end, when they may be another opener's.
  await database.exec('PRAGMA journal_mode = DELETE')
  const isWindows = process.platform === 'win32'
  if (isWindows || !(await deleteDatabase(path, deleteFile))) await mark(path)
  database.close()
  if (isWindows) await deleteDatabase(path, deleteFile)
}
