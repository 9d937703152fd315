import { open } from 'node:fs/promises'
import { connect } from './database.ts'
import { LOCK, readHeader } from './open-database.ts'

/**
 * Writes what stands in the log of changes beside a damaged database into the database itself, as far as SQLite can; a
 * damaged header doesn't keep it from that. Never throws for damage.
 */
export async function mergeLog(path: string): Promise<void> {
  await mendHeader(path)
  const database = connect(path)
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
