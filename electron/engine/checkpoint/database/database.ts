import { access, constants, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { openSqlite, sqliteCode, type SqliteConnection, type Statement } from '../../../sqlite/connection.ts'
import { errnoCode } from '../../../errno/errno.ts'
import { StateUnwritable } from '../../core/checkpoint-store.ts'

/**
 * SQL that selects a text column as `all` can read it. Use it wherever text may be damaged: libsql ends the process
 * over text that is not UTF-8, which SQLite's checks don't find. Such text comes back as something that is not JSON.
 */
export function readText(column: string): string {
  return `CAST(${column} AS BLOB) AS ${column}`
}

/** A connection that prepares each SQL text only once, and tells a disk that takes no writes from damage. */
export interface Database extends SqliteConnection {
  /** See `explain`. */
  explain(failure: unknown): Promise<unknown>
}

/** Opens the file at `path`, whatever it is: SQLite only looks into it with the first statement. */
export function connect(path: string): Database {
  const connection = openSqlite(path)
  const statements = new Map<string, Promise<Statement>>()
  return {
    exec: (sql) => connection.exec(sql),
    prepare(sql) {
      const known = statements.get(sql)
      if (known !== undefined) return known
      const statement = connection.prepare(sql).then(withTexts)
      statements.set(sql, statement)
      return statement
    },
    explain: (failure) => explain(failure, path),
    close: () => {
      connection.close()
    },
  }
}

/** Wraps a statement: bytes in its results become text. */
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

/** SQLite recognizes a full disk only by a write's ENOSPC. All else that keeps it from its files ends with these codes. */
const UNEXPLAINED = /^SQLITE_(CANTOPEN|IOERR|READONLY)/

/**
 * Returns what the failure of a statement of the database at `path`, or of its opening, means: StateUnwritable for a
 * full or read-only disk, the file system's error when the files belong to somebody else, otherwise the failure itself.
 */
export async function explain(failure: unknown, path: string): Promise<unknown> {
  const code = sqliteCode(failure)
  if (code === 'SQLITE_FULL') return new StateUnwritable('ENOSPC', dirname(path), failure)
  const refusal = UNEXPLAINED.test(code) ? await refusalOf(path) : null
  return StateUnwritable.of(refusal, dirname(path), failure) ?? (isForbidden(refusal) ? refusal : failure)
}

/** If this many bytes can be written, a commit failed for another reason than a full disk. */
const ROOM_BYTES = 1024 * 1024

/** The file that tests whether there is room. Beside the database, it is deleted with it if a kill leaves it. */
export function roomPath(path: string): string {
  return `${path}-room`
}

/** The file system's error when the database can't be written, or nothing beside it; null when both can. */
async function refusalOf(path: string): Promise<unknown> {
  try {
    await access(path, constants.R_OK | constants.W_OK).catch((failure: unknown) => {
      if (errnoCode(failure) !== 'ENOENT') throw failure
    })
    await writeFile(roomPath(path), Buffer.alloc(ROOM_BYTES), { mode: 0o600, flush: true })
    return null
  } catch (failure) {
    return failure
  } finally {
    await rm(roomPath(path), { force: true }).catch(() => undefined)
  }
}

/** Whether the database at `path`, which need not exist, can be written, and the disk has room for a commit. */
export async function canBeWritten(path: string): Promise<boolean> {
  return (await refusalOf(path)) === null
}

function isForbidden(failure: unknown): boolean {
  return ['EACCES', 'EPERM'].includes(errnoCode(failure) ?? '')
}
