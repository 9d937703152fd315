import { open, rm } from 'node:fs/promises'
import { CheckpointError } from './database/checkpoint-error.ts'
import type { Database } from './database/database.ts'

/** SQL that takes the schema from version `index` to `index` + 1. A step is never edited once shipped, only added. */
export const MIGRATIONS: readonly string[] = [
  `CREATE TABLE transfers (id TEXT PRIMARY KEY, record TEXT NOT NULL) STRICT, WITHOUT ROWID;
   CREATE TABLE parts (
     transfer_id TEXT NOT NULL, part_number INTEGER NOT NULL, size_bytes INTEGER NOT NULL, etag TEXT NOT NULL,
     md5 TEXT NOT NULL, PRIMARY KEY (transfer_id, part_number)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE ranges (
     transfer_id TEXT NOT NULL, start_byte INTEGER NOT NULL, end_byte INTEGER NOT NULL, crc32 INTEGER NOT NULL,
     PRIMARY KEY (transfer_id, start_byte)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE aborts (upload_id TEXT PRIMARY KEY, due TEXT NOT NULL) STRICT, WITHOUT ROWID;
   CREATE TABLE named_values (name TEXT PRIMARY KEY, json TEXT NOT NULL) STRICT, WITHOUT ROWID;
   CREATE TABLE set_aside (
     at_ms INTEGER NOT NULL, source TEXT NOT NULL, id TEXT NOT NULL, content TEXT NOT NULL, reason TEXT NOT NULL
   ) STRICT;
   CREATE TABLE session (running INTEGER NOT NULL) STRICT;
   INSERT INTO session VALUES (0);`,
  // One row holds all that finished between two commits: a row for each object would cost more than the object.
  `CREATE TABLE items (
     number INTEGER PRIMARY KEY, transfer_id TEXT NOT NULL, items TEXT NOT NULL
   ) STRICT;
   CREATE INDEX items_of_transfer ON items (transfer_id, number);`,
  // What a folder upload is to send and has sent, with many files in a row.
  `CREATE TABLE plans (
     number INTEGER PRIMARY KEY, transfer_id TEXT NOT NULL, kind TEXT NOT NULL, files TEXT NOT NULL
   ) STRICT;
   CREATE INDEX plans_of_transfer ON plans (transfer_id, kind, number);`,
  // Read for one transfer at a time, so not part of the records, which are all read at the start.
  `CREATE TABLE histories (transfer_id TEXT PRIMARY KEY, history TEXT NOT NULL) STRICT;`,
  // Columns to find the top of a long list by. They come before the record, which then need not be parsed.
  `ALTER TABLE transfers RENAME TO earlier_transfers;
   CREATE TABLE transfers (
     id TEXT PRIMARY KEY, ${copied('status')}, ${copied('position')}, ${copied('finishedAtMs')}, ${copied('folderId')},
     record TEXT NOT NULL
   ) STRICT, WITHOUT ROWID;
   INSERT INTO transfers SELECT id, record FROM earlier_transfers;
   DROP TABLE earlier_transfers;`,
]

/** A column that SQLite keeps equal to a member of the record; NULL if the record lacks it or is damaged. */
function copied(member: string): string {
  return `${member} ANY AS (CASE WHEN json_valid(record) THEN record ->> '$.${member}' END) STORED`
}

/** Brings the schema up to date, all steps in one transaction, after saving a copy as `<path>.v<version>.bak`. */
export async function migrate(database: Database, path: string, migrations: readonly string[]): Promise<void> {
  const version = await currentVersion(database)
  if (version === migrations.length) return
  if (version > 0) await copyTo(database, `${path}.v${String(version)}.bak`)
  const steps = migrations.slice(version).join('\n')
  try {
    await database.exec(`BEGIN IMMEDIATE; ${steps} PRAGMA user_version = ${String(migrations.length)}; COMMIT;`)
  } catch (failure) {
    await database.exec('ROLLBACK').catch(() => undefined)
    const cause = await database.explain(failure)
    const what = version > 0 ? 'upgraded' : 'created'
    throw new CheckpointError('unusable', `The list of transfers could not be ${what}: ${path}`, cause)
  }
}

async function currentVersion(database: Database): Promise<number> {
  const statement = await database.prepare('SELECT user_version AS version FROM pragma_user_version')
  const [row] = (await statement.all()) as readonly { readonly version: number }[]
  return row?.version ?? 0
}

async function copyTo(database: Database, path: string): Promise<void> {
  await rm(path, { force: true })
  // SQLite accepts an empty file to write into, which keeps its mode.
  await (await open(path, 'wx', 0o600)).close()
  await database.exec(`VACUUM INTO '${path.replaceAll("'", "''")}'`)
  const copy = await open(path, 'r+')
  try {
    await copy.sync()
  } finally {
    await copy.close()
  }
}
