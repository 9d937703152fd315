import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { openSqlite, sqliteCode } from '../../sqlite/connection.ts'

/**
 * A transaction that never ends and writes nothing: what is locked is a file in the folder, by whatever name the folder
 * is reached. Of those that begin together one waits for the other.
 */
const LOCK = 'PRAGMA busy_timeout = 250; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE'

/**
 * Makes this process the only one that serves a folder, until the returned function is called or the process ends in
 * whatever way: the system lets go of its locks, where a file that only is there would stay. Throws when another has it.
 */
export async function lockFolder(directory: string): Promise<() => Promise<void>> {
  const path = join(directory, 'lock.db')
  const database = openSqlite(path)
  try {
    await database.exec(LOCK)
    // Who may open it may lock it; not every volume knows rights. It must not be opened here: to close it would let go
    // of SQLite's lock (POSIX).
    await chmod(path, 0o600).catch(() => undefined)
  } catch (failure) {
    database.close()
    const isTaken = sqliteCode(failure).startsWith('SQLITE_BUSY')
    const why = isTaken ? 'is already served by another process' : 'can’t be locked for this process'
    throw new Error(`The folder ${directory} ${why}`, { cause: failure })
  }
  return () => {
    database.close()
    return Promise.resolve()
  }
}
