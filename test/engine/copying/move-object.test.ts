import { randomBytes } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { createSystemClock, moveObject } from '../../../electron/engine/index.ts'
import { copyRanges } from '../../../electron/engine/copying/copy-in-parts.ts'
import { COPY_LIMITS, isCopyOf } from '../../../electron/engine/copying/copy-job.ts'
import { createRetryPolicy } from '../../../electron/engine/retry/create-retry-policy.ts'
import type { ObjectHead, ObjectStore } from '../../../electron/stores/port/object-store.ts'
import { MIB } from '../../../shared/limits.ts'
import { openS3 } from '../../stores/s3/support/open-s3.ts'
import { bodyOf, contentOf, openStore, signal } from '../../stores/support/open-store.ts'
import { startFaultProxy, type FaultProxy } from '../../support/fault-server/fault-server.ts'
import { startS3Service, type S3Service } from '../../support/servers/s3-service.ts'

/** Few bytes, copied as many would be. */
const IN_PARTS = { wholeMaxBytes: MIB, partBytes: 5 * MIB }
const BODY = Buffer.from('content')

let service: S3Service
let proxy: FaultProxy
let store: ObjectStore

beforeEach(async () => {
  service = await startS3Service('demo')
  proxy = await startFaultProxy({ target: service.endpoint })
  store = openS3(proxy.endpoint)
  return () => proxy.close()
})

/** What moves need; gives up after half a second without progress. */
function contextOf(moved: ObjectStore, given = signal) {
  const deps = { clock: createSystemClock(), random: () => 0 }
  const retrying = { deps, giveUpAfterMs: 500, signal: given, report: { waiting: () => undefined } }
  return { store: moved, deps, retryPolicy: createRetryPolicy(retrying), given }
}

const move = (isRetry = false, limits = undefined as typeof IN_PARTS | undefined, given = signal) =>
  moveObject(contextOf(store, given), { from: 'a b/1+2 ü.txt', to: 'new/ö & <x>.txt', isRetry }, limits)

const put = (key: string, bytes: Buffer = BODY) => store.putObject({ key, body: bodyOf(bytes), signal })
const read = async (key: string) => (await contentOf(await store.getObject({ key, signal }))).body
const keys = async () => (await store.listObjects({ signal })).objects.map(({ key }) => key)

test('gives an object another key, with its bytes, type, metadata and storage class', async () => {
  const metadata = { author: 'somebody' }
  await store.putObject({ key: 'a b/1+2 ü.txt', body: bodyOf(BODY), contentType: 'text/x-odd', metadata, signal })
  await move()
  expect(await keys()).toEqual(['new/ö & <x>.txt'])
  expect(await read('new/ö & <x>.txt')).toEqual(BODY)
  const head = await store.headObject({ key: 'new/ö & <x>.txt', signal })
  expect(head).toMatchObject({ contentType: 'text/x-odd', metadata })
})

test('copies a large object in parts, with its type and metadata', async () => {
  const bytes = randomBytes(12 * MIB + 7)
  const metadata = { author: 'somebody' }
  await store.putObject({ key: 'a b/1+2 ü.txt', body: bodyOf(bytes), contentType: 'text/x-odd', metadata, signal })
  await move(false, IN_PARTS)
  expect(await keys()).toEqual(['new/ö & <x>.txt'])
  expect((await read('new/ö & <x>.txt')).equals(bytes)).toBe(true)
  expect(await store.headObject({ key: 'new/ö & <x>.txt', signal })).toMatchObject({
    contentType: 'text/x-odd',
    metadata,
  })
  expect(proxy.requests({ method: 'PUT', query: { partNumber: true } })).toHaveLength(3)
})

test('replaces nothing that has the new key', async () => {
  await put('a b/1+2 ü.txt')
  await put('new/ö & <x>.txt', Buffer.from('another'))
  await expect(move()).rejects.toMatchObject({ fault: 'taken' })
  // Not even what is equal, unless an earlier try may have made it.
  await put('new/ö & <x>.txt')
  await expect(move()).rejects.toMatchObject({ fault: 'taken' })
  expect(await keys()).toHaveLength(2)
  await move(true)
  expect(await keys()).toEqual(['new/ö & <x>.txt'])
})

test('takes the copy for its own when its answer is lost', async () => {
  await put('a b/1+2 ü.txt')
  const lost = proxy.rule({ when: { method: 'PUT' }, times: 1, fault: { kind: 'drop-response' } })
  await move()
  expect(lost.hits).toBe(1)
  expect(proxy.requests({ method: 'PUT' })).toHaveLength(2)
  expect(await read('new/ö & <x>.txt')).toEqual(BODY)
  expect(await keys()).toEqual(['new/ö & <x>.txt'])
})

test('deletes nothing when another object takes the key while an answer is lost', async () => {
  await put('a b/1+2 ü.txt')
  const direct = openS3(service.endpoint)
  const { copies } = store
  if (copies === undefined) throw new Error('There are no copies')
  const copyObject: typeof copies.copyObject = async (request) => {
    await direct.putObject({ key: request.key, body: bodyOf(Buffer.from('other')), signal })
    return copies.copyObject({ ...request, sourceKey: 'gone meanwhile' })
  }
  proxy.rule({ when: { method: 'PUT' }, fault: { kind: 'drop-response' } })
  const spoiled = { ...store, copies: { ...copies, copyObject } }
  const moving = moveObject(contextOf(spoiled), { from: 'a b/1+2 ü.txt', to: 'new', isRetry: false })
  await expect(moving).rejects.toMatchObject({ fault: 'unconfirmed' })
  expect(await keys()).toEqual(['a b/1+2 ü.txt', 'new'])
})

test.each([
  ['of another size', 'longer than it was'],
  ['of the same size', 'CONTENT'],
])('keeps the original when what has the new key is %s', async (_, other) => {
  await put('a b/1+2 ü.txt')
  const { copies } = store
  if (copies === undefined) throw new Error('There are no copies')
  const copyObject: typeof copies.copyObject = async (request) => {
    await copies.copyObject(request)
    await put(request.key, Buffer.from(other))
    return { etag: null, requestId: null }
  }
  const moving = moveObject(contextOf({ ...store, copies: { ...copies, copyObject } }), {
    ...{ from: 'a b/1+2 ü.txt', to: 'new', isRetry: false },
  })
  await expect(moving).rejects.toMatchObject({ fault: 'unconfirmed' })
  expect(await keys()).toEqual(['a b/1+2 ü.txt', 'new'])
})

test('keeps an original that was replaced while it was copied', async () => {
  await put('a b/1+2 ü.txt')
  const { copies } = store
  if (copies === undefined) throw new Error('There are no copies')
  const copyObject: typeof copies.copyObject = async (request) => {
    const result = await copies.copyObject(request)
    await put('a b/1+2 ü.txt', Buffer.from('newer'))
    return result
  }
  const moving = moveObject(contextOf({ ...store, copies: { ...copies, copyObject } }), {
    ...{ from: 'a b/1+2 ü.txt', to: 'new', isRetry: false },
  })
  await expect(moving).rejects.toMatchObject({ fault: 'outdated' })
  expect((await read('a b/1+2 ü.txt')).toString()).toBe('newer')
})

test('finishes a move whose deletion was refused, or whose answer was lost', async () => {
  await put('a b/1+2 ü.txt')
  const body = '<Error><Code>AccessDenied</Code></Error>'
  const refused = proxy.rule({ when: { method: 'DELETE' }, times: 1, fault: { kind: 'response', status: 403, body } })
  await expect(move()).rejects.toMatchObject({ info: { code: 'access-denied' } })
  expect(refused.hits).toBe(1)
  expect(await keys()).toEqual(['a b/1+2 ü.txt', 'new/ö & <x>.txt'])
  proxy.rule({ when: { method: 'DELETE' }, times: 1, fault: { kind: 'drop-response' } })
  await move(true)
  expect(await keys()).toEqual(['new/ö & <x>.txt'])
  await move(true)
  expect(await keys()).toEqual(['new/ö & <x>.txt'])
})

test('discards the parts when a copy is stopped or fails', async () => {
  await put('a b/1+2 ü.txt', randomBytes(30 * MIB))
  const given = new AbortController()
  const held = proxy.rule({
    when: { method: 'PUT', query: { partNumber: true } },
    fault: { kind: 'stall', at: 'request' },
  })
  const moving = move(false, IN_PARTS, given.signal)
  await expect.poll(() => held.hits).toBeGreaterThan(0)
  given.abort(new Error('stopped'))
  await expect(moving).rejects.toThrow('stopped')
  held.remove()
  expect(service.openUploads).toEqual([])
  const body = '<Error><Code>AccessDenied</Code></Error>'
  proxy.rule({ when: { method: 'PUT', query: { partNumber: true } }, fault: { kind: 'response', status: 403, body } })
  await expect(move(false, IN_PARTS)).rejects.toMatchObject({ info: { code: 'access-denied' } })
  expect(service.openUploads).toEqual([])
  expect(await keys()).toEqual(['a b/1+2 ü.txt'])
})

test('says that the service makes no copies', async () => {
  await put('a b/1+2 ü.txt')
  proxy.rule({ when: { method: 'PUT' }, fault: { kind: 'response', status: 501 } })
  await expect(move()).rejects.toMatchObject({ fault: 'lacking' })
  const other = contextOf(openStore(service.endpoint))
  await expect(moveObject(other, { from: 'a', to: 'b', isRetry: false })).rejects.toMatchObject({ fault: 'lacking' })
})

test('says that there is no object to move', async () => {
  await expect(move()).rejects.toMatchObject({ info: { code: 'no-such-key' } })
})

test('cuts what is copied in parts as services take it', () => {
  const sum = (ranges: ReturnType<typeof copyRanges>) => ranges.reduce((all, { start, end }) => all + end - start, 0)
  for (const [sizeBytes, most] of [
    [5 * 1024 * MIB + 1, 10_000],
    [5 * 1024 * 1024 * MIB, 10_000],
    [5e12, 1000],
  ] as const) {
    const ranges = copyRanges(sizeBytes, COPY_LIMITS, most)
    expect(ranges.length).toBeLessThanOrEqual(most)
    expect(sum(ranges)).toBe(sizeBytes)
    expect(ranges.map(({ start }) => start)).toEqual([0, ...ranges.slice(0, -1).map(({ end }) => end)])
    for (const { start, end } of ranges) expect(end - start).toBeLessThanOrEqual(5 * 1024 * MIB)
  }
})

test('knows a copy by its ETag, or by a digest where the ETag of parts differs', () => {
  const head = { sizeBytes: 7, etag: 'a-2' } as ObjectHead
  expect(isCopyOf(head, head)).toBe(true)
  expect(isCopyOf({ ...head, etag: 'W/a' }, { ...head, etag: 'W/a' })).toBe(false)
  expect(isCopyOf({ ...head, etag: null }, { ...head, etag: null })).toBe(false)
  expect(isCopyOf(head, { ...head, sizeBytes: 8 })).toBe(false)
  const whole = { ...head, etag: 'b' }
  expect(isCopyOf(head, whole)).toBe(false)
  const told = { ...head, digests: { crc64nvme: '1', sha256: '2' } }
  expect(isCopyOf(told, { ...whole, digests: { crc64nvme: '1' } })).toBe(true)
  expect(isCopyOf(told, { ...head, digests: { crc64nvme: '3' } })).toBe(false)
})
