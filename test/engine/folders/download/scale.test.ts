import * as fileSystem from 'node:fs/promises'
import { expect, it } from 'vitest'
import type { FolderContext } from '../../../../electron/engine/core/run.ts'
import type { ObjectStore } from '../../../../electron/stores/port/object-store.ts'
import { contentStore } from '../../../support/fakes/content-store.ts'
import { createFolderWorld, downloadFolder, enqueueFolder, rowOf } from '../../../support/worlds/folder-world.ts'
import { whenHolds } from '../../../support/tools/when-holds.ts'

const OBJECTS = 12_000
const PAGE = 1000
const EMPTY_MD5 = 'd41d8cd98f00b204e9800998ecf8427e'
/** Listed and not asked for yet: four pages wait, one comes, one is looked through. */
const MAX_AHEAD = 6 * PAGE

it('lists 12,000 objects once, a few pages ahead of what it fetches, and records many at a time', async () => {
  const world = await createFolderWorld()
  const counts = { lists: 0, gets: 0, running: 0, mostRunning: 0, mostAhead: 0, records: 0 }
  const empty = contentStore(new Uint8Array())
  const store: ObjectStore = {
    ...world.store,
    listObjects({ marker = '' }) {
      const first = Number(marker.slice('data/'.length))
      counts.lists += 1
      counts.mostAhead = Math.max(counts.mostAhead, first - counts.gets)
      const next = first + PAGE
      return Promise.resolve({
        objects: Array.from({ length: PAGE }, (_, index) => ({
          key: `data/${String(first + index + 1).padStart(6, '0')}`,
          sizeBytes: 0,
          etag: EMPTY_MD5,
          lastModified: 'Wed, 01 Jan 2025 00:00:00 GMT',
        })),
        prefixes: [],
        nextMarker: next < OBJECTS ? `data/${next}` : null,
        requestId: null,
      })
    },
    async getObject(request) {
      counts.gets += 1
      counts.running += 1
      counts.mostRunning = Math.max(counts.mostRunning, counts.running)
      await new Promise((resolve) => setImmediate(resolve))
      counts.running -= 1
      return empty.getObject(request)
    },
  }
  const decorate = (context: FolderContext): FolderContext => {
    const { checkpoints } = context.deps
    const addItems: typeof checkpoints.addItems = (...items) => {
      counts.records += 1
      return checkpoints.addItems(...items)
    }
    return { ...context, store, deps: { ...context.deps, checkpoints: { ...checkpoints, addItems } } }
  }
  const row = await downloadFolder(world, await world.open(decorate))
  expect(row).toMatchObject({ status: 'completed', items: { done: OBJECTS, total: OBJECTS, failed: 0 } })
  expect(await world.files()).toHaveLength(OBJECTS)
  expect(counts).toMatchObject({ lists: OBJECTS / PAGE, gets: OBJECTS })
  expect(counts.mostAhead).toBeLessThanOrEqual(MAX_AHEAD)
  expect(counts.mostRunning).toBeLessThanOrEqual(64)
  expect(counts.records).toBeLessThan(OBJECTS / 100)
})

it('asks for free space before it fetches anything, and waits for it with a reason', async () => {
  const world = await createFolderWorld()
  await Promise.all(['a', 'b', 'c'].map((name) => world.put(`data/${name}`, Buffer.alloc(400_000, name))))
  let freeBytes = 1_200_000
  const statfs = (path: string) =>
    fileSystem.statfs(path).then((facts) => Object.assign(facts, { bavail: freeBytes, bsize: 1, blocks: 1 }))
  const decorate = (context: FolderContext): FolderContext => ({
    ...context,
    deps: { ...context.deps, fileSystem: { ...fileSystem, statfs: statfs as typeof fileSystem.statfs } },
  })
  const engine = await world.open(decorate)
  const id = await enqueueFolder(world, engine)
  await whenHolds(() => expect(rowOf(engine, id)).toMatchObject({ status: 'waiting', wait: { reason: 'disk-full' } }))
  expect(world.fetched()).toEqual([])
  freeBytes = 1_300_000
  await engine.retry([id])
  await engine.idle()
  expect(rowOf(engine, id)).toMatchObject({ status: 'completed', items: { done: 3, total: 3 } })
})

it('goes on with a large object that is partly there without room for all of it', async () => {
  const world = await createFolderWorld()
  const bytes = Buffer.alloc(24 * 1024 * 1024, 'large')
  await world.put('data/large', bytes)
  const first = await world.open()
  const cut = world.proxy.rule({ fault: { kind: 'limit', bytesPerSecond: 1, fromByte: 6_000_000 } })
  const id = await enqueueFolder(world, first)
  await whenHolds(() => expect(rowOf(first, id).confirmedBytes).toBeGreaterThan(5_000_000))
  await first.close()
  cut.remove()
  const statfs = (path: string) =>
    fileSystem.statfs(path).then((facts) => Object.assign(facts, { bavail: 24_000_000, bsize: 1, blocks: 1 }))
  const second = await world.open((context) => ({
    ...context,
    deps: { ...context.deps, fileSystem: { ...fileSystem, statfs: statfs as typeof fileSystem.statfs } },
  }))
  await second.idle()
  expect(rowOf(second, id)).toMatchObject({ status: 'completed', items: { done: 1, total: 1 } })
})

it('gives up a listing whose pages are empty and do not end, and can be tried again', async () => {
  const world = await createFolderWorld()
  await world.put('data/a', 'a')
  let emptyPages = 200_000
  const listObjects: ObjectStore['listObjects'] = async (request) => {
    emptyPages -= 1
    if (emptyPages < 0) return world.store.listObjects({ ...request, marker: '' })
    // One that goes up, as every store requires.
    return { objects: [], prefixes: [], nextMarker: `data/${1_000_000 - emptyPages}`, requestId: 'r-7' }
  }
  const engine = await world.open((context) => ({ ...context, store: { ...world.store, listObjects } }))
  const row = await downloadFolder(world, engine)
  const detail = 'The pages of ListObjects never end'
  expect(row).toMatchObject({ status: 'failed', error: { code: 'answer-unreadable', detail, requestId: 'r-7' } })
  emptyPages = 10_000
  await engine.retry([row.id])
  await engine.idle()
  expect(rowOf(engine, row.id)).toMatchObject({ status: 'completed', items: { done: 1 } })
})
