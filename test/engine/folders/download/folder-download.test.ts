import { lstat, mkdir, readdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { MIB } from '../../../../shared/limits.ts'
import { createSystemClock } from '../../../../electron/engine/system/system-clock.ts'
import { networkError, PLACE } from '../../../support/worlds/engine-world.ts'
import {
  createFolderWorld,
  downloadFolder,
  enqueueFolder,
  rowOf,
  type FolderWorld,
} from '../../../support/worlds/folder-world.ts'
import type { SeenRequest } from '../../../support/fault-server/fault-rules.ts'
import { beginUpload } from '../../../support/tools/begin-upload.ts'
import { tempDir } from '../../../support/tools/temp-dir.ts'

const LISTING = { method: 'GET', query: { prefix: true } }

async function putAll(world: FolderWorld, count: number): Promise<void> {
  await Promise.all(Array.from({ length: count }, (_, number) => world.put(`data/${number}`, `content of ${number}`)))
}

it('downloads everything under a prefix as one row, each file verified and with the time of its object', async () => {
  const world = await createFolderWorld()
  await world.put('data/a', 'A')
  await world.put('data/deep/er/b', '')
  await world.put('data/folder/', '')
  await world.put('other', 'no')
  const head = await world.store.headObject({ key: 'data/a', signal: new AbortController().signal })
  const engine = await world.open()
  const row = await downloadFolder(world, engine)
  expect(row).toMatchObject({
    direction: 'download',
    name: 'data',
    localPath: world.target,
    status: 'completed',
    verification: 'etag-md5',
    items: { done: 2, total: 2, failed: 0, isCounted: true },
    sizeBytes: 1,
    confirmedBytes: 1,
  })
  expect(engine.snapshot().rows).toHaveLength(1)
  expect(await world.files()).toEqual(['a', 'deep/er/b'])
  expect(await world.read('a')).toBe('A')
  expect((await stat(join(world.target, 'a'))).mtime.toUTCString()).toBe(head.lastModified)
  expect(world.fetched()).toEqual(expect.not.arrayContaining(['other']))
})

it('goes through all pages of a listing', async () => {
  const world = await createFolderWorld()
  await putAll(world, 1203)
  const row = await downloadFolder(world, await world.open())
  expect(row).toMatchObject({ status: 'completed', items: { done: 1203, total: 1203 } })
  expect(await world.files()).toHaveLength(1203)
  expect(world.proxy.requests(LISTING)).toHaveLength(2)
})

it('is not given up where bytes of a small object moved a moment ago', async () => {
  const world = await createFolderWorld()
  await world.put('data/a', Buffer.alloc(MIB, 'a'))
  const clock = createSystemClock()
  let laterMs = 0
  const later = { nowMs: () => clock.nowMs() + laterMs, monotonicMs: () => clock.monotonicMs() + laterMs }
  const getObject = world.store.getObject.bind(world.store)
  const asked = vi.spyOn(world.store, 'getObject')
  // One broken connection is mended at once, whatever the time.
  asked.mockRejectedValueOnce(networkError()).mockImplementationOnce(async (request) => {
    const response = await getObject(request)
    if (response.kind !== 'content') return response
    return { ...response, body: brokenOff(response.body) }
  })
  async function* brokenOff(body: AsyncIterable<Uint8Array>) {
    laterMs += 50_000
    for await (const block of body) {
      yield block
      break
    }
    laterMs += 20_000
    throw networkError()
  }
  const engine = await world.open((context) => ({ ...context, giveUpAfterMs: 60_000 }), { ...clock, ...later })
  expect(await downloadFolder(world, engine)).toMatchObject({ status: 'completed', items: { done: 1 } })
  expect(laterMs).toBe(70_000)
})

it('downloads large objects beside small ones, under the same row', async () => {
  const world = await createFolderWorld()
  const large = Buffer.alloc(9 * MIB, 'large')
  await world.put('data/deep/large', large)
  await world.put('data/small', 'small')
  const engine = await world.open()
  const row = await downloadFolder(world, engine)
  expect(row).toMatchObject({ status: 'completed', items: { done: 2, total: 2 }, sizeBytes: 9 * MIB + 5 })
  expect(engine.snapshot().rows).toHaveLength(1)
  expect(await world.files()).toEqual(['deep/large', 'small'])
  expect((await readFile(join(world.target, 'deep/large'))).equals(large)).toBe(true)
})

it('does not stop for objects that fail, names them, and fetches only those again', async () => {
  const world = await createFolderWorld()
  await putAll(world, 6)
  await mkdir(join(world.target, '3'), { recursive: true })
  const gone = world.proxy.rule({ when: { path: '/data/1' }, fault: { kind: 'response', status: 404 } })
  const denied = world.proxy.rule({ when: { path: '/data/2' }, fault: { kind: 'response', status: 403 } })
  const engine = await world.open()
  const row = await downloadFolder(world, engine)
  expect(row).toMatchObject({
    status: 'failed',
    error: { code: 'items-failed' },
    items: { done: 3, total: 6, failed: 3 },
  })
  const failures = engine.details(row.id)?.failures ?? []
  expect(failures.map(({ key, error }) => `${key} ${error.code}`).sort()).toEqual([
    'data/1 no-such-key',
    'data/2 access-denied',
    'data/3 target-exists',
  ])
  gone.remove()
  denied.remove()
  const before = world.fetched().length
  await engine.retry([row.id])
  await engine.idle()
  expect(world.fetched().slice(before).sort()).toEqual(['data/1', 'data/2'])
  expect(rowOf(engine, row.id)).toMatchObject({ status: 'failed', items: { done: 5, total: 6, failed: 1 } })
  expect(await world.files()).toEqual(['0', '1', '2', '4', '5'])
})

it('stops at once when the key is not accepted', async () => {
  const world = await createFolderWorld()
  await putAll(world, 200)
  const body = '{"Error":{"Code":"SignatureDoesNotMatch","Message":"No."}}'
  world.proxy.rule({ when: { path: '/data/' }, fault: { kind: 'response', status: 403, body } })
  const row = await downloadFolder(world, await world.open())
  expect(row).toMatchObject({ status: 'failed', error: { code: 'key-not-accepted' } })
  expect(world.fetched().length).toBeLessThan(200)
})

it('proves small objects that were uploaded in parts, as it does large ones', async () => {
  const world = await createFolderWorld()
  await world.put('data/whole', 'whole')
  const upload = { key: 'data/part', signal: new AbortController().signal }
  const uploadId = await beginUpload(world.proxy, upload.key, [Buffer.from('one part')], PLACE.bucket)
  const { parts } = await world.store.listParts({ ...upload, uploadId, partNumberMarker: 0 })
  await world.store.completeMultipartUpload({ ...upload, uploadId, parts })
  const row = await downloadFolder(world, await world.open())
  expect(row).toMatchObject({ status: 'completed', verification: 'etag-multipart', items: { done: 2, failed: 0 } })
  expect(await world.read('part')).toBe('one part')
})

it('fetches an object again that arrives damaged, and fails it when it stays so', async () => {
  const world = await createFolderWorld()
  await putAll(world, 3)
  world.proxy.rule({ when: { path: '/data/0' }, times: 1, fault: { kind: 'corrupt', responseByte: 3 } })
  for (const responseByte of [1, 2, 3, 4, 5]) {
    world.proxy.rule({ when: { path: '/data/1' }, times: responseByte, fault: { kind: 'corrupt', responseByte } })
  }
  const engine = await world.open()
  const row = await downloadFolder(world, engine)
  expect(engine.details(row.id)?.failures).toMatchObject([{ key: 'data/1', error: { code: 'final-mismatch' } }])
  expect((await world.files()).filter((name) => !name.startsWith('.'))).toEqual(['0', '2'])
  expect(await world.read('0')).toBe('content of 0')
})

it('waits out a busy server and lost connections', async () => {
  const world = await createFolderWorld()
  await putAll(world, 40)
  world.proxy.rule({
    when: LISTING,
    times: 1,
    fault: { kind: 'response', status: 503, headers: { 'Retry-After': '0' } },
  })
  world.proxy.rule({ when: { path: '/data/' }, times: 5, fault: { kind: 'reset', at: { responseBytes: 2 } } })
  expect(await downloadFolder(world, await world.open())).toMatchObject({ status: 'completed', items: { done: 40 } })
})

it.each([
  ['fail', ['a', 'b'], 'mine', 'failed'],
  ['skip', ['a', 'b'], 'mine', 'completed'],
  ['replace', ['a', 'b'], 'theirs', 'completed'],
  ['keep-both', ['a', 'a (1)', 'b'], 'mine', 'completed'],
] as const)('obeys “%s” where another file has the name', async (onConflict, files, content, status) => {
  const world = await createFolderWorld()
  await world.put('data/a', 'theirs')
  await world.put('data/b', 'equal')
  await mkdir(world.target)
  await writeFile(join(world.target, 'a'), 'mine')
  await writeFile(join(world.target, 'b'), 'equal')
  const row = await downloadFolder(world, await world.open(), onConflict)
  expect(row).toMatchObject({ status })
  expect(await world.files()).toEqual(files)
  expect(await world.read('a')).toBe(content)
  // What is there and equal is not fetched.
  expect(world.fetched()).toEqual(['skip', 'fail'].includes(onConflict) ? [] : ['data/a'])
})

it('never follows a link below the folder', async () => {
  const world = await createFolderWorld()
  await world.put('data/link/a', 'A')
  await world.put('data/b', 'B')
  await mkdir(world.target)
  await mkdir(join(world.target, '../outside'))
  await symlink('../outside', join(world.target, 'link'), 'junction')
  const engine = await world.open()
  const row = await downloadFolder(world, engine)
  expect(row).toMatchObject({ status: 'failed', items: { done: 1, failed: 1 } })
  expect(engine.details(row.id)?.failures).toMatchObject([{ key: 'data/link/a', error: { code: 'target-unwritable' } }])
  expect(await readdir(join(world.target, '../outside'))).toEqual([])
})

it.skipIf(process.platform === 'win32')(
  'names a file whose place can’t be looked at, and downloads the others',
  async () => {
    const world = await createFolderWorld()
    await world.put('data/a/b', 'A')
    await world.put('data/c', 'C')
    await mkdir(world.target)
    await symlink('a', join(world.target, 'a'))
    const engine = await world.open()
    const row = await downloadFolder(world, engine)
    expect(row).toMatchObject({ status: 'failed', items: { done: 1, failed: 1 } })
    expect(engine.details(row.id)?.failures).toMatchObject([{ key: 'data/a/b', error: { code: 'target-unwritable' } }])
  },
)

it('keeps hostile names inside the folder', async () => {
  const world = await createFolderWorld()
  for (const key of ['data/../../up', 'data//double', 'data/./dot', 'data/A', 'data/a']) await world.put(key, key)
  expect(await downloadFolder(world, await world.open())).toMatchObject({ status: 'completed', items: { done: 5 } })
  expect(await world.files()).toEqual(['A', '_/double', 'a (1)', '．/dot', '．．/．．/up'])
  expect(await readdir(join(world.target, '..'))).toEqual(expect.not.arrayContaining(['up']))
})

it('saves objects whose key ends in a slash, and makes the folders that empty ones stand for', async () => {
  const world = await createFolderWorld()
  const large = 'l'.repeat(9 * MIB)
  for (const [key, content] of Object.entries({ '': '', 'x/': 'bytes', 'x/_': 'other', 'large/': large, 'none/': '' }))
    await world.put(`data/${key}`, content)
  const engine = await world.open()
  const row = await downloadFolder(world, engine)
  expect(row).toMatchObject({ status: 'completed', items: { done: 3, total: 3, failed: 0 } })
  expect(await world.files()).toEqual(['large/_', 'x/_', 'x/_ (1)'])
  expect(await world.read('x/_')).toBe('bytes')
  expect(await world.read('large/_')).toBe(large)
  expect((await stat(join(world.target, 'none'))).isDirectory()).toBe(true)
  expect(engine.details(row.id)?.renamed).toContainEqual({ key: 'data/x/', path: 'x/_' })
  // Again: everything is there.
  const before = world.fetched().length
  expect(await downloadFolder(world, engine)).toMatchObject({ status: 'completed' })
  expect(world.fetched()).toHaveLength(before)
  expect(await world.files()).toEqual(['large/_', 'x/_', 'x/_ (1)'])
})

it('marks small and large files as downloaded before they have their names', async () => {
  const world = await createFolderWorld()
  const sizes = { a: 10, 'sub/b': 20, taken: 30, large: 9 * MIB }
  for (const [key, bytes] of Object.entries(sizes)) await world.put(`data/${key}`, 'x'.repeat(bytes))
  await mkdir(world.target)
  await writeFile(join(world.target, 'taken'), 'mine')
  const marked: number[] = []
  const named: string[] = []
  const engine = await world.open((context) => ({
    ...context,
    deps: {
      ...context.deps,
      async markOrigin(paths) {
        named.push(...(await world.files()).filter((path) => !path.startsWith('.') && path !== 'taken'))
        for (const path of paths) marked.push((await stat(path)).ino)
      },
    },
  }))
  expect(await downloadFolder(world, engine, 'keep-both')).toMatchObject({ status: 'completed' })
  const files = ['a', 'large', 'sub/b', 'taken (1)']
  expect(await world.files()).toEqual([...files, 'taken'].toSorted())
  const inodes = await Promise.all(files.map(async (path) => (await stat(join(world.target, path))).ino))
  expect(marked.toSorted()).toEqual(inodes.toSorted())
  // Of a group that is marked, none has its name.
  expect(named.filter((path) => path === 'large')).toEqual([])
})

it('names a folder that can’t be made', async () => {
  const world = await createFolderWorld()
  await world.put('data/a/', '')
  await world.put('data/b', 'bytes')
  await mkdir(world.target)
  await writeFile(join(world.target, 'a'), 'mine')
  const engine = await world.open()
  const row = await downloadFolder(world, engine)
  expect(row).toMatchObject({ status: 'failed', error: { code: 'items-failed' }, items: { done: 1, failed: 1 } })
  expect(await world.files()).toEqual(['a', 'b'])
})

it('says so when there is nothing', async () => {
  const world = await createFolderWorld()
  expect(await downloadFolder(world, await world.open())).toMatchObject({
    status: 'failed',
    error: { code: 'no-such-key' },
  })
})

it('is paused and resumed, in another process too, and fetches nothing again that was finished', async () => {
  const world = await createFolderWorld()
  await putAll(world, 300)
  await world.put('data/large', Buffer.alloc(9 * MIB, 'x'))
  let release: () => void = () => undefined
  const until = new Promise<void>((resolve) => (release = resolve))
  const stalled = world.proxy.rule({
    when: { path: /\/data\/29[0-2]$/ },
    fault: { kind: 'stall', at: 'response', until },
  })
  const first = await world.open()
  const id = await enqueueFolder(world, first)
  await world.proxy.seen({ path: '/data/299' })
  await first.pause([id])
  release()
  stalled.remove()
  const paused = rowOf(first, id)
  expect(paused).toMatchObject({ status: 'paused', items: { failed: 0 } })
  const done = paused.items?.done ?? 0
  expect(done).toBeGreaterThan(100)
  expect((await world.files()).filter((path) => path.startsWith('.sluice'))).toEqual([])
  await first.close()

  const second = await world.open()
  expect(rowOf(second, id)).toMatchObject({ status: 'paused', items: { done } })
  const before = world.fetched().filter((key) => key !== 'data/large').length
  await second.resume([id])
  await second.idle()
  expect(rowOf(second, id)).toMatchObject({ status: 'completed', items: { done: 301, total: 301 } })
  expect(world.fetched().filter((key) => key !== 'data/large').length - before).toBeLessThanOrEqual(301 - done)
  expect(await world.files()).toHaveLength(301)
})

it('takes the new version of an object that changed meanwhile, but not over a file that somebody touched', async () => {
  const world = await createFolderWorld()
  for (const key of ['data/a', 'data/b', 'data/c']) await world.put(key, 'old')
  const denied = world.proxy.rule({ when: { path: '/data/c' }, fault: { kind: 'response', status: 403 } })
  const engine = await world.open()
  const { id } = await downloadFolder(world, engine)
  denied.remove()
  for (const key of ['data/a', 'data/b']) await world.put(key, 'newer')
  await utimes(join(world.target, 'b'), 1, 1)
  await engine.retry([id])
  await engine.idle()
  expect(rowOf(engine, id)).toMatchObject({ status: 'failed', items: { done: 2, failed: 1 } })
  expect([await world.read('a'), await world.read('b'), await world.read('c')]).toEqual(['newer', 'old', 'old'])
})

it('cancels: nothing but finished files is left', async () => {
  const world = await createFolderWorld()
  await world.put('data/a', 'A')
  await world.put('data/large', Buffer.alloc(24 * MIB, 'x'))
  const afterFirst = { path: '/data/large', test: ({ attempt }: SeenRequest) => attempt > 1 }
  world.proxy.rule({ when: afterFirst, fault: { kind: 'stall', at: 'response' } })
  const engine = await world.open()
  const id = await enqueueFolder(world, engine)
  await world.proxy.seen(afterFirst)
  await expect.poll(() => rowOf(engine, id).items?.done).toBe(1)
  await engine.cancel([id])
  expect(rowOf(engine, id)).toMatchObject({ status: 'canceled' })
  expect(await world.files()).toEqual(['a'])
})

it('cleans up after a run that was cut off, and replaces what it left damaged', async () => {
  const world = await createFolderWorld()
  await putAll(world, 3)
  const first = await world.open()
  const { id } = await downloadFolder(world, first)
  await first.remove([id])
  // As after a power cut: a scratch folder, names without their bytes, and nothing recorded of them.
  const again = await enqueueFolder(world, first)
  await first.pause([again])
  const scratch = join(world.target, `.sluice-${again.slice(0, 8)}.part`)
  await mkdir(scratch, { recursive: true })
  await writeFile(join(scratch, '7'), 'half')
  const { mtime } = await lstat(join(world.target, '1'))
  await writeFile(join(world.target, '1'), '')
  await utimes(join(world.target, '1'), mtime, mtime)
  await first.resume([again])
  await first.idle()
  expect(rowOf(first, again)).toMatchObject({ status: 'completed' })
  expect(await world.files()).toEqual(['0', '1', '2'])
  expect(await world.read('1')).toBe('content of 1')
})

it('writes nothing outside the chosen folder when a link has taken the place of the one it was to make', async () => {
  const world = await createFolderWorld()
  await putAll(world, 2)
  const outside = await tempDir()
  await symlink(outside, world.target, 'junction')
  const engine = await world.open()
  await engine.enqueueFolder({
    location: PLACE,
    prefix: 'data/',
    targetPath: world.target,
    root: join(world.target, '..'),
    onConflict: 'fail',
  })
  await engine.idle()
  expect(engine.snapshot().rows).toMatchObject([{ status: 'failed', error: { code: 'target-unwritable' } }])
  expect(await readdir(outside)).toEqual([])
})

it('waits for room in the list of transfers, and fetches nothing twice for the lack of it', async () => {
  const world = await createFolderWorld()
  await world.put('data/large', Buffer.alloc(9 * MIB, 'large'))
  await putAll(world, 2)
  let refusals = 0
  const engine = await world.open((context) => {
    const { checkpoints } = context.deps
    const addItems: typeof checkpoints.addItems = (id, items) => {
      refusals += 1
      return refusals <= 2
        ? Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }))
        : checkpoints.addItems(id, items)
    }
    return { ...context, deps: { ...context.deps, checkpoints: { ...checkpoints, addItems } } }
  })
  expect(await downloadFolder(world, engine, 'keep-both')).toMatchObject({
    status: 'completed',
    items: { done: 3, total: 3, failed: 0 },
  })
  expect(refusals).toBeGreaterThan(2)
  expect(await world.files()).toEqual(['0', '1', 'large'])
})

it('deletes nothing behind a link that has taken the place of its scratch folder', async () => {
  const world = await createFolderWorld()
  const engine = await world.open()
  const request = { location: PLACE, prefix: 'data/', targetPath: world.target, onConflict: 'fail' } as const
  const id = await engine.enqueueFolder(request, { isPaused: true })
  const outside = await tempDir()
  await writeFile(join(outside, 'mine'), 'mine')
  await mkdir(world.target)
  await symlink(outside, join(world.target, `.sluice-${id.slice(0, 8)}.part`), 'junction')
  await engine.cancel([id])
  expect(rowOf(engine, id)).toMatchObject({ status: 'canceled' })
  expect(await readdir(outside)).toEqual(['mine'])
})

it('names what failed after a restart too, and fetches only that when it is tried again', async () => {
  const world = await createFolderWorld()
  await putAll(world, 4)
  const refused = world.proxy.rule({ when: { path: '/data/2' }, fault: { kind: 'response', status: 403 } })
  const first = await world.open()
  const { id } = await downloadFolder(world, first)
  const failures = [{ key: 'data/2', error: { code: 'access-denied' } }]
  expect(first.details(id)?.failures).toMatchObject(failures)
  await first.close()

  const second = await world.open()
  expect(second.failuresOf(id)).toMatchObject(failures)
  expect(second.details(id)?.failures).toMatchObject(failures)
  refused.remove()
  const before = world.fetched().length
  await second.retry([id])
  await second.idle()
  expect(world.fetched().slice(before)).toEqual(['data/2'])
  expect(rowOf(second, id)).toMatchObject({ status: 'completed', items: { done: 4, failed: 0 } })
  expect(second.details(id)?.failures).toEqual([])
})
