import { setImmediate as nextTurn } from 'node:timers/promises'
import type { TransferId } from '../../../../shared/transfer/transfer.ts'
import type { CheckpointStore } from '../../core/checkpoint-store.ts'
import type { Clock } from '../../core/deps.ts'
import type { TransferChanges, TransferRecord } from '../../core/records.ts'
import type { CommitQueue } from '../database/commit-queue.ts'
import { readText, type Database } from '../database/database.ts'
import { ROWS_PER_TURN, run, statementsOf } from '../database/statements.ts'
import type { KeptLinks } from './kept-links.ts'
import { decodeTransfer } from './record-codec.ts'

/** The tables whose rows belong to a transfer, by their `transfer_id`. */
export const OWNED_TABLES = ['parts', 'ranges', 'items', 'plans', 'histories'] as const

const SELECT_INSIDE = `SELECT ${readText('record')} FROM transfers WHERE folderId = ?`

/** The records themselves. Each is one JSON document, so only the parsers know its shape. */
export function transferTable(
  database: Database,
  queue: CommitQueue,
  clock: Clock,
  links: KeptLinks,
): Pick<CheckpointStore, 'load' | 'insert' | 'update' | 'remove' | 'uploadsOf' | 'downloadsOf'> {
  const { read } = statementsOf(database, queue)

  /** The transfers that are part of a folder. Loading reports those that can't be read. */
  async function insideOf(folderId: TransferId): Promise<readonly TransferRecord[]> {
    const rows = (await read(SELECT_INSIDE, folderId)) as readonly Pick<RecordRow, 'record'>[]
    return rows.flatMap(({ record }) => {
      const decoded = decodeTransfer(record)
      return 'value' in decoded ? [decoded.value] : []
    })
  }

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
    remove: async (ids) => {
      await queue.transact(async () => {
        const keys = ids.map((id) => [id])
        links.spend()
        await run(database, 'DELETE FROM transfers WHERE id = ?', keys)
        for (const table of OWNED_TABLES) await run(database, `DELETE FROM ${table} WHERE transfer_id = ?`, keys)
      })
      // Only after the commit: a transfer that could not be removed may still be started over.
      links.forget(ids)
    },
    uploadsOf: async (id) => (await insideOf(id)).filter((each) => each.direction === 'upload'),
    downloadsOf: async (id) => (await insideOf(id)).filter((each) => each.direction === 'download'),
  }
}

interface RecordRow {
  readonly id: string
  readonly record: string
}

/** Our ids are printable ASCII. One that isn't may not even be text, so it is handled only in SQL. */
const ODD_ID = "id GLOB '*[^ -~]*'"
const SET_ODD_ASIDE = `INSERT INTO set_aside
  SELECT ?, 'transfers', id, record, 'The id is damaged.' FROM transfers WHERE ${ODD_ID}`

/** @returns how many records were set aside. */
async function setAsideOddIds(database: Database, nowMs: number): Promise<number> {
  const statement = await database.prepare(`SELECT count(*) AS count FROM transfers WHERE ${ODD_ID}`)
  const [row] = (await statement.all()) as readonly { readonly count: number }[]
  if (row === undefined || row.count === 0) return 0
  await run(database, SET_ODD_ASIDE, [[nowMs]])
  await run(database, `DELETE FROM transfers WHERE ${ODD_ID}`, [[]])
  return row.count
}

/** Reads page by page, because a page is read and parsed on the calling thread. */
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
      else if (decoded.value.id !== row.id) damaged.push({ id: row.id, reason: 'The record has a different id.' })
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
  const [row] = rows as readonly Pick<RecordRow, 'record'>[]
  // The record was removed meanwhile: there is nothing left to keep.
  if (row === undefined) return
  if (changes.location !== undefined) {
    links.forget([id])
    links.spend()
  }
  const record = links.keep({ ...(JSON.parse(row.record) as TransferRecord), ...changes } as TransferRecord)
  await run(database, 'UPDATE transfers SET record = ? WHERE id = ?', [[JSON.stringify(record), id]])
}
