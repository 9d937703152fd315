import Libsql from 'libsql/promise'
import { access, chmod, open, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isNoSpace } from '../core/errno.ts'
import { CheckpointError } from './checkpoint-error.ts'

export type SqlValue = string | number | null

/**
 * A prepared statement. `run` works on the calling thread, in memory until the transaction commits; the first row of
 * `all` is found off it. What may have been damaged is selected by `readText`.
 */
export interface Statement {
  run(...values: SqlValue[]): void
  all(...values: SqlValue[]): Promise<readonly unknown[]>
}

/**
 * SQL for a column of text as `all` can read it: libsql ends the process over text that is no UTF-8, which no check of
 * SQLite's finds. Such text comes back as something that is no JSON.
 */
export function readText(column: string): string {
  return `CAST(${column} AS BLOB) AS ${column}`
}

/** An open SQLite database. `exec` never blocks the calling thread: that is where commits wait for the disk. */
export interface Database {
  exec(sql: string): Promise<void>
  /** The same statement for the same text. */
  prepare(sql: string): Promise<Statement>
  /** A failure of its statements, or ENOSPC where it means that: callers then do what they do for a full disk. */
  explain(failure: unknown): Promise<unknown>
  close(): void
}

/** File names of a database beside its main file. They belong together: apart, they are a damaged database. */
export const COMPANIONS = ['', '-wal', '-shm', '-journal'] as const

/** No other process reads or writes while this one lives. Leaves the file as it is, for whatever version wrote it. */
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

/** The same check of an open database, of what is on disk rather than in memory. Never throws. */
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

const newerCheck = (newestVersion: number) => `
  CREATE TEMP TABLE verdict (version INTEGER CHECK (version <= ${String(newestVersion)}));
  INSERT INTO verdict SELECT user_version FROM pragma_user_version; DROP TABLE verdict;`

const DAMAGE_CODES = /^SQLITE_(NOTADB|CORRUPT|CONSTRAINT|IOERR_SHORT_READ)/

async function isDamage(failure: unknown, path: string): Promise<boolean> {
  const code = sqliteCode(failure)
  if (code !== 'SQLITE_READONLY') return DAMAGE_CODES.test(code)
  // A file that says it is of a later format is opened for reading only.
  const formatToWrite = (await readHeader(path)).readUInt8(18)
  return formatToWrite !== 1 && formatToWrite !== 2
}

/** The first 100 bytes, zeros where there are fewer. */
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

/** Where a damaged database is until its rows are in the new one. */
export function damagedPath(path: string): string {
  return `${path}.damaged`
}

/**
 * Opens or makes the database at `path` for this process alone. A damaged one is moved to `damagedPath` whole, and a
 * new one made in its place. One whose `user_version` is above `newestVersion` is refused and left as it is. Throws
 * CheckpointError.
 */
export async function openDatabase(path: string, newestVersion: number): Promise<Database> {
  await finishMovingAside(path)
  await hideFromOthers(path)
  try {
    return await openSound(path, newestVersion)
  } catch (failure) {
    if (!(await isDamage(failure, path))) throw toCheckpointError(failure, path)
  }
  await moveAside(path)
  await hideFromOthers(path)
  return openSound(path, newestVersion)
}

async function moveAside(path: string): Promise<void> {
  // One that nobody copied from yet is worth more than what was to be its copy.
  if (await isThere(damagedPath(path))) await removeDatabase(path)
  else await renameToDamaged(path)
}

/** A stop may have come after the main file alone: to a new one beside it SQLite would take the log for left over. */
async function finishMovingAside(path: string): Promise<void> {
  if ((await isThere(damagedPath(path))) && !(await isThere(path))) await renameToDamaged(path)
}

/** The main file first: companions without one are then known to be of the damaged one. */
async function renameToDamaged(path: string): Promise<void> {
  for (const companion of COMPANIONS) await renameIfThere(path + companion, damagedPath(path) + companion)
}

/** Deletes a database and its companions, which are never left without it. */
export async function removeDatabase(path: string): Promise<void> {
  for (const companion of COMPANIONS.toReversed()) await rm(path + companion, { force: true })
}

export async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

/**
 * Writes what stands in the log of changes beside a damaged database into the database itself, as far as SQLite can; a
 * damaged header doesn't keep it from that. Never throws for damage.
 */
export async function mergeLog(path: string): Promise<void> {
  await mendHeader(path)
  const database = wrap(new Libsql(path, {}), path)
  // What can't be merged stays as it is. Done here and not by closing, which another thread may come to later.
  await database.exec(LOCK + 'PRAGMA journal_mode = DELETE').catch(() => undefined)
  database.close()
}

/** What a page of a table begins with that has no rows and 4096 bytes (SQLite, Database File Format, 1.6). */
const EMPTY_LEAF = Buffer.from([0x0d, 0, 0, 0, 0, 0x10, 0, 0])

/**
 * Sets what is the same in all of our files, and lets SQLite go by the file's size; leaves the list of free pages. What
 * follows on the first page is a schema with nothing in it: to merge the log SQLite must be able to read one.
 */
async function mendHeader(path: string): Promise<void> {
  const header = Buffer.concat([await readHeader(path), EMPTY_LEAF])
  header.write('SQLite format 3\0', 'latin1')
  // Page size, both versions of the format (log of changes), no reserved bytes, fixed fractions.
  Buffer.from([0x10, 0, 2, 2, 0, 64, 32, 32]).copy(header, 16)
  header.writeUInt32BE(4, 44)
  header.writeUInt32BE(0, 52)
  header.writeUInt32BE(1, 56)
  header.writeUInt32BE(0, 64)
  header.writeUInt32BE(~header.readUInt32BE(24) >>> 0, 92)
  const file = await open(path, 'r+')
  try {
    await file.write(header, 0, header.length, 0)
  } finally {
    await file.close()
  }
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
  const database = wrap(new Libsql(path, {}), path)
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

function wrap(libsql: LibsqlDatabase, path: string): Database {
  const statements = new Map<string, Promise<Statement>>()
  return {
    exec: (sql) => libsql.exec(sql),
    prepare(sql) {
      const known = statements.get(sql)
      if (known !== undefined) return known
      const statement = libsql.prepare(sql).then(withTexts)
      statements.set(sql, statement)
      return statement
    },
    async explain(failure) {
      const code = sqliteCode(failure)
      const isFull = code === 'SQLITE_FULL' || (code.startsWith('SQLITE_IOERR') && !(await hasRoom(path)))
      if (!isFull) return failure
      return Object.assign(new Error('No space left for the list of transfers', { cause: failure }), { code: 'ENOSPC' })
    },
    close: () => {
      libsql.close()
    },
  }
}

/** Bytes come back as text. */
function withTexts(statement: Statement): Statement {
  return {
    run: (...values) => {
      statement.run(...values)
    },
    async all(...values) {
      const rows = (await statement.all(...values)) as readonly Readonly<Record<string, unknown>>[]
      return rows.map((row) =>
        Object.fromEntries(
          Object.entries(row).map(([name, value]) => [name, value instanceof ArrayBuffer ? textOf(value) : value]),
        ),
      )
    },
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function textOf(bytes: ArrayBuffer): string {
  try {
    return UTF8.decode(bytes)
  } catch {
    return `not UTF-8: ${Buffer.from(bytes).toString()}`
  }
}

/** What a person reads when a database does not open. */
export function toCheckpointError(failure: unknown, path: string): CheckpointError {
  if (failure instanceof CheckpointError) return failure
  return sqliteCode(failure).startsWith('SQLITE_BUSY')
    ? new CheckpointError('in-use', `Another Sluice is using this folder: ${path}`, failure)
    : new CheckpointError('unusable', `The list of transfers can't be opened: ${path}`, failure)
}

/** Bytes that there is room for where a commit failed for another reason. */
const ROOM_BYTES = 1024 * 1024

/** Where it is tried out whether there is room: beside the database, so that it goes with it should a kill leave it. */
export function roomPath(path: string): string {
  return `${path}-room`
}

/** SQLite knows a full disk by ENOSPC of a write alone: of a quota or a late sync it says the same as of damage. */
async function hasRoom(path: string): Promise<boolean> {
  try {
    await writeFile(roomPath(path), Buffer.alloc(ROOM_BYTES), { mode: 0o600, flush: true })
    return true
  } catch (failure) {
    return !isNoSpace(failure)
  } finally {
    await rm(roomPath(path), { force: true }).catch(() => undefined)
  }
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
