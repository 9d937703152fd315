import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openCheckpointStore } from '../../../electron/engine/checkpoint/sqlite-checkpoint-store.ts'
import { createSystemClock } from '../../../electron/engine/system/system-clock.ts'
import type { TransferEngine } from '../../../electron/engine/queue/engine.ts'
import type { TransferId } from '../../../shared/transfer/transfer.ts'
import { OPTIONS } from '../../support/worlds/engine-world.ts'
import { createFolderWorld, downloadFolder, enqueueFolder, rowOf } from '../../support/worlds/folder-world.ts'
import {
  createUploadFolderWorld,
  requestFor,
  uploadFolder,
  writeAll,
} from '../../support/worlds/upload-folder-world.ts'

async function statesOf(engine: TransferEngine, id: TransferId): Promise<readonly string[]> {
  const page = await engine.filesOf({ id, first: 0, count: 200 })
  return (page?.files ?? []).map(({ path, state }) => `${path} ${state}`).toSorted()
}

it('tells what became of each file of a folder upload, and tries one alone again', async () => {
  const world = await createUploadFolderWorld()
  await writeAll(world, 4)
  const one = world.proxy.rule({ when: { path: '/photos/1' }, fault: { kind: 'response', status: 403 } })
  world.proxy.rule({ when: { path: '/photos/2' }, fault: { kind: 'response', status: 403 } })
  const engine = await world.open()
  const { id } = await uploadFolder(world, engine)
  const failed = ['photos/0 done', 'photos/1 failed', 'photos/2 failed', 'photos/3 done']
  expect(await statesOf(engine, id)).toEqual(failed)
  const page = await engine.filesOf({ id, first: 1, count: 1 })
  expect(page).toMatchObject({ total: 4, first: 1, files: [{ path: 'photos/1', sizeBytes: 12 }] })
  expect(page?.files[0]?.error?.code).toBe('access-denied')

  one.remove()
  const before = world.puts().length
  await engine.retryFile({ id, path: 'photos/1' })
  await engine.idle()
  expect(world.puts().slice(before)).toEqual(['up/photos/1'])
  expect(rowOf(engine, id)).toMatchObject({ status: 'failed', items: { done: 3, failed: 1 } })
  expect(await statesOf(engine, id)).toEqual(['photos/0 done', 'photos/1 done', 'photos/2 failed', 'photos/3 done'])
  expect(await engine.localPathOf({ id, path: 'photos/1' })).toBe(join(world.source, '1'))
})

it('tells the same of a folder download, and after a restart', async () => {
  const world = await createFolderWorld()
  for (const name of ['a', 'b', 'deep/c']) await world.put(`data/${name}`, name)
  const refused = world.proxy.rule({ when: { path: '/data/b' }, fault: { kind: 'response', status: 403 } })
  const first = await world.open()
  const { id } = await downloadFolder(world, first)
  const states = ['a done', 'b failed', 'deep/c done']
  expect(await statesOf(first, id)).toEqual(states)
  await first.close()

  const second = await world.open()
  expect(await statesOf(second, id)).toEqual(states)
  expect(await second.localPathOf({ id, path: 'deep/c' })).toBe(join(world.target, 'deep/c'))
  refused.remove()
  await second.retryFile({ id, path: 'b' })
  await second.idle()
  expect(await statesOf(second, id)).toEqual(['a done', 'b done', 'deep/c done'])
})

it('tells files that were there already from those that it sent, after a restart too', async () => {
  const world = await createUploadFolderWorld()
  await writeAll(world, 2)
  const engine = await world.open()
  await uploadFolder(world, engine)
  const again = await uploadFolder(world, engine)
  expect(again.items).toEqual({ ...again.items, done: 2, alreadyThere: 2 })
  const there = ['photos/0 already-there', 'photos/1 already-there']
  expect(await statesOf(engine, again.id)).toEqual(there)
  await writeAll(world, 3)
  const more = await uploadFolder(world, engine)
  expect(more.items).toEqual({ ...more.items, done: 3, alreadyThere: 2 })
  expect(await statesOf(engine, more.id)).toEqual([...there, 'photos/2 done'])
  await engine.close()
  const reopened = await world.open()
  expect(rowOf(reopened, again.id).items?.alreadyThere).toBe(2)
  expect(await statesOf(reopened, again.id)).toEqual(there)
  expect(await statesOf(reopened, more.id)).toEqual([...there, 'photos/2 done'])
})

it('tells files that were skipped for another object, and proves nothing of them', async () => {
  const world = await createUploadFolderWorld()
  await writeAll(world, 2)
  await world.put('up/photos/0', 'another')
  const engine = await world.open()
  const row = await uploadFolder(world, engine, 'skip')
  expect(row).toMatchObject({ items: { done: 2, skipped: 1 }, verification: 'size-only', proofLack: 'left-alone' })
  expect(row.items?.alreadyThere).toBeUndefined()
  const states = ['photos/0 skipped', 'photos/1 done']
  expect(await statesOf(engine, row.id)).toEqual(states)
  await engine.close()
  expect(await statesOf(await world.open(), row.id)).toEqual(states)
})

it('tells files that were here already from those that it fetched, and calls none of its own so', async () => {
  const world = await createFolderWorld()
  for (const name of ['a', 'b']) await world.put(`data/${name}`, name)
  await mkdir(world.target, { recursive: true })
  await writeFile(join(world.target, 'a'), 'a')
  const refused = world.proxy.rule({ when: { path: '/data/b' }, fault: { kind: 'response', status: 403 } })
  await world.put('data/c', 'c')
  const engine = await world.open()
  const { id } = await downloadFolder(world, engine)
  refused.remove()
  await engine.retryFile({ id, path: 'b' })
  await engine.idle()
  const row = rowOf(engine, id)
  expect(row).toMatchObject({ status: 'completed', items: { done: 3, alreadyThere: 1 } })
  const states = ['a already-there', 'b done', 'c done']
  expect(await statesOf(engine, id)).toEqual(states)
  await engine.close()
  expect(await statesOf(await world.open(), id)).toEqual(states)
})

it('tells which files are under way, and of none once the folder is paused', async () => {
  const world = await createFolderWorld()
  for (const name of ['a', 'b']) await world.put(`data/${name}`, name)
  const held = world.proxy.rule({ when: { path: '/data/b' }, fault: { kind: 'stall', at: 'response' } })
  const engine = await world.open()
  const id = await enqueueFolder(world, engine)
  await expect.poll(() => statesOf(engine, id)).toEqual(['a done', 'b active'])
  const paused = engine.pause([id])
  await engine.pause([id])
  await paused
  expect(await statesOf(engine, id)).toEqual(['a done', 'b waiting'])
  held.remove()
  await engine.resume([id])
  await engine.idle()
  expect(await statesOf(engine, id)).toEqual(['a done', 'b done'])
})

it('tries a file that failed once more after the others are through', async () => {
  const world = await createUploadFolderWorld()
  await writeAll(world, 2)
  const refused = world.proxy.rule({ when: { path: '/photos/0' }, times: 1, fault: { kind: 'response', status: 403 } })
  let letGo = (): void => undefined
  const until = new Promise<void>((resolve) => (letGo = resolve))
  world.proxy.rule({ when: { path: '/photos/1' }, times: 1, fault: { kind: 'stall', at: 'response', until } })
  const engine = await world.open()
  const id = await engine.enqueueUploadFolder(requestFor(world))
  await expect.poll(() => statesOf(engine, id)).toEqual(['photos/0 failed', 'photos/1 active'])
  const retried = engine.retryFile({ id, path: 'photos/0' })
  expect(await statesOf(engine, id)).toEqual(['photos/0 waiting', 'photos/1 active'])
  refused.remove()
  letGo()
  await retried
  await engine.idle()
  expect(rowOf(engine, id)).toMatchObject({ status: 'completed', items: { done: 2, failed: 0 } })
})

it('tells of a folder that was downloaded before listings were kept what is here', async () => {
  const world = await createFolderWorld()
  for (const name of ['a', 'b']) await world.put(`data/${name}`, name)
  const first = await world.open()
  const { id } = await downloadFolder(world, first)
  await first.close()
  const database = await openCheckpointStore(world.databasePath, createSystemClock())
  await database.removePlan(id)
  await database.close()
  const second = await world.open()
  expect(await statesOf(second, id)).toEqual(['a done', 'b done'])
})

it('shows what a folder has become when it is listed again', async () => {
  const world = await createFolderWorld()
  for (const name of ['a', 'b', 'c']) await world.put(`data/${name}`, name)
  const refused = world.proxy.rule({ when: { path: '/data/c' }, fault: { kind: 'response', status: 403 } })
  const engine = await world.open()
  const { id } = await downloadFolder(world, engine)
  expect(await statesOf(engine, id)).toEqual(['a done', 'b done', 'c failed'])
  await world.store.deleteObject({ key: 'data/a', signal: new AbortController().signal })
  refused.remove()
  await engine.retry([id])
  await engine.idle()
  expect(await statesOf(engine, id)).toEqual(['b done', 'c done'])
})

it('gives pages that fit a message, and knows nothing of a single file', async () => {
  const world = await createFolderWorld()
  const long = `${'n'.repeat(200)}/`.repeat(4)
  await Promise.all(Array.from({ length: 100 }, (_, number) => world.put(`data/${long}${number}`, 'x')))
  const engine = await world.open()
  const { id } = await downloadFolder(world, engine)
  const page = await engine.filesOf({ id, first: 0, count: 200 })
  expect(page?.total).toBe(100)
  expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(64 * 1024)
  expect(await engine.filesOf({ id: 'no-such', first: 0, count: 10 })).toBeNull()
})

it('finds files that were here already by the names that they have here', async () => {
  const world = await createFolderWorld()
  const paths = ['A', 'a', 'deep//x', 'foo', 'foo/bar', 'plain']
  for (const path of paths) await world.put(`data/${path}`, path)
  const engine = await world.open()
  await downloadFolder(world, engine)
  await world.put('data/foo/new', 'foo/new')
  const { id, items } = await downloadFolder(world, engine)
  expect(items).toMatchObject({ done: 7, alreadyThere: 6 })
  const found = await Promise.all([...paths, 'foo/new'].map((path) => engine.localPathOf({ id, path })))
  expect(await Promise.all(found.map((path) => readFile(path ?? '', 'utf8')))).toEqual([...paths, 'foo/new'])
  expect(await engine.localPathOf({ id, path: 'never listed' })).toBeNull()
})

it('finds no file outside the folder, whatever path is asked for', async () => {
  const downloads = await createFolderWorld()
  await downloads.put('data/a', 'a')
  const first = await downloads.open()
  const download = await downloadFolder(downloads, first)
  const uploads = await createUploadFolderWorld()
  await writeAll(uploads, 1)
  const second = await uploads.open()
  const upload = await uploadFolder(uploads, second)
  for (const path of ['../a', 'a/../../a', '..']) expect(await first.localPathOf({ id: download.id, path })).toBeNull()
  for (const path of ['photos/../../a', 'other/a', '../a'])
    expect(await second.localPathOf({ id: upload.id, path })).toBeNull()
})

it('says of no file that another one of its number was done, once the folder is listed again', async () => {
  const world = await createFolderWorld()
  for (const name of ['w', 'x', 'y']) await world.put(`data/${name}`, name)
  const held = world.proxy.rule({ when: { path: '/data/y' }, fault: { kind: 'stall', at: 'response' } })
  const engine = await world.open()
  engine.configure({ ...OPTIONS, connectionsPerTransfer: 1 })
  const id = await enqueueFolder(world, engine)
  await expect.poll(() => statesOf(engine, id)).toEqual(['w done', 'x done', 'y active'])
  await engine.pause([id])
  for (const name of ['a', 'b']) await world.put(`data/${name}`, name)
  held.remove()
  world.proxy.rule({ when: { path: '/data/a' }, fault: { kind: 'stall', at: 'response' } })
  await engine.resume([id])
  await expect.poll(() => statesOf(engine, id)).toContain('a active')
  expect(await statesOf(engine, id)).toEqual(['a active', 'b waiting', 'w done', 'x done', 'y waiting'])
})

it('shows nothing any more of a folder that has become empty', async () => {
  const world = await createFolderWorld()
  const signal = new AbortController().signal
  for (const name of ['a', 'b']) await world.put(`data/${name}`, name)
  await world.put('data/', '')
  const refused = world.proxy.rule({ when: { path: '/data/b' }, fault: { kind: 'response', status: 403 } })
  const engine = await world.open()
  const { id } = await downloadFolder(world, engine)
  expect(await statesOf(engine, id)).toEqual(['a done', 'b failed'])
  refused.remove()
  await world.store.deleteObject({ key: 'data/a', signal })
  await world.store.deleteObject({ key: 'data/b', signal })
  await engine.retry([id])
  await engine.idle()
  expect(rowOf(engine, id)).toMatchObject({ status: 'completed', items: { total: 0, isCounted: true } })
  expect(await statesOf(engine, id)).toEqual([])
})

it('keeps why each of many files failed over a restart, and tries one of them alone again', async () => {
  const world = await createUploadFolderWorld()
  const count = 130
  await writeAll(world, count)
  const refused = world.proxy.rule({ when: { path: '/photos/' }, fault: { kind: 'response', status: 403 } })
  const first = await world.open()
  const { id } = await uploadFolder(world, first)
  expect(rowOf(first, id)).toMatchObject({ status: 'failed', items: { done: 0, failed: count } })
  await first.close()

  const second = await world.open()
  const page = await second.filesOf({ id, first: 0, count: 200 })
  // 'photos/2' before 'photos/10', in what fails as well.
  expect(page?.files.map(({ path }) => path)).toEqual(Array.from({ length: count }, (_, n) => `photos/${String(n)}`))
  const named = second.failuresOf(id).map(({ key }) => Number(key.slice('up/photos/'.length)))
  expect(named).toEqual(named.toSorted((one, other) => one - other))
  expect(page?.files.map(({ state, error }) => `${state} ${error?.code}`)).toEqual(
    Array.from({ length: count }, () => 'failed access-denied'),
  )
  refused.remove()
  const before = world.puts().length
  const path = page?.files.at(-1)?.path ?? ''
  await second.retryFile({ id, path })
  await second.idle()
  expect(world.puts().slice(before)).toEqual([`up/${path}`])
  expect(rowOf(second, id)).toMatchObject({ status: 'failed', items: { done: 1, failed: count - 1 } })
  await second.retry([id])
  await second.idle()
  expect(rowOf(second, id)).toMatchObject({ status: 'completed', items: { done: count, failed: 0 } })
})

it('tries no file again that has not failed, whatever path is asked for', async () => {
  const world = await createFolderWorld()
  for (const name of ['a', 'b']) await world.put(`data/${name}`, name)
  world.proxy.rule({ when: { path: '/data/b' }, fault: { kind: 'response', status: 403 } })
  let runs = 0
  const engine = await world.open((context) => {
    runs += 1
    return context
  })
  const { id } = await downloadFolder(world, engine)
  for (const path of ['a', 'none', '../b', 'x'.repeat(4000)]) await engine.retryFile({ id, path })
  await engine.idle()
  expect(runs).toBe(1)
  await engine.retryFile({ id, path: 'b' })
  await engine.idle()
  expect(runs).toBe(2)
})

it('lists files as people count, whatever the order that a service lists them in', async () => {
  const world = await createFolderWorld()
  for (const name of ['a10/x', 'a9/x', 'IMG_10.jpg', 'IMG_2.jpg', 'img_1.jpg']) await world.put(`data/${name}`, name)
  const engine = await world.open()
  const { id } = await downloadFolder(world, engine)
  const wanted = ['a9/x', 'a10/x', 'img_1.jpg', 'IMG_2.jpg', 'IMG_10.jpg']
  const pathsOf = async (files: TransferEngine) =>
    (await files.filesOf({ id, first: 0, count: 200 }))?.files.map(({ path }) => path)
  // Requested at once, as a window does that shows several pages.
  expect(await Promise.all([pathsOf(engine), pathsOf(engine)])).toEqual([wanted, wanted])
  expect((await engine.filesOf({ id, first: 3, count: 1 }))?.files).toMatchObject([
    { path: 'IMG_2.jpg', state: 'done' },
  ])
  await engine.close()
  expect(await pathsOf(await world.open())).toEqual(wanted)
})
