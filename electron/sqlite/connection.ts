// The part of libsql that is used here; its own types are `any`.

import Libsql from 'libsql/promise'

export type SqlValue = string | number | null

/**
 * A prepared statement. `run` works on the calling thread and in memory until the transaction commits; `all` finds its
 * first row off that thread.
 */
export interface Statement {
  run(...values: SqlValue[]): void
  all(...values: SqlValue[]): Promise<readonly unknown[]>
}

/** An open SQLite database. Commits wait for the disk in `exec`, which therefore never blocks the calling thread. */
export interface SqliteConnection {
  exec(sql: string): Promise<void>
  prepare(sql: string): Promise<Statement>
  close(): void
}

/** Opens the file at `path` without looking into it: SQLite reads it with the first statement. Throws SQLITE_CANTOPEN. */
export function openSqlite(path: string): SqliteConnection {
  try {
    return new Libsql(path, {})
  } catch (cause) {
    // libsql has the number of SQLite's code only in its message.
    throw Object.assign(new Error(`Can’t open ${path}`, { cause }), { code: 'SQLITE_CANTOPEN' })
  }
}

/** Returns the code of an SQLite failure, or an empty string for any other. */
export function sqliteCode(failure: unknown): string {
  return failure instanceof Error && 'code' in failure && typeof failure.code === 'string' ? failure.code : ''
}
