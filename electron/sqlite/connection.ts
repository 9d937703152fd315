// What is used of libsql, whose own types are `any`.

import Libsql from 'libsql/promise'

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
export interface SqliteConnection {
  exec(sql: string): Promise<void>
  prepare(sql: string): Promise<Statement>
  close(): void
}

/** Opens the file at `path` as it is: SQLite looks into it with the first statement. */
export function openSqlite(path: string): SqliteConnection {
  return new Libsql(path, {})
}

/** The code of a failure of SQLite's, empty for any other. */
export function sqliteCode(failure: unknown): string {
  return failure instanceof Error && 'code' in failure && typeof failure.code === 'string' ? failure.code : ''
}
