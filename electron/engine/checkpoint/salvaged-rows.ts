// Rows of a damaged list of transfers, which a page holds without the name of their table.

import type { Database } from './database/database.ts'
import type { Cell, PageRow } from './page-rows.ts'

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

/** Tables that say what is done of a transfer, and the column of its id. They are nothing without their record. */
const CLAIMS: Readonly<Record<string, number>> = { parts: 0, ranges: 0, plans: 1 }

/** What became of a row. */
interface Inserted {
  /** False when nothing can be made of it. */
  readonly isKept: boolean
  /** The transfer whose state it is part of; null if it is none's. */
  readonly owner: string | null
}

/**
 * Copies a row into a database, unless it has one of the same key. Rows that only decoding shows to be wrong are set
 * aside then. `told`: transfers of which newer pages tell. Their older claims are left out, because what was hidden in
 * between may have made them void: those of a newer version of an object, for example, would join its bytes with those of
 * the older one. Claims that are missing are proven anew, from the partial file, the service, or the files themselves.
 */
export async function insertRow(database: Database, row: PageRow, told: ReadonlySet<string>): Promise<Inserted> {
  const { rowid, values } = withoutCopies(row)
  const shape = `${rowid === null ? '' : 'rowid '}${values.map(letterOf).join('')}`
  const table = shape === 'TT' ? documentTable(String(values[1])) : TABLES[shape]
  if (table === undefined) return { isKept: false, owner: null }
  if (table === null) return { isKept: true, owner: null }
  const idColumn = table === 'transfers' ? 0 : CLAIMS[table]
  const owner = idColumn === undefined ? null : String(values[idColumn])
  if (table in CLAIMS && owner !== null && told.has(owner)) return { isKept: false, owner }
  const marks = values.map(() => '?').join(', ')
  const statement = await database.prepare(`INSERT OR IGNORE INTO ${table} VALUES (${marks})`)
  // Such a row's number is its rowid, so the column itself holds null.
  statement.run(...values.map((value, index) => (index === 0 && value === null ? rowid : value)))
  return { isKept: true, owner }
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
