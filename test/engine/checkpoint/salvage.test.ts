import { copyFile, open, readFile, rename, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { NO_SEALER } from '../../../electron/engine/checkpoint/tables/link-secrets.ts'
import { MIGRATIONS } from '../../../electron/engine/checkpoint/migrations.ts'
import {
  openCheckpointStore,
  type SqliteCheckpointStore,
} from '../../../electron/engine/checkpoint/sqlite-checkpoint-store.ts'
import { createRandom } from '../../simulation/random.ts'
import { createFakeClock } from '../../support/fakes/fake-clock.ts'
import { downloadRecord, folderItem, folderRecord, uploadRecord } from '../../support/fakes/records.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

const PAGE_BYTES = 4096
const clock = createFakeClock()
const uuid = (number: number) => `${(number * 0x9e3779b1).toString(16).padStart(12, '0')}-transfer`
const UPLOADS = Array.from({ length: 25 }, (_, index) => uuid(index))
const DOWNLOADS = Array.from({ length: 25 }, (_, index) => uuid(1000 + index))
/** Longer than a page, so that most of it lies on pages without its id. */
const LONG = ['long-1', 'long-2', 'long-3']
const IDS = [...UPLOADS, ...DOWNLOADS, ...LONG, 'folder']
const PLACES = JSON.stringify(['Studio', 'Archive'])

/** A list as it is after some weeks: transfers of each kind, their claims, and named values. */
async function fill(store: SqliteCheckpointStore): Promise<void> {
  await store.setValue('places', PLACES)
  await store.insert([
    ...UPLOADS.map((id, position) => uploadRecord({ id, position })),
    ...DOWNLOADS.map((id, position) => downloadRecord({ id, position, targetPath: `/downloads/${position}.tar` })),
    ...LONG.map((id) => uploadRecord({ id, key: 'k'.repeat(9000) })),
    folderRecord({ id: 'folder' }),
  ])
  for (const id of UPLOADS) await store.putParts(id, partsOf(id))
  for (const id of DOWNLOADS) await store.putRanges(id, [{ start: 0, end: 2 ** 33, crc32: 0xffff_fffe }])
  for (let page = 0; page < 12; page += 1) {
    await store.addItems('folder', [{ ...folderItem(`key-${page}`), path: `${page} ${'p'.repeat(500)}` }])
  }
  await store.addAbort({ location: uploadRecord().location, key: 'k', uploadId: 'abort-me' })
}

function partsOf(id: string) {
  return [1, 2, 3].map((partNumber) => ({
    partNumber,
    sizeBytes: 8 * 2 ** 20,
    etag: `${id}-${partNumber}`,
    md5: '0'.repeat(32),
  }))
}

async function filled(): Promise<{ readonly path: string; readonly content: Buffer }> {
  const path = join(await tempDir(), 'transfers.db')
  const store = await openCheckpointStore(path, clock)
  await fill(store)
  // Removed again: what is gone stays gone.
  await store.insert(Array.from({ length: 40 }, (_, index) => uploadRecord({ id: `gone-${index}` })))
  await store.remove(Array.from({ length: 40 }, (_, index) => `gone-${index}`))
  await store.close()
  return { path, content: await readFile(path) }
}

/** A list as a killed program leaves it: what is newest stands in the log of changes alone. */
async function killedList(): Promise<string> {
  const { path } = await filled()
  const killed = await openCheckpointStore(path, clock)
  await killed.insert([uploadRecord({ id: 'newest' })])
  const copy = join(await tempDir(), 'transfers.db')
  for (const companion of ['', '-wal']) await copyFile(path + companion, copy + companion)
  await killed.close()
  return copy
}

/** What is there after it was opened with this content. */
async function openWith(path: string, content: Buffer) {
  await writeFile(path, content)
  const store = await openCheckpointStore(path, clock)
  const { records, setAside } = await store.load()
  const ids = new Set(records.map(({ id }) => id))
  let kept = true
  const found = {
    damage: store.damage,
    setAside,
    ids,
    lost: IDS.filter((id) => !ids.has(id)),
    places: await store.getValue('places'),
    aborts: (await store.abortsDue()).map(({ uploadId }) => uploadId),
  }
  if (store.damage !== null) kept = (await readFile(store.damage.keptAs)).equals(content)
  await store.close()
  return { ...found, kept }
}

/** Rows begin with their key, so a page names those that lie on it; all but the beginning of long ones lies elsewhere. */
function expectLostOnPage(lost: readonly string[], page: Buffer): void {
  expect(lost.filter((id) => !page.includes(id) && !LONG.includes(id))).toEqual([])
  expect(lost.filter((id) => LONG.includes(id)).length).toBeLessThanOrEqual(
    LONG.filter((id) => page.includes(id)).length || 1,
  )
}

describe('a damaged list', () => {
  test('is copied whole where nothing but its head or an index is damaged', async () => {
    const { path, content } = await filled()
    for (const at of [3, 18, 30, 96, 120]) {
      const damaged = Buffer.from(content)
      damaged.writeUInt8(damaged.readUInt8(at) ^ 0xff, at)
      const { damage, lost, places, aborts, ids } = await openWith(path, damaged)
      if (damage === null) continue
      expect([at, lost, places, aborts, ids.size]).toEqual([at, [], PLACES, ['abort-me'], IDS.length])
    }
  })

  test('loses only what lies on the page whose bytes are flipped', async () => {
    const { path, content } = await filled()
    const random = createRandom(7)
    let damages = 0
    for (let start = 0; start < content.length; start += PAGE_BYTES) {
      const page = content.subarray(start, start + PAGE_BYTES)
      for (const at of [random.below(8), random.below(PAGE_BYTES)]) {
        const damaged = Buffer.from(content)
        damaged.writeUInt8(damaged.readUInt8(start + at) ^ (1 << random.below(8)), start + at)
        const { damage, lost, setAside, places, ids } = await openWith(path, damaged)
        expectLostOnPage(lost, page)
        if (!page.includes('places')) expect(places).toBe(PLACES)
        expect([...ids].filter((id) => id.startsWith('gone-'))).toEqual([])
        if (damage !== null) damages += 1
        if (damage?.isWhole === true) expect(lost.length).toBe(setAside)
      }
    }
    expect(damages).toBeGreaterThan(10)
  })

  test('loses only what lies on a page that is all zeros', async () => {
    const { path, content } = await filled()
    for (let start = 0; start < content.length; start += PAGE_BYTES) {
      const page = content.subarray(start, start + PAGE_BYTES)
      const { damage, lost, setAside, places } = await openWith(
        path,
        Buffer.from(content).fill(0, start, start + PAGE_BYTES),
      )
      expectLostOnPage(lost, page)
      if (!page.includes('places')) expect(places).toBe(PLACES)
      if (lost.length > setAside) expect(damage).toMatchObject({ transfers: IDS.length - lost.length, isWhole: false })
    }
  })

  test('loses only what lies behind the end of a file that was cut', async () => {
    const { path, content } = await filled()
    for (let size = 0; size < content.length; size += 3 * PAGE_BYTES + 700) {
      const { lost, damage } = await openWith(path, content.subarray(0, size))
      const left = content.subarray(0, Math.floor(size / PAGE_BYTES) * PAGE_BYTES)
      const gone = content.subarray(left.length)
      expect(lost.filter((id) => !gone.includes(id) && !LONG.includes(id))).toEqual([])
      expect(damage?.isWhole).toBe(false)
    }
  })

  test('comes with claims, items and unfinished deletions', async () => {
    const { path, content } = await filled()
    await writeFile(path, Buffer.from(content).fill(0x5a, 0, PAGE_BYTES))
    const store = await openCheckpointStore(path, clock)
    const [upload = '', download = ''] = [UPLOADS.at(7), DOWNLOADS.at(9)]
    expect(await store.parts(upload)).toEqual(partsOf(upload))
    expect(await store.ranges(download)).toEqual([{ start: 0, end: 2 ** 33, crc32: 0xffff_fffe }])
    const items: string[] = []
    for await (const page of store.items('folder')) items.push(...page.map(({ key }) => key))
    expect(items).toEqual(Array.from({ length: 12 }, (_, index) => `key-${index}`))
    expect(store).toMatchObject({ afterUncleanStop: true, damage: { transfers: IDS.length } })
    await store.close()
  })

  test('has the changes of a program that was killed', async () => {
    const copy = await killedList()
    const { ids, damage } = await openWith(copy, (await readFile(copy)).fill(0x5a, 16, 5 * PAGE_BYTES))
    expect([damage?.isWhole, ids.has('newest')]).toEqual([false, true])
  })

  test('has them even where the file was cut far below its size', async () => {
    for (const left of [0, 1, 2, 3]) {
      const copy = await killedList()
      const { ids, damage } = await openWith(copy, (await readFile(copy)).subarray(0, left * PAGE_BYTES))
      expect([left, damage?.isWhole, ids.has('newest')]).toEqual([left, false, true])
    }
  })

  test('has all of it where nothing is left but the log, in which all of it stands', async () => {
    const path = join(await tempDir(), 'transfers.db')
    const killed = await openCheckpointStore(path, clock)
    await fill(killed)
    const copy = join(await tempDir(), 'transfers.db')
    await copyFile(`${path}-wal`, `${copy}-wal`)
    await killed.close()
    const { lost, places, damage } = await openWith(copy, Buffer.alloc(0))
    expect([lost, places, damage?.transfers]).toEqual([[], PLACES, IDS.length])
  })

  test('has them too where it was being moved aside when the computer stopped', async () => {
    const copy = await killedList()
    await writeFile(copy, (await readFile(copy)).fill(0x5a, 16, 5 * PAGE_BYTES))
    await rename(copy, `${copy}.damaged`)
    const store = await openCheckpointStore(copy, clock)
    const { records } = await store.load()
    expect([store.damage?.isWhole, records.some(({ id }) => id === 'newest')]).toEqual([false, true])
    await store.close()
  })

  test('has what stands between two others in its place, and what a version without copies of records kept', async () => {
    for (const migrations of [MIGRATIONS, MIGRATIONS.slice(0, 4)]) {
      const path = join(await tempDir(), 'transfers.db')
      const store = await openCheckpointStore(path, clock, NO_SEALER, migrations)
      const moved = uploadRecord({ id: 'moved', position: 1.5 })
      const inside = uploadRecord({ id: 'inside', position: 2, folderId: 'folder' })
      const over = downloadRecord({ id: 'over', position: 3, status: 'completed', finishedAtMs: 7 })
      await store.insert([moved, inside, over])
      await store.close()
      await writeFile(path, (await readFile(path)).fill(0x5a, 0, PAGE_BYTES))
      const opened = await openCheckpointStore(path, clock)
      expect(opened.damage).toMatchObject({ transfers: 3 })
      expect(await opened.load()).toEqual({ records: [moved, inside, over], setAside: 0 })
      await opened.close()
    }
  })

  test('is copied from again where the copying was interrupted', async () => {
    const { path, content } = await filled()
    await writeFile(`${path}.damaged`, Buffer.from(content).fill(0, PAGE_BYTES * 3, PAGE_BYTES * 4))
    await truncate(path, 0)
    const store = await openCheckpointStore(path, clock)
    expect((await store.load()).records.length).toBe(store.damage?.transfers)
    expect(store.damage?.transfers).toBeGreaterThan(IDS.length / 2)
    await store.close()
    const again = await openCheckpointStore(path, clock)
    expect([again.damage, (await again.load()).records.length]).toEqual([null, store.damage?.transfers])
    await again.close()
    expect((await stat(`${path}.damaged-${String(clock.nowMs())}`)).size).toBe(content.length)
  })
})

test('a list that lost all of its content is damaged', async () => {
  const { path } = await filled()
  const { damage, ids } = await openWith(path, Buffer.alloc(0))
  expect([damage, ids.size]).toEqual([{ keptAs: damage?.keptAs, transfers: 0, isWhole: false }, 0])
  const next = await openCheckpointStore(path, clock)
  expect(next.damage).toBeNull()
  await next.close()
})

test('a check of an open list says sound or damaged, as the next start would', async () => {
  const { path } = await filled()
  const store = await openCheckpointStore(path, clock)
  expect(await store.isSound()).toBe(true)
  const file = await open(path, 'r+')
  const { size } = await file.stat()
  for (let page = PAGE_BYTES; page < size; page += PAGE_BYTES) await file.write(Buffer.alloc(8, 0xff), 0, 8, page)
  await file.close()
  expect(await store.isSound()).toBe(false)
})
