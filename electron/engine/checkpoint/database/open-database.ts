import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { sqliteCode } from '../../../sqlite/connection.ts'
import { StateUnwritable } from '../../core/checkpoint-store.ts'
import { errnoCode } from '../../../errno/errno.ts'
import { CheckpointError } from './checkpoint-error.ts'
import { createIfMissing, hideFromOthers, isEmptied } from './database-files.ts'
import { connect, explain, type Database } from './database.ts'
import { surveyLog } from './log-frames.ts'
import { fileIdOf, finishMovingAside, isHalfMoved, moveAside } from './move-aside.ts'

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
  try {
    await finishMovingAside(path)
    return (await openSound(path, newestVersion)) ?? (await openNew(path, newestVersion))
  } catch (failure) {
    throw toCheckpointError(failure, path)
  }
}

/** In place of one that was moved. */
async function openNew(path: string, newestVersion: number): Promise<Database> {
  const database = await openSound(path, newestVersion)
  if (database === null) throw new Error('A new database is damaged')
  return database
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

/**
 * Resolves with null if the database was damaged, and is moved aside by now. Uses no prepared statement, because libsql
 * keeps the file open until its statements are garbage-collected.
 */
async function openSound(path: string, newestVersion: number): Promise<Database | null> {
  await make(path)
  const fileId = await fileIdOf(path)
  // SQLite would take it for a new one, and delete the log beside it.
  if (await isEmptied(path)) {
    await moveAside(path, fileId, () => undefined)
    return null
  }
  let database: Database | null = null
  try {
    database = connect(path)
    await database.exec(LOCK)
    // Only now, because the log of another process changes while it is read.
    if (await isDamagedBeside(path)) throw new DamagedBeside()
    await database.exec(QUICK_CHECK)
    await refuseNewer(database, path, newestVersion)
    await database.exec(SETTINGS)
    return database
  } catch (failure) {
    if (await isDamage(failure, path)) {
      // As it is closed, SQLite writes the log into the database as far as it is sound, and deletes it.
      await moveAside(path, fileId, () => database?.close())
      return null
    }
    const explained = await explain(failure, path)
    database?.close()
    throw explained
  }
}

/** What is beside a database shows that it is damaged. */
class DamagedBeside extends Error {}

/**
 * Whether the log has changes that SQLite would not find: it takes the first damage for the end of the log, and writes over
 * what is behind. Also true if the move of a damaged database was interrupted.
 */
async function isDamagedBeside(path: string): Promise<boolean> {
  return (await isHalfMoved(path)) || !(await isLogWhole(`${path}-wal`))
}

async function isLogWhole(path: string): Promise<boolean> {
  try {
    return (await surveyLog(path)).isWhole
  } catch (failure) {
    if (errnoCode(failure) === 'ENOENT') return true
    throw failure
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
  if (failure instanceof DamagedBeside) return true
  const code = sqliteCode(failure)
  // A log that the drive can't read.
  if (code.startsWith('SQLITE_IOERR') && !(await isLogWhole(`${path}-wal`))) return true
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
