import { open } from 'node:fs/promises'
import { connect } from './database.ts'
import { EMPTY_LEAF, setConstants } from './empty-database.ts'
import { LOCK, readHeader } from './open-database.ts'

/**
 * Merges the write-ahead log beside a damaged database into the database itself, as far as SQLite can, even with a
 * damaged header. Never throws for damage.
 */
export async function mergeLog(path: string): Promise<void> {
  await mendHeader(path)
  const database = connect(path)
  // What can't be merged stays as it is. Not left to closing, which another thread may get to later.
  await database.exec(LOCK + 'PRAGMA journal_mode = DELETE').catch(() => undefined)
  database.close()
}

/**
 * Sets the header fields that are the same in all of our files, and makes SQLite go by the file's size. Leaves the list
 * of free pages alone. An empty schema follows on the first page, because SQLite must read one to merge the log.
 */
async function mendHeader(path: string): Promise<void> {
  const header = Buffer.concat([await readHeader(path), EMPTY_LEAF])
  setConstants(header, 2)
  header.writeUInt32BE(~header.readUInt32BE(24) >>> 0, 92)
  const file = await open(path, 'r+')
  try {
    await file.write(header, 0, header.length, 0)
  } finally {
    await file.close()
  }
}
