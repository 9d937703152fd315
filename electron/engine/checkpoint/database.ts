import Libsql from 'libsql/promise'
import { chmod, open, readdir, rename } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { CheckpointError } from './checkpoint-error.ts'

export type SqlValue = string | number | null

/**
 * A prepared statement. `run` works on the calling thread, in memory until the transaction commits; the first row of
 * `all` is found off it.
 */
export interface Statement {
  run(...values: SqlValue[]): void
  all(...values: SqlValue[]): Promise<readonly unknown[]>
}

/** An open SQLite database. `exec` never blocks the calling thread: that is where commits wait for the disk. */
export interface Database {
  exec(sql: string): Promise<void>
  /** The same statement for the same text. */
  prepare(sql: string): Promise<Statement>
  close(): void
}

/** File names of a database beside its main file. They belong together: apart, they are a damaged database. */
const COMPANIONS = ['', '-wal', '-shm', '-journal'] as const

/** Nobody else reads or writes while we live. Leaves the file as it is, for whatever version wrote it. */
const LOCK = 'PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT;'

/**
 * FULL: a commit is on disk when it returns; on macOS that takes a full flush. What is deleted is overwritten, because
 * it may have been a secret.
 */
const SETTINGS = `PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA fullfsync = ON;
  PRAGMA temp_store = MEMORY; PRAGMA secure_delete = ON;`

/** A failed check violates the constraint. Done in SQL because `exec` is what runs off the calling thread. */
const QUICK_CHECK = `CREATE TEMP TABLE verdict (line TEXT CHECK (line = 'ok'));
  INSERT INTO verdict SELECT quick_check FROM pragma_quick_check; DROP TABLE verdict;`

const newerCheck = (newestVersion: number) => `
  CREATE TEMP TABLE verdict (version INTEGER CHECK (version <= ${String(newestVersion)}));
  INSERT INTO verdict SELECT user_version FROM pragma_user_version; DROP TABLE verdict;`

const DAMAGE_CODES = /^SQLITE_(NOTADB|CORRUPT|CONSTRAINT|IOERR_SHORT_READ)/

/**
 * Opens or makes the database at `path` for this process alone. A damaged one is moved aside whole, never deleted, and
 * a new one made in its place. One whose `user_version` is above `newestVersion` is refused and left as it is.
 * @returns where the damaged one went, or null. Throws CheckpointError.
 */
export async function openDatabase(
  path: string,
  newestVersion: number,
  nowMs: number,
): Promise<{ readonly database: Database; readonly movedAside: string | null }> {
  await hideFromOthers(path)
  try {
    return { database: await openSound(path, newestVersion), movedAside: null }
  } catch (failure) {
    if (!DAMAGE_CODES.test(sqliteCode(failure))) throw toCheckpointError(failure, path)
  }
  const movedAside = `${path}.damaged-${String(nowMs)}`
  for (const companion of COMPANIONS) await renameIfThere(path + companion, movedAside + companion)
  await hideFromOthers(path)
  return { database: await openSound(path, newestVersion), movedAside }
}

/**
 * Makes the file if it is missing, and lets only its owner read it, its copies and its companions; SQLite gives those
 * that it makes the same mode.
 */
async function hideFromOthers(path: string): Promise<void> {
  try {
    await createIfMissing(path)
    for (const file of await filesOf(path)) await chmod(file, 0o600)
  } catch {
    // What can't be opened is told about when it is opened as a database.
  }
}

/** Paths of a database, its copies and its companions: all whose names begin with its own. */
export async function filesOf(path: string): Promise<readonly string[]> {
  const folder = dirname(path)
  const names = await readdir(folder)
  return names.filter((name) => name.startsWith(basename(path))).map((name) => join(folder, name))
}

/** Never opens one that is there: to close it would give up the lock of another opener in this process (POSIX). */
async function createIfMissing(path: string): Promise<void> {
  const file = await open(path, 'wx', 0o600).catch(() => null)
  await file?.close()
}

/** Uses no statement, because libsql keeps the file open until its statements are collected. */
async function openSound(path: string, newestVersion: number): Promise<Database> {
  const database = wrap(new Libsql(path, {}))
  try {
    await database.exec(LOCK)
    await database.exec(QUICK_CHECK)
    await refuseNewer(database, path, newestVersion)
    await database.exec(SETTINGS)
    return database
  } catch (failure) {
    database.close()
    throw failure
  }
}

async function refuseNewer(database: Database, path: string, newestVersion: number): Promise<void> {
  try {
    await database.exec(newerCheck(newestVersion))
  } catch (failure) {
    if (!sqliteCode(failure).startsWith('SQLITE_CONSTRAINT')) throw failure
    throw new CheckpointError('newer-schema', `A newer Sluice wrote the list of transfers: ${path}`, failure)
  }
}

/** What we use of libsql, whose own types are `any`. */
interface LibsqlDatabase {
  exec(sql: string): Promise<void>
  prepare(sql: string): Promise<Statement>
  close(): void
}

function wrap(libsql: LibsqlDatabase): Database {
  const statements = new Map<string, Promise<Statement>>()
  return {
    async exec(sql) {
      try {
        await libsql.exec(sql)
      } catch (failure) {
        throw sqliteCode(failure) === 'SQLITE_FULL' ? diskFull(failure) : failure
      }
    },
    prepare(sql) {
      const known = statements.get(sql)
      if (known !== undefined) return known
      const statement = libsql.prepare(sql)
      statements.set(sql, statement)
      return statement
    },
    close: () => {
      libsql.close()
    },
  }
}

/** What a person reads when a database does not open. */
export function toCheckpointError(failure: unknown, path: string): CheckpointError {
  if (failure instanceof CheckpointError) return failure
  return sqliteCode(failure).startsWith('SQLITE_BUSY')
    ? new CheckpointError('in-use', `Another Sluice is using this folder: ${path}`, failure)
    : new CheckpointError('unusable', `The list of transfers can't be opened: ${path}`, failure)
}

/** Rethrown as ENOSPC, so that callers retry as they do for a full disk. */
function diskFull(cause: unknown): Error {
  return Object.assign(new Error('No space left for the list of transfers', { cause }), { code: 'ENOSPC' })
}

function sqliteCode(failure: unknown): string {
  return failure instanceof Error && 'code' in failure && typeof failure.code === 'string' ? failure.code : ''
}

async function renameIfThere(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch (failure) {
    if (!isMissing(failure)) throw failure
  }
}

function isMissing(failure: unknown): boolean {
  return failure instanceof Error && 'code' in failure && failure.code === 'ENOENT'
}
