// The head of an SQLite file (SQLite, Database File Format, 1.3), as far as it is the same in all of our files.

/** SQLite's default page size, which our files use, with no bytes reserved on each page. */
export const PAGE_BYTES = 4096
const HEADER_BYTES = 100
/** The first bytes of an empty table page of 4096 bytes (1.6), which follow the header on the first page. */
export const EMPTY_LEAF = Buffer.from([0x0d, 0, 0, 0, 0, 0x10, 0, 0])

/** Sets these fields. @param format which versions read and write it: 1 without and 2 with a write-ahead log. */
export function setConstants(header: Buffer, format: 1 | 2): void {
  header.write('SQLite format 3\0', 'latin1')
  // Page size, both format versions, no reserved bytes, fixed fractions.
  Buffer.from([0x10, 0, format, format, 0, 64, 32, 32]).copy(header, 16)
  header.writeUInt32BE(4, 44)
  header.writeUInt32BE(0, 52)
  header.writeUInt32BE(1, 56)
  header.writeUInt32BE(0, 64)
}

/** Returns the content of a database without tables. Pure. */
export function emptyDatabase(): Buffer {
  const page = Buffer.alloc(PAGE_BYTES)
  setConstants(page, 1)
  // The number of changes, the pages of the file, and the number of changes for which that is right.
  for (const offset of [24, 28, 92]) page.writeUInt32BE(1, offset)
  EMPTY_LEAF.copy(page, HEADER_BYTES)
  return page
}
