import { appendFile, mkdir, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { MIB } from '../../../../shared/limits.ts'
import { rowOf } from '../../../support/worlds/folder-world.ts'
import {
  createUploadFolderWorld,
  requestFor,
  uploadFolder,
  writeAll,
} from '../../../support/worlds/upload-folder-world.ts'

const BAD_DIGEST = '{"Error":{"Code":"InvalidDigest","Message":"No."}}'

it('uploads everything in a folder as one row, each file verified', async () => {
  const world = await createUploadFolderWorld()
  await world.write('a.jpg', 'A')
  await world.write('deep/er/ü b+c%20#?.jpg', 'B')
  await world.write('empty', '')
  await mkdir(join(world.source, 'nothing'))
  const engine = await world.open()
  expect(await uploadFolder(world, engine)).toMatchObject({
    direction: 'upload',
    name: 'photos',
    key: 'up/',
    localPath: world.source,
    status: 'completed',
    verification: 'etag-md5',
    items: { done: 3, total: 3, failed: 0, isCounted: true },
    sizeBytes: 2,
    confirmedBytes: 2,
  })
  expect(engine.snapshot().rows).toHaveLength(1)
  expect(await world.objects()).toEqual({
    'up/photos/a.jpg': 'A',
    'up/photos/deep/er/ü b+c%20#?.jpg': 'B',
    'up/photos/empty': '',
  })
})

it('leaves out, and names, what is no file or can’t be a key', async () => {
  const world = await createUploadFolderWorld()
  await world.write('kept', '1')
  await world.write('.DS_Store', 'x')
  await world.write('sub/Thumbs.db', 'x')
  await world.write('.hidden', '2')
  await world.write('.film.mov.icloud', 'x')
  await symlink('/etc/hostname', join(world.source, 'link'), 'junction')
  await symlink(world.source, join(world.source, 'circle'), 'junction')
  const long = 'n'.repeat(250)
  await world.write([long, long, long, long, 'much-too-deep'].join('/'), 'x')
  await writeFile(Buffer.concat([Buffer.from(join(world.source, 'bad-')), Buffer.from([0xff])]), 'x')
  const socket = createServer().listen(join(world.source, 'socket'))
  onTestFinished(() => void socket.close())
  const engine = await world.open()
  const row = await uploadFolder(world, engine)
  expect(row).toMatchObject({ status: 'completed', items: { done: 2, total: 2 } })
  expect(await world.objects()).toEqual({ 'up/photos/kept': '1', 'up/photos/.hidden': '2' })
  const { count, named } = engine.details(row.id)?.skipped ?? { count: 0, named: [] }
  expect(count).toBe(8)
  expect(named.map(({ path, reason }) => `${path.split('/').at(-1) ?? ''} ${reason}`).sort()).toEqual([
    '.DS_Store system-file',
    '.film.mov.icloud in-cloud',
    'Thumbs.db system-file',
    'bad-\ufffd name',
    'circle link',
    'link link',
    'much-too-deep name',
    'socket special',
  ])
})

it('uploads large files beside small ones, under the same row', async () => {
  const world = await createUploadFolderWorld()
  const large = Buffer.alloc(17 * MIB, 'large')
  await world.write('deep/large', large)
  await world.write('small', 'small')
  const engine = await world.open()
  const row = await uploadFolder(world, engine)
  expect(row).toMatchObject({ status: 'completed', items: { done: 2, total: 2 }, sizeBytes: 17 * MIB + 5 })
  expect(row.confirmedBytes).toBe(row.sizeBytes)
  expect(engine.snapshot().rows).toHaveLength(1)
  expect(world.proxy.requests({ method: 'POST', query: { uploads: true } })).toHaveLength(1)
  expect((await world.objects())['up/photos/deep/large']).toBe(large.toString())
})

it('goes on with a large file where it stopped', async () => {
  const world = await createUploadFolderWorld()
  await world.write('large', Buffer.alloc(33 * MIB, 'large'))
  const part = { method: 'PUT', query: { uploadId: true } }
  const stalled = world.proxy.rule({
    when: { ...part, query: { uploadId: true, partNumber: '5' } },
    fault: { kind: 'stall', at: 'response' },
  })
  const first = await world.open()
  const id = await first.enqueueUploadFolder(requestFor(world))
  await world.proxy.seen(part, 5)
  // All parts but that one, each of 5 MiB and a little.
  await expect.poll(() => rowOf(first, id).confirmedBytes).toBeGreaterThan(27 * MIB)
  await first.close()
  const before = world.proxy.requests(part).length
  stalled.remove()
  const second = await world.open()
  await second.idle()
  expect(rowOf(second, id)).toMatchObject({ status: 'completed', items: { done: 1 } })
  expect(world.proxy.requests({ method: 'POST', query: { uploads: true } })).toHaveLength(1)
  expect(world.proxy.requests(part).length - before).toBeLessThanOrEqual(1)
})

it('does not stop for files that fail, names them, and sends only those again', async () => {
  const world = await createUploadFolderWorld()
  await writeAll(world, 6)
  const denied = world.proxy.rule({ when: { path: '/photos/1' }, fault: { kind: 'response', status: 403 } })
  const damaged = world.proxy.rule({
    when: { path: '/photos/2' },
    fault: { kind: 'response', status: 400, body: BAD_DIGEST },
  })
  const engine = await world.open()
  const row = await uploadFolder(world, engine)
  expect(row).toMatchObject({
    status: 'failed',
    error: { code: 'items-failed' },
    items: { done: 4, total: 6, failed: 2 },
  })
  const failures = engine.details(row.id)?.failures ?? []
  expect(failures.map(({ key, error }) => `${key} ${error.code}`).sort()).toEqual([
    'up/photos/1 access-denied',
    'up/photos/2 part-damaged',
  ])
  denied.remove()
  damaged.remove()
  const before = world.puts().length
  await engine.retry([row.id])
  await engine.idle()
  expect(world.puts().slice(before).sort()).toEqual(['up/photos/1', 'up/photos/2'])
  expect(rowOf(engine, row.id)).toMatchObject({ status: 'completed', items: { done: 6, total: 6, failed: 0 } })
})

it('names files that vanished, and waits with all of them when the folder is gone', async () => {
  const world = await createUploadFolderWorld()
  await writeAll(world, 80)
  const held = world.proxy.rule({ when: { method: 'GET' }, times: 1, fault: { kind: 'stall', at: 'response' } })
  const engine = await world.open()
  const id = await engine.enqueueUploadFolder(requestFor(world))
  await world.proxy.seen({ method: 'GET' }, 1)
  await engine.pause([id])
  held.remove()
  await rm(join(world.source, '7'))
  await engine.resume([id])
  await engine.idle()
  expect(rowOf(engine, id)).toMatchObject({ status: 'failed', items: { done: 79, total: 80, failed: 1 } })
  expect(engine.details(id)?.failures).toMatchObject([{ key: 'up/photos/7', error: { code: 'source-missing' } }])
  await rename(world.source, `${world.source}-away`)
  await engine.retry([id])
  await expect.poll(() => rowOf(engine, id).wait?.reason).toBe('source-missing')
  // It looks again by itself, too: all is there when the folder is.
  await writeFile(join(`${world.source}-away`, '7'), 'back')
  await rename(`${world.source}-away`, world.source)
  await engine.retry([id])
  await engine.idle()
  expect(rowOf(engine, id)).toMatchObject({ status: 'completed', items: { done: 80, total: 80 } })
})

it('sends what changed after it was sent again, and the version that is there now', async () => {
  const world = await createUploadFolderWorld()
  await writeAll(world, 3)
  const stalled = world.proxy.rule({ when: { path: '/photos/2' }, fault: { kind: 'response', status: 403 } })
  const engine = await world.open()
  const row = await uploadFolder(world, engine)
  stalled.remove()
  await appendFile(join(world.source, '0'), ' and more')
  // As many bytes, another time.
  await utimes(join(world.source, '1'), 1, 1)
  await appendFile(join(world.source, '2'), ' as well')
  const before = world.puts().length
  await engine.retry([row.id])
  await engine.idle()
  expect(rowOf(engine, row.id)).toMatchObject({ status: 'completed', items: { done: 3 }, sizeBytes: 53 })
  // The bytes of 1 are those of its object.
  expect(world.puts().slice(before).sort()).toEqual(['up/photos/0', 'up/photos/2'])
  expect(await world.objects()).toMatchObject({
    'up/photos/0': 'content of 0 and more',
    'up/photos/2': 'content of 2 as well',
  })
})

it.each([
  ['replace', { a: 'mine', 'a (1)': 'taken' }, ['a']],
  ['skip', { a: 'theirs', 'a (1)': 'taken' }, []],
  ['keep-both', { a: 'theirs', 'a (1)': 'taken', 'a (2)': 'mine' }, ['a (2)']],
  ['skip-identical', { a: 'theirs', 'a (1)': 'taken', 'a (2)': 'mine' }, ['a (2)']],
] as const)('obeys “%s” where another object has the key', async (onConflict, objects, puts) => {
  const world = await createUploadFolderWorld()
  await world.put('up/photos/a', 'theirs')
  await world.put('up/photos/a (1)', 'taken')
  await world.put('up/photos/same', 'equal')
  await world.write('a', 'mine')
  await world.write('same', 'equal')
  const engine = await world.open()
  expect(await uploadFolder(world, engine, onConflict)).toMatchObject({ status: 'completed', items: { done: 2 } })
  const prefixed = Object.entries(objects).map(([name, content]) => [`up/photos/${name}`, content])
  expect(await world.objects()).toEqual({ ...Object.fromEntries(prefixed), 'up/photos/same': 'equal' })
  // What is there and equal is not sent.
  expect(world.puts()).toEqual(puts.map((name) => `up/photos/${name}`))
})

it('finds its own copies again, whatever was asked, so that nothing is kept three times', async () => {
  const world = await createUploadFolderWorld()
  await world.put('up/photos/a', 'theirs')
  await world.write('a', 'mine')
  const engine = await world.open()
  await uploadFolder(world, engine, 'keep-both')
  await uploadFolder(world, engine, 'keep-both')
  expect(await world.objects()).toEqual({ 'up/photos/a': 'theirs', 'up/photos/a (1)': 'mine' })
})

it('asks a busy service for less, and sends everything all the same', async () => {
  const world = await createUploadFolderWorld()
  await writeAll(world, 150)
  const busy = { kind: 'response', status: 503, headers: { 'Retry-After': '0' } } as const
  world.proxy.rule({ when: { method: 'PUT' }, times: 6, fault: busy })
  world.proxy.rule({ when: { method: 'GET' }, times: 1, fault: busy })
  const engine = await world.open()
  expect(await uploadFolder(world, engine)).toMatchObject({ status: 'completed', items: { done: 150, failed: 0 } })
})

it.each([
  ['the key is not accepted', 'SignatureDoesNotMatch', 'key-not-accepted'],
  ['a quota is used up', 'QuotaExceeded', 'refused-by-server'],
])('stops at once when %s', async (_what, refusal, code) => {
  const world = await createUploadFolderWorld()
  await writeAll(world, 300)
  const body = `{"Error":{"Code":"${refusal}","Message":"No."}}`
  world.proxy.rule({ when: { method: 'PUT' }, fault: { kind: 'response', status: 403, body } })
  const row = await uploadFolder(world, await world.open())
  expect(row).toMatchObject({ status: 'failed', error: { code, serviceCode: refusal } })
  expect(world.puts().length).toBeLessThan(300)
})

it('replaces without a listing where the service gives none, and asks for help otherwise', async () => {
  const world = await createUploadFolderWorld()
  await world.write('a', 'mine')
  await world.put('up/photos/a', 'theirs')
  const list = { method: 'GET', query: { prefix: true } }
  world.proxy.rule({ when: list, fault: { kind: 'response', status: 403 } })
  const engine = await world.open()
  expect(await uploadFolder(world, engine, 'skip')).toMatchObject({
    status: 'failed',
    error: { code: 'access-denied' },
  })
  expect(await uploadFolder(world, engine, 'replace')).toMatchObject({ status: 'completed' })
})

it('uploads dropped files and folders together, the files by their names', async () => {
  const world = await createUploadFolderWorld()
  await world.write('in', '1')
  const files = Array.from({ length: 20 }, (_, number) => join(world.source, '..', `photos-${number}`))
  await Promise.all(files.map((file) => writeFile(file, 'x')))
  await world.put('up/photos-3', 'theirs')
  const engine = await world.open()
  const sourcePaths = [...files, world.source]
  const id = await engine.enqueueUploadFolder({ ...requestFor(world), sourcePaths, onConflict: 'skip' })
  await engine.idle()
  expect(rowOf(engine, id)).toMatchObject({ status: 'completed', name: 'photos-0', others: 20, items: { done: 21 } })
  expect(world.puts()).toHaveLength(20)
  expect(world.puts()).not.toContain('up/photos-3')
})

it('cancels: what is under way is aborted, what is there stays', async () => {
  const world = await createUploadFolderWorld()
  await world.write('large', Buffer.alloc(17 * MIB, 'large'))
  await world.write('small', 'small')
  const part = { method: 'PUT', query: { uploadId: true } }
  world.proxy.rule({ when: part, fault: { kind: 'stall', at: 'response' } })
  const engine = await world.open()
  const id = await engine.enqueueUploadFolder(requestFor(world))
  await world.proxy.seen(part, 1)
  await engine.cancel([id])
  await engine.idle()
  expect(rowOf(engine, id)).toMatchObject({ status: 'canceled' })
  const { uploads } = await world.store.listMultipartUploads({ signal: new AbortController().signal })
  expect(uploads).toEqual([])
})
