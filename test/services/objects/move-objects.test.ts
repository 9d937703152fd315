import { expect, test } from 'vitest'
import { createSystemClock } from '../../../electron/engine/index.ts'
import { createObjects } from '../../../electron/services/objects/objects.ts'
import type { BucketDeps } from '../../../electron/services/places/open-bucket.ts'
import type { Places } from '../../../electron/services/places/places.ts'
import type { ObjectStore } from '../../../electron/stores/port/object-store.ts'
import type { Place } from '../../../shared/place/place.ts'
import { refusalWords } from '../../../shared/transfer/words/error-words.ts'
import { openS3 } from '../../stores/s3/support/open-s3.ts'
import { bodyOf, openStore, signal } from '../../stores/support/open-store.ts'
import { startFaultProxy } from '../../support/fault-server/fault-server.ts'
import { startS3Service } from '../../support/servers/s3-service.ts'

const AT = { placeId: 'studio', isRetry: false }
const DENIED = { kind: 'response', status: 403, body: '<Error><Code>AccessDenied</Code></Error>' } as const

function objectsOf(store: ObjectStore) {
  const place = { name: 'Studio', bucket: 'demo', endpoint: 'https://s3.example.com', isDemo: false }
  const places = { require: (id: string) => ({ ...place, id }) as Place, openStore: () => store }
  const deps = { clock: createSystemClock(), random: () => 0 } as BucketDeps['deps']
  return createObjects({ places: places as unknown as Places, deps })
}

async function openWorld(...keys: readonly string[]) {
  const service = await startS3Service('demo')
  const proxy = await startFaultProxy({ target: service.endpoint })
  const store = openS3(proxy.endpoint)
  for (const key of keys) await store.putObject({ key, body: bodyOf(Buffer.from(key)), signal })
  const there = async () => (await store.listObjects({ signal })).objects.map(({ key }) => key)
  return { service, proxy, objects: objectsOf(store), there }
}

test('moves objects by what their keys begin with', async () => {
  const { objects, there } = await openWorld('a/1', 'a/2', 'a/3')
  const answer = await objects.move({ ...AT, keys: ['a/1', 'a/3'], from: 'a/', to: 'b/c ' })
  expect(answer).toEqual({ done: 2, left: [], failure: null, nextMarker: null })
  expect(await there()).toEqual(['a/2', 'b/c 1', 'b/c 3'])
})

test('moves a folder with everything in it, and counts files', async () => {
  const { objects, there } = await openWorld('a/1', 'a/deep/2')
  await objects.makeFolder({ placeId: 'studio', prefix: 'a/' })
  const answer = await objects.movePage({ ...AT, prefix: 'a/', to: 'b/', marker: null })
  expect(answer).toEqual({ done: 2, left: [], failure: null, nextMarker: null })
  expect(await there()).toEqual(['b/', 'b/1', 'b/deep/2'])
})

test('moves no folder into one that is there, unless it goes on with its own', async () => {
  const { objects, there } = await openWorld('a/1', 'b/2')
  const page = { ...AT, prefix: 'a/', to: 'b/', marker: null }
  await expect(objects.movePage(page)).rejects.toThrow('A folder with that name already exists.')
  expect(await there()).toEqual(['a/1', 'b/2'])
  expect(await objects.movePage({ ...page, isRetry: true })).toMatchObject({ done: 1, failure: null })
  expect(await there()).toEqual(['b/1', 'b/2'])
})

test('names what is left when the service refuses one, and moves it later', async () => {
  const { objects, there, proxy } = await openWorld('a/1', 'a/2')
  const refused = proxy.rule({ when: { method: 'DELETE', path: 'a/2' }, fault: DENIED })
  const request = { ...AT, keys: ['a/1', 'a/2'], from: 'a/', to: 'b/' }
  const { failure, ...rest } = await objects.move(request)
  expect(refused.hits).toBe(1)
  expect(failure && refusalWords(failure)).toBe('Studio doesn’t allow this with the current key.')
  expect(rest).toEqual({ done: 1, left: ['a/2'], nextMarker: null })
  expect(await there()).toEqual(['a/2', 'b/1', 'b/2'])
  refused.remove()
  expect(await objects.move({ ...request, keys: ['a/2'], isRetry: true })).toMatchObject({ done: 1, left: [] })
  expect(await there()).toEqual(['b/1', 'b/2'])
})

test('says what has the new key, and what is too long for one', async () => {
  const { objects, there } = await openWorld('a/1', 'b/1')
  const words = async (to: string) => {
    const { failure } = await objects.move({ ...AT, keys: ['a/1'], from: 'a/', to })
    return failure && refusalWords(failure)
  }
  expect(await words('b/')).toBe('b/1 already exists. Nothing was replaced.')
  expect(await words(`${'ü'.repeat(512)}/`)).toBe('The new path of a/1 would be too long: the limit is 1,024 bytes.')
  expect(await there()).toEqual(['a/1', 'b/1'])
})

test('begins no further move once it is given up, and leaves nothing half moved', async () => {
  const keys = Array.from({ length: 60 }, (_, index) => `a/${String(index)}`)
  const { objects, there, proxy } = await openWorld(...keys)
  const seen = proxy.rule({
    ...{ when: { method: 'PUT', path: '/b/' }, fault: { kind: 'delay', at: 'request', delayMs: 0 } },
    first: () => objects.abandon('one'),
  })
  const answer = await objects.move({ ...AT, keys, from: 'a/', to: 'b/', ticket: 'one' })
  expect(seen.hits).toBeGreaterThan(0)
  expect(answer.failure).toBeNull()
  expect(answer.left.length).toBeGreaterThan(30)
  const now = await there()
  expect(now.filter((key) => key.startsWith('a/')).toSorted()).toEqual([...answer.left].toSorted())
  expect(now).toHaveLength(60)
})

test('says that a service makes no copies', async () => {
  const service = await startS3Service('demo')
  const storage = objectsOf(openStore(service.endpoint))
  const { failure } = await storage.move({ ...AT, keys: ['a'], from: 'a', to: 'b' })
  const words = 'Files in Studio can’t be renamed or moved, because its service can’t copy files.'
  expect(failure && refusalWords(failure)).toBe(words)
})
