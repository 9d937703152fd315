// A database without tables (SQLite, Database File Format, 1.3).

/** SQLite's default page size, which our files use, with no bytes reserved on each page. */
export const PAGE_BYTES = 4096
const HEADER_BYTES = 100
/** The first bytes of an empty table page of 4096 bytes (1.6), which follow the header on the first page. */
const EMPTY_LEAF = Buffer.from([0x0d, 0, 0, 0, 0, 0x10, 0, 0])

/** Returns the content of a database without tables. Pure. */
export function emptyDatabase(): Buffer {
  const page = Buffer.alloc(PAGE_BYTES)
  page.write('SQLite format 3\0', 'latin1')
  // Page size, versions that read and write it, no reserved bytes, fixed fractions.
  Buffer.from([0x10, 0, 1, 1, 0, 64, 32, 32]).copy(page, 16)
  // The number of changes, the pages of the file, the encoding (UTF-8), and the changes for which that is right.
  for (const offset of [24, 28, 56, 92]) page.writeUInt32BE(1, offset)
  // The format of the schema.
  page.writeUInt32BE(4, 44)
  EMPTY_LEAF.copy(page, HEADER_BYTES)
  return page
}
