import Libsql from 'libsql/promise'
import { rm, writeFile } from 'node:fs/promises'
import { isNoSpace } from '../../core/errno.ts'

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

/** What we use of libsql, whose own types are `any`. */
interface LibsqlDatabase {
  exec(sql: string): Promise<void>
  prepare(sql: string): Promise<Statement>
  close(): void
}

/** Opens the file at `path` as it is: SQLite looks into it with the first statement. */
export function openLibsql(path: string): Database {
  const libsql: LibsqlDatabase = new Libsql(path, {})
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

/** The code of a failure of SQLite's, empty for any other. */
export function sqliteCode(failure: unknown): string {
  return failure instanceof Error && 'code' in failure && typeof failure.code === 'string' ? failure.code : ''
}
