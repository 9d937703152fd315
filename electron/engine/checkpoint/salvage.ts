import { open, rename, type FileHandle } from 'node:fs/promises'
import { COMPANIONS, damagedPath, isThere, removeDatabase } from './database/database-files.ts'
import type { Database } from './database/database.ts'
import { PAGE_BYTES } from './database/empty-database.ts'
import { mergeLog } from './database/merge-log.ts'
import { readFreePages, readPageRows, type Cell, type PageRow, type ReadPage } from './page-rows.ts'

/** What became of a damaged list of transfers. */
export interface Damage {
  /** Where the damaged file is kept. */
  readonly keptAs: string
  /** How many transfers were read from it. */
  readonly transfers: number
  /** Whether everything could be read. */
  readonly isWhole: boolean
}

/**
 * Copies what can be read of a damaged database, in the file of `damagedPath`, into the new one at `path`, whose schema
 * is up to date; then keeps the damaged one under a name of its own. If interrupted, the next opener does it again.
 * Only rows that are on a damaged page themselves are lost. Returns null when there is no damaged database. Throws when
 * the new one can't be written.
 */
export async function salvage(database: Database, path: string, nowMs: number): Promise<Damage | null> {
  const damaged = damagedPath(path)
  if (!(await isThere(damaged))) return null
  const merged = `${path}.salvage`
  const hasLog = await isThere(`${damaged}-wal`)
  const isLogWhole = !hasLog || (await copyMerged(damaged, merged))
  const areRowsWhole = await copyRows(database, hasLog ? merged : damaged)
  await removeDatabase(merged)
  const keptAs = `${damaged}-${String(nowMs)}`
  // The main file goes last: as long as it is there, all of this is done again.
  for (const companion of COMPANIONS.toReversed()) {
    if (await isThere(damaged + companion)) await rename(damaged + companion, keptAs + companion)
  }
  return { keptAs, transfers: await countTransfers(database), isWhole: isLogWhole && areRowsWhole }
}

/**
 * Makes a copy with the newest changes, which are in a log beside the file, merged as far as they can be read.
 * @returns whether all of them could.
 */
async function copyMerged(from: string, to: string): Promise<boolean> {
  await removeDatabase(to)
  await copyPagesTo(from, to)
  return mergeLog(to, `${from}-wal`)
}

/** Pages that can't be read become zeros. */
async function copyPagesTo(from: string, to: string): Promise<void> {
  const source = await open(from, 'r')
  const copy = await open(to, 'wx', 0o600)
  try {
    const { size } = await source.stat()
    await copy.truncate(size)
    const readPage = pagesOf(source)
    for (let page = 1; page * PAGE_BYTES <= size; page += 1) {
      const bytes = await readPage(page)
      if (bytes !== null) await copy.write(bytes, 0, PAGE_BYTES, (page - 1) * PAGE_BYTES)
    }
  } finally {
    await source.close()
    await copy.close()
  }
}

/** @returns whether everything was readable. */
async function copyRows(database: Database, from: string): Promise<boolean> {
  const file = await open(from, 'r')
  try {
    await database.exec('BEGIN IMMEDIATE')
    const isWhole = await copyPages(database, file)
    await database.exec(`${DELETE_STRAYS} COMMIT`)
    return isWhole
  } catch (failure) {
    await database.exec('ROLLBACK').catch(() => undefined)
    throw failure
  } finally {
    await file.close()
  }
}

async function copyPages(database: Database, file: FileHandle): Promise<boolean> {
  const { size } = await file.stat()
  const pageCount = Math.floor(size / PAGE_BYTES)
  const readPage = pagesOf(file)
  const known = new Set(await readFreePages(pageCount, readPage))
  const unsound: number[] = []
  let lostRows = 0
  for (let page = 1; page <= pageCount; page += 1) {
    if (known.has(page)) continue
    const { rows, overflowPages, isSound } = await readPageRows(page, pageCount, readPage)
    if (!isSound) unsound.push(page)
    for (const overflowPage of overflowPages) known.add(overflowPage)
    for (const row of rows) lostRows += (await insert(database, row)) ? 0 : 1
  }
  const isCut = pageCount === 0 || size % PAGE_BYTES > 0 || pageCount < ((await readPage(1))?.readUInt32BE(28) ?? 0)
  return !isCut && lostRows === 0 && unsound.every((page) => known.has(page))
}

function pagesOf(file: FileHandle): ReadPage {
  return async (page) => {
    const bytes = Buffer.alloc(PAGE_BYTES)
    const read = file.read(bytes, 0, PAGE_BYTES, (page - 1) * PAGE_BYTES)
    const { bytesRead } = await read.catch(() => ({ bytesRead: 0 }))
    return bytesRead === PAGE_BYTES ? bytes : null
  }
}

/**
 * The tables of rows, by column types (T for text, I for integer, N for null) and whether there is a rowid, because a
 * page doesn't tell its table. Null is for rows of the schema, of an index, or of a table that starts anew anyway.
 */
const TABLES: Readonly<Record<string, string | null>> = {
  TIITT: 'parts',
  TIII: 'ranges',
  'rowid NTT': 'items',
  'rowid NTTT': 'plans',
  'rowid TT': 'histories',
  'rowid ITTTT': 'set_aside',
  'rowid TTTIT': null,
  'rowid TTTIN': null,
  'rowid I': null,
  TI: null,
  TTI: null,
}

/** Deletes rows that belong to a transfer that isn't there. */
const DELETE_STRAYS = ['parts', 'ranges', 'items', 'plans', 'histories']
  .map((table) => `DELETE FROM ${table} WHERE transfer_id NOT IN (SELECT id FROM transfers);`)
  .join(' ')

/** @returns false when nothing can be made of the row. Rows that only decoding shows to be wrong are set aside then. */
async function insert(database: Database, row: PageRow): Promise<boolean> {
  const { rowid, values } = withoutCopies(row)
  const shape = `${rowid === null ? '' : 'rowid '}${values.map(letterOf).join('')}`
  const table = shape === 'TT' ? documentTable(String(values[1])) : TABLES[shape]
  if (table === undefined) return false
  if (table === null) return true
  const marks = values.map(() => '?').join(', ')
  const statement = await database.prepare(`INSERT OR IGNORE INTO ${table} VALUES (${marks})`)
  // Such a row's number is its rowid, so the column itself holds null.
  statement.run(...values.map((value, index) => (index === 0 && value === null ? rowid : value)))
  return true
}

/** Drops the members that SQLite copies from a record to between key and record, since version 5 of the schema. */
function withoutCopies(row: PageRow): PageRow {
  const [id = null, record = null] = [row.values[0], row.values[5]]
  const isTransfer = row.rowid === null && row.values.length === 6 && documentTable(String(record)) === 'transfers'
  return isTransfer ? { rowid: null, values: [id, record] } : row
}

function letterOf(value: Cell): string {
  if (value === null) return 'N'
  return typeof value === 'string' ? 'T' : 'I'
}

/** Three tables have a key and a document: finds out which of them a document is from. */
function documentTable(json: string): string | undefined {
  try {
    const document: unknown = JSON.parse(json)
    const has = (member: string) => typeof document === 'object' && document !== null && member in document
    if (has('direction')) return 'transfers'
    return has('uploadId') ? 'aborts' : 'named_values'
  } catch {
    return undefined
  }
}

async function countTransfers(database: Database): Promise<number> {
  const statement = await database.prepare('SELECT count(*) AS count FROM transfers')
  const [row] = (await statement.all()) as readonly { readonly count: number }[]
  return row?.count ?? 0
}
