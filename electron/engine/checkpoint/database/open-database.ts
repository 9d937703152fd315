import { open, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { sqliteCode } from '../../../sqlite/connection.ts'
import { StateUnwritable } from '../../core/checkpoint-store.ts'
import { isUnreadable } from '../../../errno/errno.ts'
import { CheckpointError } from './checkpoint-error.ts'
import { createIfMissing, finishMovingAside, hideFromOthers, isEmptied, moveAside } from './database-files.ts'
import { connect, explain, type Database } from './database.ts'

/** Keeps other processes from reading or writing while this one lives. Leaves the file as its version wrote it. */
const LOCK = 'PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT;'

/**
 * With FULL, a commit is on disk when it returns; on macOS that takes fullfsync. Deleted content is overwritten,
 * because it may have been a secret.
 */
const SETTINGS = `PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA fullfsync = ON;
  PRAGMA temp_store = MEMORY; PRAGMA secure_delete = ON;`

/** A failed check violates the constraint. Done in SQL because only `exec` runs off the calling thread. */
const QUICK_CHECK = `CREATE TEMP TABLE verdict (line TEXT CHECK (line = 'ok'));
  INSERT INTO verdict SELECT quick_check FROM pragma_quick_check; DROP TABLE verdict;`

const newerCheck = (newestVersion: number) => `
  CREATE TEMP TABLE verdict (version INTEGER CHECK (version <= ${String(newestVersion)}));
  INSERT INTO verdict SELECT user_version FROM pragma_user_version; DROP TABLE verdict;`

/**
 * Opens or creates the database at `path` for this process alone. A damaged one, or one without any content, is moved
 * to `damagedPath` as a whole, and a new one is created in its place. A database whose `user_version` is above
 * `newestVersion` is refused and left as it is. Throws CheckpointError.
 */
export async function openDatabase(path: string, newestVersion: number): Promise<Database> {
  await finishMovingAside(path)
  try {
    await make(path)
    // SQLite would take it for a new one, and delete the log beside it.
    const isLost = (await isEmptied(path)) || !(await isLogReadable(path))
    if (!isLost) return await openSound(path, newestVersion)
  } catch (failure) {
    if (!(await isDamage(failure, path))) throw toCheckpointError(failure, path)
  }
  await moveAside(path)
  await make(path)
  return openSound(path, newestVersion)
}

/**
 * Whether the drive can read the log beside a database. SQLite would take a sector that can't be read for the end of the
 * log, and delete the changes in and behind it.
 */
async function isLogReadable(path: string): Promise<boolean> {
  try {
    await readFile(`${path}-wal`)
    return true
  } catch (failure) {
    return !isUnreadable(failure)
  }
}

/** Creates the file if it is missing, for its owner alone. */
async function make(path: string): Promise<void> {
  try {
    await createIfMissing(path)
  } catch (failure) {
    throw StateUnwritable.of(failure, dirname(path)) ?? failure
  }
  await hideFromOthers(path)
}

/** Uses no prepared statement, because libsql keeps the file open until its statements are garbage-collected. */
async function openSound(path: string, newestVersion: number): Promise<Database> {
  let database: Database | null = null
  try {
    database = connect(path)
    await database.exec(LOCK)
    await database.exec(QUICK_CHECK)
    await refuseNewer(database, path, newestVersion)
    await database.exec(SETTINGS)
    return database
  } catch (failure) {
    const explained = await explain(failure, path)
    database?.close()
    throw explained
  }
}

async function refuseNewer(database: Database, path: string, newestVersion: number): Promise<void> {
  try {
    await database.exec(newerCheck(newestVersion))
  } catch (failure) {
    if (!sqliteCode(failure).startsWith('SQLITE_CONSTRAINT')) throw failure
    throw new CheckpointError('newer-schema', `The list of transfers is from a newer Sluice: ${path}`, failure)
  }
}

/** Turns a failure into what a person reads when a database can't be opened. */
export function toCheckpointError(failure: unknown, path: string): CheckpointError {
  if (failure instanceof CheckpointError) return failure
  return sqliteCode(failure).startsWith('SQLITE_BUSY')
    ? new CheckpointError('in-use', `Another Sluice is using this folder: ${path}`, failure)
    : new CheckpointError('unusable', `The list of transfers can't be opened: ${path}`, failure)
}

const DAMAGE_CODES = /^SQLITE_(NOTADB|CORRUPT|CONSTRAINT|IOERR_SHORT_READ)/

async function isDamage(failure: unknown, path: string): Promise<boolean> {
  const code = sqliteCode(failure)
  if (code !== 'SQLITE_READONLY') return DAMAGE_CODES.test(code)
  // SQLite opens a file that claims a later format only for reading.
  const formatToWrite = (await readHeader(path)).readUInt8(18)
  return formatToWrite !== 1 && formatToWrite !== 2
}

/** Reads the first 100 bytes; a shorter file is filled up with zeros. */
async function readHeader(path: string): Promise<Buffer> {
  const file = await open(path, 'r')
  try {
    const header = Buffer.alloc(100)
    await file.read(header, 0, header.length, 0)
    return header
  } finally {
    await file.close()
  }
}

/** Checks an open database again, on disk rather than in memory. Never throws. */
export async function isSound(database: Database): Promise<boolean> {
  try {
    await database.exec('PRAGMA shrink_memory')
    const statement = await database.prepare('SELECT quick_check AS line FROM pragma_quick_check(1)')
    const [first] = (await statement.all()) as readonly { readonly line: string }[]
    return first?.line === 'ok'
  } catch {
    return false
  }
}
