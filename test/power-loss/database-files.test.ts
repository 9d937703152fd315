import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { NO_SEALER } from '../../electron/engine/checkpoint/tables/link-secrets.ts'
import { MIGRATIONS } from '../../electron/engine/checkpoint/migrations.ts'
import { openCheckpointStore } from '../../electron/engine/checkpoint/sqlite-checkpoint-store.ts'
import { createFakeClock } from '../support/fakes/fake-clock.ts'
import { uploadRecord } from '../support/fakes/records.ts'
import { tempDir } from '../support/tools/temp-dir.ts'

/** Disks write sectors whole. */
const SECTOR_BYTES = 512
/** Of the log: SQLite, Database File Format, 4.1. */
const LOG_HEADER_BYTES = 32
const FRAME_BYTES = 24 + 4096
/** As many places to cut at are tried in each step. */
const CUTS = 10
const clock = createFakeClock()
interface Files {
  readonly main: Buffer
  /** Null: there is no log of changes. */
  readonly log: Buffer | null
}

async function filesAt(path: string): Promise<Files> {
  return { main: await readFile(path), log: await readFile(`${path}-wal`).catch(() => null) }
}

/** What may be on disk when the power goes while `before` becomes `after`: all up to a sector, and all but some. */
function torn(before: Buffer, after: Buffer): readonly Buffer[] {
  const length = Math.max(before.length, after.length)
  const sectors = Array.from({ length: Math.ceil(length / SECTOR_BYTES) }, (_, index) => index * SECTOR_BYTES)
  const other = sectors.filter((at) => !equalAt(before, after, at))
  const chosen = other.filter((_at, index) => index % Math.max(1, Math.floor(other.length / CUTS)) === 0)
  return chosen.flatMap((cut) => [
    mixed(before, after, (at) => at < cut),
    mixed(before, after, (at) => at !== cut),
    mixed(before, after, (at) => (at / SECTOR_BYTES) % 3 === (cut / SECTOR_BYTES) % 3),
  ])
}

function equalAt(one: Buffer, other: Buffer, at: number): boolean {
  return one.subarray(at, at + SECTOR_BYTES).equals(other.subarray(at, at + SECTOR_BYTES))
}

/** The sectors of `after` that have come, over `before`; what never came of a longer file is empty. */
function mixed(before: Buffer, after: Buffer, hasCome: (at: number) => boolean): Buffer {
  const found = Buffer.alloc(Math.max(before.length, after.length))
  before.copy(found)
  for (let at = 0; at < after.length; at += SECTOR_BYTES) if (hasCome(at)) after.copy(found, at, at, at + SECTOR_BYTES)
  return found
}

/** A log as it was after each of its commits, which is on disk before the next one begins. */
function commitsIn(log: Buffer): readonly Buffer[] {
  const ends: Buffer[] = []
  for (let at = LOG_HEADER_BYTES; at < log.length; at += FRAME_BYTES)
    if (log.readUInt32BE(at + 4) > 0) ends.push(log.subarray(0, at + FRAME_BYTES))
  return ends
}

/** The transfers that the next start finds; nothing may be damaged or set aside. */
async function transfersIn({ main, log }: Files, copies: Readonly<Record<string, Buffer>> = {}) {
  const path = join(await tempDir(), 'transfers.db')
  await writeFile(path, main)
  if (log !== null) await writeFile(`${path}-wal`, log)
  for (const [end, content] of Object.entries(copies)) await writeFile(path + end, content)
  const store = await openCheckpointStore(path, clock)
  const { records, setAside } = await store.load()
  expect([setAside, store.damage]).toEqual([0, null])
  await store.close()
  return records.map(({ id }) => id).sort()
}

const record = (at: number) =>
  uploadRecord({ id: `t${String(at).padStart(3, '0')}`, position: at, key: `${String(at)}/${'k'.repeat(60_000)}` })
const ids = (count: number) => Array.from({ length: count }, (_, at) => record(at).id)

it('has each transfer while the log is written into the file, at the end of the app and in between', async () => {
  const path = join(await tempDir(), 'transfers.db')
  const store = await openCheckpointStore(path, clock)
  let before = await filesAt(path)
  let after = before
  let count = 0
  // SQLite does it by itself once the log has a thousand pages.
  for (; after.main.equals(before.main); count += 1) {
    before = await filesAt(path)
    await store.insert([record(count)])
    after = await filesAt(path)
  }
  let points = 0
  const holds = async (files: Files, possible: readonly (readonly string[])[]) => {
    points += 1
    expect(possible).toContainEqual(await transfersIn(files))
  }
  for (const main of torn(before.main, after.main)) await holds({ main, log: after.log }, [ids(count)])

  // From here on the log is written from its beginning, over what is in the file by now.
  await store.insert([record(count)])
  const next = await filesAt(path)
  const [old, anew] = [after.log ?? Buffer.alloc(0), next.log ?? Buffer.alloc(0)]
  // Its header is on disk before anything else of it.
  const begun = Buffer.concat([anew.subarray(0, LOG_HEADER_BYTES), old.subarray(LOG_HEADER_BYTES)])
  for (const log of [begun, ...torn(begun, anew)]) await holds({ main: next.main, log }, [ids(count), ids(count + 1)])

  await store.close()
  const closed = await filesAt(path)
  expect(closed.log).toBeNull()
  for (const main of torn(next.main, closed.main)) await holds({ main, log: next.log }, [ids(count + 1)])
  await holds(closed, [ids(count + 1)])
  expect(points).toBeGreaterThan(3 * CUTS)
})

it('has each transfer while a newer version brings the list up to date', async () => {
  const path = join(await tempDir(), 'transfers.db')
  const older = MIGRATIONS.length - 1
  const first = await openCheckpointStore(path, clock, NO_SEALER, MIGRATIONS.slice(0, older))
  await first.insert([record(0), record(1)])
  await first.close()
  const before = await filesAt(path)
  const second = await openCheckpointStore(path, clock)
  const after = await filesAt(path)
  const copy = await readFile(`${path}.v${String(older)}.bak`)
  await second.close()

  // The copy is made, and synced, before anything is changed.
  for (const content of [Buffer.alloc(0), ...torn(Buffer.alloc(0), copy)])
    expect(await transfersIn(before, { [`.v${String(older)}.bak`]: content })).toEqual(ids(2))
  let points = 0
  let synced: Buffer = Buffer.alloc(0)
  for (const committed of commitsIn(after.log ?? Buffer.alloc(0))) {
    for (const log of torn(synced, committed)) {
      expect(await transfersIn({ main: after.main, log }, { [`.v${String(older)}.bak`]: copy })).toEqual(ids(2))
      points += 1
    }
    synced = committed
  }
  expect(points).toBeGreaterThan(CUTS)
})
