import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openCheckpointStore } from '../../electron/engine/checkpoint/sqlite-checkpoint-store.ts'
import type { CheckpointStore } from '../../electron/engine/core/checkpoint-store.ts'
import { createFakeClock } from '../support/fakes/fake-clock.ts'
import { uploadRecord } from '../support/fakes/records.ts'
import { tempDir } from '../support/tools/temp-dir.ts'

/** Disks write sectors whole. */
const SECTOR_BYTES = 512
const LOG_HEADER_BYTES = 32
const clock = createFakeClock()

/** The database's two files as they are after so many commits. */
interface Snapshot {
  readonly main: Buffer
  readonly log: Buffer
}

/**
 * SQLite's own writes can't be intercepted from here: each commit appends to the log of changes and syncs it. A power
 * cut leaves any of the sectors that a commit wrote.
 */
async function commits(count: number, isLogAnew: boolean): Promise<readonly Snapshot[]> {
  const path = join(await tempDir(), 'transfers.db')
  const store = await openCheckpointStore(path, clock)
  const take = async () => ({ main: await readFile(path), log: await readFile(`${path}-wal`) })
  if (isLogAnew) await makeLogAnew(path, store)
  const snapshots = [await take()]
  for (let at = 0; at < count; at += 1) {
    await store.insert([uploadRecord({ id: `t${String(at)}`, position: at, key: `${String(at)}/${'k'.repeat(3000)}` })])
    snapshots.push(await take())
  }
  await store.close()
  return snapshots
}

/** Makes the log so long that SQLite begins it anew, from the start of the same file (Database File Format, 4). */
async function makeLogAnew(path: string, store: CheckpointStore): Promise<void> {
  const startOf = async () => (await readFile(`${path}-wal`)).subarray(0, LOG_HEADER_BYTES)
  const first = await startOf()
  for (let at = 0; first.equals(await startOf()); at += 1) {
    expect(at).toBeLessThan(1000)
    await store.insert([uploadRecord({ id: `earlier-${String(at)}`, key: 'k'.repeat(3000) })])
  }
}

async function transfersIn(folder: string, { main, log }: Snapshot): Promise<readonly string[]> {
  const path = join(folder, 'transfers.db')
  await Promise.all([writeFile(path, main), writeFile(`${path}-wal`, log)])
  const store = await openCheckpointStore(path, clock)
  const { records, setAside } = await store.load()
  expect([setAside, store.damage]).toEqual([0, null])
  await store.close()
  return records.map(({ id }) => id).filter((id) => id.startsWith('t'))
}

/** What of `after` may be there, of which `before` certainly is: cut short, or with one sector that never came. */
function torn(before: Buffer, after: Buffer): readonly Buffer[] {
  const found: Buffer[] = []
  for (let at = 0; at < after.length; at += SECTOR_BYTES) {
    const [old, now] = [before, after].map((log) => log.subarray(at, at + SECTOR_BYTES))
    if (old === undefined || now === undefined || old.equals(now)) continue
    if (at >= before.length) found.push(after.subarray(0, at))
    const hole = Buffer.from(after)
    hole.fill(0, at, at + now.length)
    old.copy(hole, at)
    found.push(hole)
  }
  return found
}

it.each([
  ['one that grows', false],
  ['one that is written over a longer one', true],
])('has each transfer that was confirmed, whichever sectors of the next commit came: %s', async (_, isLogAnew) => {
  const snapshots = await commits(2, isLogAnew)
  let points = 0
  for (const [index, before] of snapshots.slice(0, -1).entries()) {
    const after = snapshots[index + 1] ?? before
    expect(after.main.equals(before.main)).toBe(true)
    expect(after.log.length > before.log.length).toBe(!isLogAnew)
    const had = Array.from({ length: index }, (_, at) => `t${String(at)}`)
    for (const log of torn(before.log, after.log)) {
      const found = await transfersIn(await tempDir(), { main: before.main, log })
      expect([had, [...had, `t${String(index)}`]]).toContainEqual(found)
      points += 1
    }
    expect(await transfersIn(await tempDir(), after)).toEqual([...had, `t${String(index)}`])
  }
  expect(points).toBeGreaterThan(20)
})
