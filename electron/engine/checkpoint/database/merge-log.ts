import { open } from 'node:fs/promises'
import { connect } from './database.ts'
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

/** The first bytes of an empty table page of 4096 bytes (SQLite, Database File Format, 1.6). */
const EMPTY_LEAF = Buffer.from([0x0d, 0, 0, 0, 0, 0x10, 0, 0])

/**
 * Sets the header fields that are the same in all of our files, and makes SQLite go by the file's size. Leaves the list
 * of free pages alone. An empty schema follows on the first page, because SQLite must read one to merge the log.
 */
async function mendHeader(path: string): Promise<void> {
  const header = Buffer.concat([await readHeader(path), EMPTY_LEAF])
  header.write('SQLite format 3\0', 'latin1')
  // Page size, both format versions (write-ahead log), no reserved bytes, fixed fractions.
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
