import { open, rename, type FileHandle } from 'node:fs/promises'
import { copyReadable } from './database/copy-readable.ts'
import { COMPANIONS, damagedPath, isThere, removeDatabase } from './database/database-files.ts'
import type { Database } from './database/database.ts'
import { PAGE_BYTES } from './database/empty-database.ts'
import { mergeLog, type Merged } from './database/merge-log.ts'
import { readFreePages, readPageRows, type ReadPage } from './page-rows.ts'
import { insertRow } from './salvaged-rows.ts'
import { OWNED_TABLES } from './tables/transfer-table.ts'

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
  const log = hasLog ? await copyMerged(damaged, merged) : NO_LOG
  const areRowsWhole = await copyRows(database, hasLog ? merged : damaged, log)
  await removeDatabase(merged)
  const keptAs = `${damaged}-${String(nowMs)}`
  // The main file goes last: as long as it is there, all of this is done again.
  for (const companion of COMPANIONS.toReversed()) {
    if (await isThere(damaged + companion)) await rename(damaged + companion, keptAs + companion)
  }
  return { keptAs, transfers: await countTransfers(database), isWhole: log.isWhole && areRowsWhole }
}

const NO_LOG: Merged = { isWhole: true, damagesBefore: new Map() }

/** Makes a copy with the newest changes, which are in a log beside the file, merged as far as they can be read. */
async function copyMerged(from: string, to: string): Promise<Merged> {
  await removeDatabase(to)
  await copyReadable(from, to)
  return mergeLog(to, `${from}-wal`)
}

/** Deletes rows that belong to a transfer that isn't there. */
const DELETE_STRAYS = OWNED_TABLES.map(
  (table) => `DELETE FROM ${table} WHERE transfer_id NOT IN (SELECT id FROM transfers);`,
).join(' ')

/** @returns whether everything was readable. */
async function copyRows(database: Database, from: string, log: Merged): Promise<boolean> {
  const file = await open(from, 'r')
  try {
    await database.exec('BEGIN IMMEDIATE')
    const isWhole = await copyPages(database, file, log)
    await database.exec(`${DELETE_STRAYS} COMMIT`)
    return isWhole
  } catch (failure) {
    await database.exec('ROLLBACK').catch(() => undefined)
    throw failure
  } finally {
    await file.close()
  }
}

async function copyPages(database: Database, file: FileHandle, { damagesBefore }: Merged): Promise<boolean> {
  const { size } = await file.stat()
  const pageCount = Math.floor(size / PAGE_BYTES)
  const readPage = pagesOf(file)
  const ageOf = (page: number) => damagesBefore.get(page) ?? 0
  const known = new Set(await readFreePages(pageCount, readPage, ageOf))
  const unsound: number[] = []
  let lostRows = 0
  const told = new Set<string>()
  for (const pages of newestFirst(pageCount, ageOf)) {
    const owners = new Set<string>()
    for (const page of pages) {
      if (known.has(page)) continue
      const { rows, overflowPages, isSound } = await readPageRows(page, pageCount, readPage)
      if (!isSound) unsound.push(page)
      for (const overflowPage of overflowPages) known.add(overflowPage)
      for (const row of rows) {
        const { isKept, owner } = await insertRow(database, row, told)
        if (!isKept) lostRows += 1
        if (owner !== null) owners.add(owner)
      }
    }
    for (const owner of owners) told.add(owner)
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
 * Groups pages by how many damages of the log lie before their newest content, most first: where two pages have the same
 * row, the first one that is read is right.
 */
function newestFirst(pageCount: number, damagesBefore: (page: number) => number): readonly (readonly number[])[] {
  const groups = new Map<number, number[]>()
  for (let page = 1; page <= pageCount; page += 1) {
    const damages = damagesBefore(page)
    const group = groups.get(damages)
    if (group === undefined) groups.set(damages, [page])
    else group.push(page)
  }
  return [...groups].sort(([one], [other]) => other - one).map(([, pages]) => pages)
}

async function countTransfers(database: Database): Promise<number> {
  const statement = await database.prepare('SELECT count(*) AS count FROM transfers')
  const [row] = (await statement.all()) as readonly { readonly count: number }[]
  return row?.count ?? 0
}
