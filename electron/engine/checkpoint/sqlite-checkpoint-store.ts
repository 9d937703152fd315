import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { TransferId } from '../../../shared/transfer/transfer.ts'
import type { CheckpointStore } from '../core/checkpoint-store.ts'
import type { Clock } from '../core/deps.ts'
import type { FolderItem, TransferChanges, TransferRecord } from '../core/records.ts'
import { createCommitQueue, type CommitQueue } from './commit-queue.ts'
import { isSound, openDatabase, readText, toCheckpointError, type Database, type SqlValue } from './database.ts'
import { deleteDatabase, mark, unmark, type DeleteFile } from './discarded.ts'
import { historyTable } from './history-table.ts'
import { createKeptLinks, type KeptLinks } from './kept-links.ts'
import { NO_SEALER, type Sealer } from './link-secrets.ts'
import { listTop } from './list-top.ts'
import { migrate, MIGRATIONS } from './migrations.ts'
import { planTable } from './plan-table.ts'
import { decodeAbort, decodeTransfer, readableItems, readableParts, readableRanges } from './record-codec.ts'
import { salvage, type Damage } from './salvage.ts'

/** A checkpoint store on one SQLite file, and what happened when it was opened. */
export interface SqliteCheckpointStore extends CheckpointStore {
  /** What became of a damaged database, so that a person can be told; null: there was none. */
  readonly damage: Damage | null
  /** Whether the file passes the check of the next opener. Never throws. */
  isSound(): Promise<boolean>
  /** Nothing in it is needed any more: `close` deletes it, its copies too, before another opener can have it. */
  discardOnClose(): void
}

/** Rows handled before other work gets its turn: about 5 ms. */
const ROWS_PER_TURN = 500

/**
 * Opens the checkpoint store at `path`, making its folder and file where they are missing. A damaged database is kept
 * aside, and what can be read of it copied into a new one. `sealer` seals links. Throws CheckpointError; a database it refuses is left as it is.
 */
export async function openCheckpointStore(
  path: string,
  clock: Clock,
  sealer: Sealer = NO_SEALER,
  migrations: readonly string[] = MIGRATIONS,
  deleteFile?: DeleteFile,
): Promise<SqliteCheckpointStore> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const database = await openDatabase(path, migrations.length)
  try {
    await unmark(path)
    await migrate(database, path, migrations)
    const damage = await salvage(database, path, clock.nowMs())
    const wasRunning = await startSession(database)
    const opening = { afterUncleanStop: wasRunning || damage !== null, damage }
    return createStore(database, clock, sealer, opening, () => discard(database, path, deleteFile))
  } catch (failure) {
    await release(database)
    throw toCheckpointError(failure, path)
  }
}

function createStore(
  database: Database,
  clock: Clock,
  sealer: Sealer,
  opening: Pick<SqliteCheckpointStore, 'afterUncleanStop' | 'damage'>,
  discardAll: () => Promise<void>,
): SqliteCheckpointStore {
  const links = createKeptLinks(sealer)
  const queue = createCommitQueue(database, async () => {
    // What was overwritten still stands in the log of changes.
    if (links.takeSpent()) await database.exec('PRAGMA wal_checkpoint(TRUNCATE)').catch(() => undefined)
  })
  let closing: Promise<void> | null = null
  let isDiscarded = false
  const { read, write } = statementsOf(database, queue)

  return {
    ...opening,
    ...transferTable(database, queue, clock, links),
    ...listTop(database, queue, links),
    ...itemTable(database, queue),
    ...planTable(database, queue),
    ...historyTable(database, queue),
    ...claimTables(database, queue),
    async abortsDue() {
      const rows = (await read(`SELECT ${readText('due')} FROM aborts`)) as readonly { readonly due: string }[]
      return rows.flatMap((row) => {
        const decoded = decodeAbort(row.due)
        return 'value' in decoded ? [decoded.value] : []
      })
    },
    addAbort: (abort) => write('INSERT OR REPLACE INTO aborts VALUES (?, ?)', abort.uploadId, JSON.stringify(abort)),
    abortDone: (uploadId) => write('DELETE FROM aborts WHERE upload_id = ?', uploadId),
    async getValue(name) {
      const rows = await read(`SELECT ${readText('json')} FROM named_values WHERE name = ?`, name)
      return (rows as readonly { readonly json: string }[])[0]?.json ?? null
    },
    setValue: (name, json) => write('INSERT OR REPLACE INTO named_values VALUES (?, ?)', name, json),
    isSound: () => queue.transact(() => isSound(database)),
    discardOnClose() {
      isDiscarded = true
    },
    close() {
      closing ??= write('UPDATE session SET running = 0').then(() => (isDiscarded ? discardAll() : release(database)))
      return closing
    },
  }
}

const SELECT_DOWNLOADS = `SELECT ${readText('record')} FROM transfers WHERE folderId = ?`
const SELECT_ITEMS = `SELECT number, ${readText('items')} FROM items WHERE transfer_id = ? AND number > ? ORDER BY number LIMIT 1`

function itemTable(
  database: Database,
  queue: CommitQueue,
): Pick<CheckpointStore, 'items' | 'addItems' | 'removeItems' | 'downloadsOf'> {
  return {
    items: (id) => itemPages(database, queue, id),
    addItems: (id, items) =>
      queue.transact(() =>
        run(database, 'INSERT INTO items (transfer_id, items) VALUES (?, ?)', [[id, JSON.stringify(items)]]),
      ),
    removeItems: (id) => queue.transact(() => run(database, 'DELETE FROM items WHERE transfer_id = ?', [[id]])),
    async downloadsOf(folderId) {
      const rows = await queue.transact(async () => (await database.prepare(SELECT_DOWNLOADS)).all(folderId))
      const decoded = (rows as readonly Pick<RecordRow, 'record'>[]).map((row) => decodeTransfer(row.record))
      return decoded.flatMap((each) => ('value' in each && each.value.direction === 'download' ? [each.value] : []))
    },
  }
}

/** Page by page, because a page is parsed on the calling thread. */
async function* itemPages(
  database: Database,
  queue: CommitQueue,
  id: TransferId,
): AsyncGenerator<readonly FolderItem[], void> {
  for (let last = 0; ;) {
    const rows = await queue.transact(async () => (await database.prepare(SELECT_ITEMS)).all(id, last))
    const [row] = rows as readonly { readonly number: number; readonly items: string }[]
    if (row === undefined) return
    last = row.number
    yield readableItems(row.items)
    await nextTurn()
  }
}

const SELECT_PARTS = `SELECT part_number AS partNumber, size_bytes AS sizeBytes, ${readText('etag')},
  ${readText('md5')} FROM parts
  WHERE transfer_id = ? ORDER BY part_number`
const SELECT_RANGES = `SELECT start_byte AS start, end_byte AS "end", crc32 FROM ranges
  WHERE transfer_id = ? ORDER BY start_byte`
const DELETE_PART = 'DELETE FROM parts WHERE transfer_id = ? AND part_number = ?'
const DELETE_RANGE = 'DELETE FROM ranges WHERE transfer_id = ? AND start_byte = ?'

/** Parts of uploads and ranges of downloads. */
function claimTables(
  database: Database,
  queue: CommitQueue,
): Pick<CheckpointStore, 'parts' | 'putParts' | 'removeParts' | 'ranges' | 'putRanges' | 'removeRanges'> {
  const { read, write } = statementsOf(database, queue)
  return {
    async parts(id) {
      return readableParts(await read(SELECT_PARTS, id))
    },
    putParts: (id, parts) =>
      queue.transact(() =>
        run(
          database,
          'INSERT OR REPLACE INTO parts VALUES (?, ?, ?, ?, ?)',
          parts.map((part) => [id, part.partNumber, part.sizeBytes, part.etag, part.md5]),
        ),
      ),
    removeParts: (id, partNumbers) =>
      partNumbers === 'all'
        ? write('DELETE FROM parts WHERE transfer_id = ?', id)
        : queue.transact(() => run(database, DELETE_PART, pairs(id, partNumbers))),
    async ranges(id) {
      return readableRanges(await read(SELECT_RANGES, id))
    },
    putRanges: (id, ranges) =>
      queue.transact(() =>
        run(
          database,
          'INSERT OR REPLACE INTO ranges VALUES (?, ?, ?, ?)',
          ranges.map((range) => [id, range.start, range.end, range.crc32]),
        ),
      ),
    removeRanges: (id, starts) =>
      starts === 'all'
        ? write('DELETE FROM ranges WHERE transfer_id = ?', id)
        : queue.transact(() => run(database, DELETE_RANGE, pairs(id, starts))),
  }
}

/** The records themselves: one JSON document each, so that only the parsers know their shape. */
function transferTable(
  database: Database,
  queue: CommitQueue,
  clock: Clock,
  links: KeptLinks,
): Pick<CheckpointStore, 'load' | 'insert' | 'update' | 'remove'> {
  return {
    load: () =>
      queue.transact(async () => {
        const oddIds = await setAsideOddIds(database, clock.nowMs())
        const { records, damaged } = await decodeAll(database)
        const changed = records
          .map((record) => ({ record, kept: links.keep(record) }))
          .filter(({ record, kept }) => kept !== record)
        if (changed.length > 0) links.spend()
        await run(
          database,
          'UPDATE transfers SET record = ? WHERE id = ?',
          changed.map(({ kept }) => [JSON.stringify(kept), kept.id]),
        )
        await run(
          database,
          "INSERT INTO set_aside SELECT ?, 'transfers', id, record, ? FROM transfers WHERE id = ?",
          damaged.map(({ id, reason }) => [clock.nowMs(), reason, id]),
        )
        await run(
          database,
          'DELETE FROM transfers WHERE id = ?',
          damaged.map(({ id }) => [id]),
        )
        const opened = records.map(links.open)
        return { records: opened.sort((a, b) => a.position - b.position), setAside: oddIds + damaged.length }
      }),
    insert: (records) =>
      queue.transact(() =>
        run(
          database,
          'INSERT INTO transfers VALUES (?, ?)',
          records.map((record) => [record.id, JSON.stringify(links.keep(record))]),
        ),
      ),
    update: (id, changes) => queue.transact(() => updateRecord(database, id, changes, links)),
    remove: (ids) =>
      queue.transact(async () => {
        const keys = ids.map((id) => [id])
        links.forget(ids)
        await run(database, 'DELETE FROM transfers WHERE id = ?', keys)
        await run(database, 'DELETE FROM parts WHERE transfer_id = ?', keys)
        await run(database, 'DELETE FROM ranges WHERE transfer_id = ?', keys)
        await run(database, 'DELETE FROM items WHERE transfer_id = ?', keys)
        await run(database, 'DELETE FROM plans WHERE transfer_id = ?', keys)
        await run(database, 'DELETE FROM histories WHERE transfer_id = ?', keys)
      }),
  }
}

interface RecordRow {
  readonly id: string
  readonly record: string
}

/** Ours are printable ASCII. One that isn't may not even be text, so it is handled in SQL alone. */
const ODD_ID = "id GLOB '*[^ -~]*'"
const SET_ODD_ASIDE = `INSERT INTO set_aside
  SELECT ?, 'transfers', id, record, 'The id is damaged.' FROM transfers WHERE ${ODD_ID}`

/** @returns how many. */
async function setAsideOddIds(database: Database, nowMs: number): Promise<number> {
  const statement = await database.prepare(`SELECT count(*) AS count FROM transfers WHERE ${ODD_ID}`)
  const [row] = (await statement.all()) as readonly { readonly count: number }[]
  if (row === undefined || row.count === 0) return 0
  await run(database, SET_ODD_ASIDE, [[nowMs]])
  await run(database, `DELETE FROM transfers WHERE ${ODD_ID}`, [[]])
  return row.count
}

/** Page by page, because a page is read and parsed on the calling thread. */
async function decodeAll(database: Database): Promise<{
  readonly records: TransferRecord[]
  readonly damaged: readonly { readonly id: string; readonly reason: string }[]
}> {
  const page = await database.prepare(
    `SELECT id, ${readText('record')} FROM transfers WHERE id > ? ORDER BY id LIMIT ?`,
  )
  const records: TransferRecord[] = []
  const damaged: { id: string; reason: string }[] = []
  for (let lastId: string | undefined = ''; lastId !== undefined;) {
    const rows = (await page.all(lastId, ROWS_PER_TURN)) as readonly RecordRow[]
    for (const row of rows) {
      const decoded = decodeTransfer(row.record)
      if ('reason' in decoded) damaged.push({ id: row.id, reason: decoded.reason })
      else if (decoded.value.id !== row.id) damaged.push({ id: row.id, reason: 'The record carries another id.' })
      else records.push(decoded.value)
    }
    lastId = rows.at(-1)?.id
    await nextTurn()
  }
  return { records, damaged }
}

async function updateRecord(
  database: Database,
  id: TransferId,
  changes: TransferChanges,
  links: KeptLinks,
): Promise<void> {
  const rows = await (await database.prepare(`SELECT ${readText('record')} FROM transfers WHERE id = ?`)).all(id)
  const [row] = rows as readonly { readonly record: string }[]
  // Removed meanwhile: there is nothing left to keep.
  if (row === undefined) return
  if (changes.location !== undefined) links.forget([id])
  const record = links.keep({ ...(JSON.parse(row.record) as TransferRecord), ...changes } as TransferRecord)
  await run(database, 'UPDATE transfers SET record = ? WHERE id = ?', [[JSON.stringify(record), id]])
}

/** @returns whether the process before this one ended without `close`. */
async function startSession(database: Database): Promise<boolean> {
  const rows = await (await database.prepare('SELECT running FROM session')).all()
  await database.exec('UPDATE session SET running = 1')
  return (rows as readonly { readonly running: number }[])[0]?.running !== 0
}

/** Leaves one file without companions and gives up the lock, which libsql holds until its statements are collected. */
async function release(database: Database): Promise<void> {
  await database.exec('PRAGMA journal_mode = DELETE; PRAGMA locking_mode = NORMAL; SELECT count(*) FROM sqlite_schema')
  database.close()
}

/** Deletes the files under the lock, or right after it where open files can't be deleted (Windows). */
async function discard(database: Database, path: string, deleteFile?: DeleteFile): Promise<void> {
  // Without companions: SQLite would delete them by name at the end, when they may be another opener's.
  await database.exec('PRAGMA journal_mode = DELETE')
  const isWindows = process.platform === 'win32'
  if (isWindows || !(await deleteDatabase(path, deleteFile))) await mark(path)
  database.close()
  if (isWindows) await deleteDatabase(path, deleteFile)
}

async function run(database: Database, sql: string, rows: readonly (readonly SqlValue[])[]): Promise<void> {
  const statement = await database.prepare(sql)
  for (const [index, row] of rows.entries()) {
    if (index % ROWS_PER_TURN === ROWS_PER_TURN - 1) await nextTurn()
    statement.run(...row)
  }
}

/** One statement, one commit. */
function statementsOf(database: Database, queue: CommitQueue) {
  return {
    write: (sql: string, ...values: SqlValue[]) => queue.transact(() => run(database, sql, [values])),
    read: (sql: string, ...values: SqlValue[]) =>
      queue.transact(async () => (await database.prepare(sql)).all(...values)),
  }
}

function pairs(id: TransferId, numbers: readonly number[]): SqlValue[][] {
  return numbers.map((number) => [id, number])
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
