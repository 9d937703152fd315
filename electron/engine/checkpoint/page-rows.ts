// Reads the rows of a database file page by page, without SQLite, which gives up a whole table for one bad page.
// https://www.sqlite.org/fileformat2.html

import { PAGE_BYTES } from './database/empty-database.ts'

export type Cell = string | number | null

/** A row as stored on its page. `rowid` is null in tables WITHOUT ROWID and in indexes, which look the same. */
export interface PageRow {
  readonly rowid: number | null
  readonly values: readonly Cell[]
}

/** Reads a page; the first one is 1. Returns null when the page is missing, cut short or unreadable. */
export type ReadPage = (page: number) => Promise<Buffer | null>

/** What was found on a page. */
export interface PageContent {
  readonly rows: readonly PageRow[]
  /** The pages that hold the rest of rows too long for one page. */
  readonly overflowPages: readonly number[]
  /** False when this is not a page of a table or index, or not all of its rows can be read. */
  readonly isSound: boolean
}

interface PageKind {
  readonly hasRows: boolean
  readonly hasRowid: boolean
  readonly childBytes: number
}

const PAGE_KINDS: Readonly<Record<number, PageKind>> = {
  0x02: { hasRows: true, hasRowid: false, childBytes: 4 },
  0x05: { hasRows: false, hasRowid: true, childBytes: 4 },
  0x0a: { hasRows: true, hasRowid: false, childBytes: 0 },
  0x0d: { hasRows: true, hasRowid: true, childBytes: 0 },
}
const NOTHING: PageContent = { rows: [], overflowPages: [], isSound: false }
/** Length of the file's header, on its first page. */
const FILE_HEADER_BYTES = 100
const OVERFLOW_BYTES = PAGE_BYTES - 4
/** The least and the most of a long row that stays on its own page. */
const LEAST_LOCAL_BYTES = Math.floor(((PAGE_BYTES - 12) * 32) / 255) - 23
const MOST_LOCAL_BYTES = { index: Math.floor(((PAGE_BYTES - 12) * 64) / 255) - 23, table: PAGE_BYTES - 35 } as const

/** Reads the rows of a page in a file of `pageCount` pages. Never throws: what makes no sense is left out. */
export async function readPageRows(page: number, pageCount: number, readPage: ReadPage): Promise<PageContent> {
  const bytes = await readPage(page)
  const start = page === 1 ? FILE_HEADER_BYTES : 0
  const kind = bytes === null ? undefined : PAGE_KINDS[bytes.readUInt8(start)]
  if (bytes === null || kind === undefined) return NOTHING
  if (!kind.hasRows) return { ...NOTHING, isSound: true }
  const pointers = start + 8 + kind.childBytes
  const count = bytes.readUInt16BE(start + 3)
  if (pointers + 2 * count > PAGE_BYTES) return NOTHING
  const rows: PageRow[] = []
  const overflowPages: number[] = []
  for (let index = 0; index < count; index += 1) {
    const at = bytes.readUInt16BE(pointers + 2 * index) + kind.childBytes
    const row = await attempt(() => readRow({ bytes, at, kind, pageCount, readPage, overflowPages }))
    if (row !== null) rows.push(row)
  }
  return { rows, overflowPages, isSound: rows.length === count }
}

/**
 * The free pages of a file. Deleted rows may still be on them, and must not come back. Reads the list of free pages as
 * far as it makes sense. `ageOf`: a page with a higher one was written later, so what a page with a lower one says of it
 * no longer holds.
 */
export async function readFreePages(
  pageCount: number,
  readPage: ReadPage,
  ageOf: (page: number) => number,
): Promise<ReadonlySet<number>> {
  const free = new Set<number>()
  let before = 1
  const isNext = (page: number) => page > 1 && page <= pageCount && !free.has(page) && ageOf(page) <= ageOf(before)
  const first = await readPage(1)
  for (let trunk = first?.readUInt32BE(32) ?? 0; isNext(trunk);) {
    const bytes = await readPage(trunk)
    const count = bytes?.readUInt32BE(4) ?? Infinity
    if (bytes === null || count > PAGE_BYTES / 4 - 2) break
    const pages = Array.from({ length: count }, (_, index) => bytes.readUInt32BE(8 + 4 * index))
    if (pages.some((page) => page < 2 || page > pageCount)) break
    for (const page of [trunk, ...pages]) if (ageOf(page) <= ageOf(trunk)) free.add(page)
    before = trunk
    trunk = bytes.readUInt32BE(0)
  }
  return free
}

interface RowPlace {
  readonly bytes: Buffer
  readonly at: number
  readonly kind: PageKind
  readonly pageCount: number
  readonly readPage: ReadPage
  readonly overflowPages: number[]
}

/** Reads a row; null when it makes no sense. Throws RangeError when it points outside its page. */
async function readRow({ bytes, at, kind, pageCount, readPage, overflowPages }: RowPlace): Promise<PageRow | null> {
  const size = readVarint(bytes, at)
  const rowid = kind.hasRowid ? readVarint(bytes, size.end) : { value: null, end: size.end }
  if (size.value > pageCount * PAGE_BYTES) return null
  const most = kind.hasRowid ? MOST_LOCAL_BYTES.table : MOST_LOCAL_BYTES.index
  const local = localBytes(size.value, most)
  if (rowid.end + local > PAGE_BYTES) return null
  const pieces = [bytes.subarray(rowid.end, rowid.end + local)]
  const chain = new Set<number>()
  let next = local < size.value ? bytes.readUInt32BE(rowid.end + local) : 0
  for (let missing = size.value - local; missing > 0; missing -= OVERFLOW_BYTES) {
    const page = next > 1 && next <= pageCount && !chain.has(next) ? await readPage(next) : null
    if (page === null) return null
    chain.add(next)
    pieces.push(page.subarray(4, 4 + Math.min(missing, OVERFLOW_BYTES)))
    next = page.readUInt32BE(0)
  }
  const values = readRecord(Buffer.concat(pieces))
  if (values === null) return null
  overflowPages.push(...chain)
  return { rowid: rowid.value, values }
}

function localBytes(sizeBytes: number, most: number): number {
  if (sizeBytes <= most) return sizeBytes
  const fitting = LEAST_LOCAL_BYTES + ((sizeBytes - LEAST_LOCAL_BYTES) % OVERFLOW_BYTES)
  return fitting <= most ? fitting : LEAST_LOCAL_BYTES
}

/** Returns null unless the columns exactly fill the record. Throws RangeError when its header points outside it. */
function readRecord(record: Buffer): readonly Cell[] | null {
  const header = readVarint(record, 0)
  const values: Cell[] = []
  let valueAt = header.value
  for (let typeAt = header.end; typeAt < header.value;) {
    const type = readVarint(record, typeAt)
    typeAt = type.end
    const end = valueAt + bytesOf(type.value)
    const value = readValue(record, type.value, valueAt, end)
    if (value === undefined) return null
    values.push(value)
    valueAt = end
  }
  return valueAt === record.length ? values : null
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const INTEGER_BYTES = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0]

function bytesOf(type: number): number {
  return INTEGER_BYTES[type] ?? Math.floor((type - 12) / 2)
}

/** Returns undefined for blobs, which our tables don't have. Throws TypeError for text that is not UTF-8. */
function readValue(record: Buffer, type: number, start: number, end: number): Cell | undefined {
  if (type === 0) return null
  if (type === 8 || type === 9) return type - 8
  if (type === 7) return record.readDoubleBE(start)
  if (type === 6) return Number(record.readBigInt64BE(start))
  if (type < 6) return record.readIntBE(start, end - start)
  if (type < 13 || type % 2 === 0 || end > record.length) return undefined
  return UTF8.decode(record.subarray(start, end))
}

/** Numbers above 2^53, which we don't have, lose digits. Throws RangeError at the end of the bytes. */
function readVarint(bytes: Buffer, start: number): { readonly value: number; readonly end: number } {
  let value = 0
  for (let index = 0; index < 8; index += 1) {
    const byte = bytes.readUInt8(start + index)
    value = value * 128 + (byte & 0x7f)
    if (byte < 0x80) return { value, end: start + index + 1 }
  }
  return { value: value * 256 + bytes.readUInt8(start + 8), end: start + 9 }
}

async function attempt<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read()
  } catch (failure) {
    if (failure instanceof RangeError || failure instanceof TypeError) return null
    throw failure
  }
}
