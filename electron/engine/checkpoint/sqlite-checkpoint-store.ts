import * as fileSystem from 'node:fs/promises'
import { dirname } from 'node:path'
import type { CheckpointStore } from '../core/checkpoint-store.ts'
import type { Clock } from '../core/deps.ts'
import { makeFolders } from '../files/make-folders.ts'
import { createCommitQueue } from './database/commit-queue.ts'
import { canBeWritten, type Database } from './database/database.ts'
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
  /** What became of a damaged database, to tell a person; null when there was none. */
  readonly damage: Damage | null
  /** Whether the file would pass the next opener's check. Never throws. */
  isSound(): Promise<boolean>
  /** Whether its disk takes writes now. Writes 1 MiB and deletes it. Never throws. */
  canWrite(): Promise<boolean>
  /** Makes `close` delete the database and its copies, no longer needed, before another opener can have it. */
  discardOnClose(): void
}

/**
 * Opens the checkpoint store at `path`, and creates its folder and file if they are missing. A damaged database is kept
 * aside, and what can be read is copied into a new one. `sealer` seals links. Throws CheckpointError; a refused
 * database is left as it is. Throws the file system's error when the folder can't be created.
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
    const store = createStore(database, clock, sealer, opening, () => discard(database, path, deleteFile))
    return { ...store, canWrite: () => canBeWritten(path) }
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
): Omit<SqliteCheckpointStore, 'canWrite'> {
  const links = createKeptLinks(sealer)
  const queue = createCommitQueue(database, async () => {
    // The write-ahead log still has what was overwritten.
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
      // A disk that takes no writes leaves this undone: what was committed is in the log, for the next opener to merge.
      const marked = write('UPDATE session SET running = 0').catch(() => undefined)
      closing ??= marked.then(() => (isDiscarded ? discardAll() : release(database)))
      return closing
    },
  }
}

/** @returns whether the previous process ended without `close`. */
async function startSession(database: Database): Promise<boolean> {
  const rows = await (await database.prepare('SELECT running FROM session')).all()
  await database.exec('UPDATE session SET running = 1')
  return (rows as readonly { readonly running: number }[])[0]?.running !== 0
}

/** Leaves one file without companions and releases the lock, which libsql otherwise holds until garbage collection. */
async function release(database: Database): Promise<void> {
  await database
    .exec('PRAGMA journal_mode = DELETE; PRAGMA locking_mode = NORMAL; SELECT count(*) FROM sqlite_schema')
    .catch(() => undefined)
  database.close()
}

/** Deletes the files under the lock, or on Windows, which can't delete open files, right after it. */
async function discard(database: Database, path: string, deleteFile?: DeleteFile): Promise<void> {
  // Gets rid of companions: SQLite would delete them by name on closing, when they may be another opener's.
  await database.exec('PRAGMA journal_mode = DELETE').catch(() => undefined)
  const isWindows = process.platform === 'win32'
  if (isWindows || !(await deleteDatabase(path, deleteFile))) await mark(path)
  database.close()
  if (isWindows) await deleteDatabase(path, deleteFile)
}
