import { rm, writeFile } from 'node:fs/promises'
import { openSqlite, sqliteCode, type SqliteConnection, type Statement } from '../../../sqlite/connection.ts'
import { isNoSpace } from '../../core/errno.ts'

/**
 * SQL that selects a text column as `all` can read it. Use it wherever text may be damaged: libsql ends the process
 * over text that is not UTF-8, which SQLite's checks don't find. Such text comes back as something that is not JSON.
 */
export function readText(column: string): string {
  return `CAST(${column} AS BLOB) AS ${column}`
}

/** A connection that prepares each SQL text only once, and tells a full disk from damage. */
export interface Database extends SqliteConnection {
  /** Returns a statement's failure, as ENOSPC if that is what it means: callers then treat it like a full disk. */
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
    async explain(failure) {
      const code = sqliteCode(failure)
      const isFull = code === 'SQLITE_FULL' || (code.startsWith('SQLITE_IOERR') && !(await hasRoom(path)))
      if (!isFull) return failure
      return Object.assign(new Error('No space left for the list of transfers', { cause: failure }), { code: 'ENOSPC' })
    },
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

/** If this many bytes can be written, a commit failed for another reason than a full disk. */
const ROOM_BYTES = 1024 * 1024

/** The file that tests whether there is room. Beside the database, it is deleted with it if a kill leaves it. */
export function roomPath(path: string): string {
  return `${path}-room`
}

/** SQLite recognizes a full disk only by a write's ENOSPC: it reports a full quota or a late sync like damage. */
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
