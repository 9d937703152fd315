import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { openSqlite, sqliteCode } from '../../sqlite/connection.ts'

/**
 * A transaction that never ends and writes nothing. It locks a file in the folder, whatever path leads to the folder.
 * Of two processes that begin together, one waits for the other.
 */
const LOCK = 'PRAGMA busy_timeout = 250; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE'

/**
 * Makes this process the only one that serves a folder, until the returned function is called or the process ends in
 * any way: the system then releases its locks, while a mere lock file would stay. Throws when another process holds it.
 */
export async function lockFolder(directory: string): Promise<() => Promise<void>> {
  const path = join(directory, 'lock.db')
  const database = openSqlite(path)
  try {
    await database.exec(LOCK)
    // Anyone who may open the file may lock it, and not every volume has permissions. Don't open the file here: closing
    // it would release SQLite's lock (POSIX).
    await chmod(path, 0o600).catch(() => undefined)
  } catch (failure) {
    database.close()
    const isTaken = sqliteCode(failure).startsWith('SQLITE_BUSY')
    const why = isTaken ? 'is already served by another process' : 'can’t be locked by this process'
    throw new Error(`The folder ${directory} ${why}`, { cause: failure })
  }
  return () => {
    database.close()
    return Promise.resolve()
  }
}
