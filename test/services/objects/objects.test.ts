import { EventEmitter, once } from 'node:events'
import { expect, it } from 'vitest'
import { refusalWords } from '../../../shared/transfer/words/error-words.ts'
import { createSystemClock } from '../../../electron/engine/index.ts'
import { createObjects } from '../../../electron/services/objects/objects.ts'
import type { BucketDeps } from '../../../electron/services/places/open-bucket.ts'
import type { Places } from '../../../electron/services/places/places.ts'
import { networkError } from '../../../electron/stores/http/wire/network-error.ts'
import type { ListObjectsRequest, ObjectStore } from '../../../electron/stores/port/object-store.ts'
import { STORE_ERROR, StoreError } from '../../../electron/stores/port/store-error.ts'
import type { Place } from '../../../shared/place/place.ts'
import { CREDENTIALS, openStore } from '../../stores/support/open-store.ts'
import { MemoryStore } from '../../support/fakes/memory-store.ts'
import { startRaw, startScript } from '../../support/servers/scripted-server.ts'

const FOLDER = { placeId: 'studio', prefix: 'media/', marker: null }

const REMOTE = {
  ...{ id: 'studio', name: 'Studio', bucket: 'media', endpoint: 'https://s3.example.com', dialect: 's3' },
  ...{ pathStyle: true, signature: 'hmac-sha256', region: 'eu-west-1', profile: '', isDemo: false },
}

function objectsOf(store: ObjectStore) {
  const places = { require: (id: string) => ({ ...REMOTE, id, bucket: 'demo' }) as Place, openStore: () => store }
  const deps = { clock: createSystemClock(), random: Math.random } as BucketDeps['deps']
  return createObjects({ places: places as unknown as Places, deps })
}

function objectsWith(listPage: (request: ListObjectsRequest) => ReturnType<ObjectStore['listObjects']>) {
  return objectsOf({ listObjects: listPage } as ObjectStore)
}

const object = (key: string, sizeBytes: number) => ({ key, sizeBytes, etag: '', lastModified: '' })

it('counts what a folder and the folders in it hold, page by page, without what only stands for a folder', async () => {
  const asked: unknown[] = []
  const objects = objectsWith(({ prefix, delimiter, marker }) => {
    asked.push([prefix, delimiter, marker])
    const found = [
      object('media/', 0),
      object('media/a', 3),
      object('media/raw/', 0),
      object('media/raw/b', 4),
      object('media/odd/', 5),
    ]
    return Promise.resolve({ objects: found, prefixes: [], nextMarker: 'media/raw/b', requestId: null })
  })
  expect(await objects.measure({ ...FOLDER, marker: 'media' })).toEqual({
    objects: 3,
    sizeBytes: 12,
    nextMarker: 'media/raw/b',
  })
  expect(asked).toEqual([['media/', undefined, 'media']])
})

it('says in a sentence why a folder can’t be listed or counted', async () => {
  const silent = objectsWith(() => Promise.reject(new StoreError('NetworkError', 'reset', { maybeProcessed: false })))
  const refused = objectsWith(() =>
    Promise.reject(new StoreError('AccessDenied', 'no', { maybeProcessed: false, httpStatus: 403 })),
  )
  await expect(refused.measure(FOLDER)).rejects.toThrow('Studio doesn’t allow this with the current key.')
  await expect(refused.list(FOLDER)).rejects.toThrow('Studio doesn’t allow this with the current key.')
  await expect(silent.measure(FOLDER)).rejects.toThrow('Studio isn’t responding.')
})

const broken = (code: string) => networkError(Object.assign(new Error('Broken'), { code }), 's3.example.com')
const answered = (code: string, httpStatus: number) => new StoreError(code, 'Refused', { httpStatus })

it.each([
  [broken('ENOTFOUND'), 'Can’t find s3.example.com. Check its spelling.'],
  [broken('ECONNREFUSED'), 'Nothing answers at s3.example.com on port 443. Check the port. Is the service running?'],
  [broken('ETIMEDOUT'), 's3.example.com can’t be reached on port 443. A firewall may be in the way.'],
  [
    broken('SELF_SIGNED_CERT_IN_CHAIN'),
    'This computer doesn’t trust the certificate of s3.example.com: its issuer isn’t trusted.',
  ],
  [new StoreError(STORE_ERROR.proxyRefused, '403'), 'The proxy doesn’t allow connections to s3.example.com.'],
  [
    answered('RequestTimeTooSkewed', 403),
    'This computer’s clock is wrong, so the service refuses requests. Correct it.',
  ],
  [answered('InvalidAccessKeyId', 403), 'The service doesn’t know this access key ID.'],
  [answered('SignatureDoesNotMatch', 403), 'The secret key doesn’t belong to this access key ID.'],
  [
    answered('AuthorizationHeaderMalformed', 400),
    'The service expects a different region than “eu-west-1”. Enter the right one.',
  ],
  [answered('NoSuchBucket', 404), 'There is no bucket named “media”.'],
  [answered('ServiceUnavailable', 503), 'The service is busy or not working (503). Try again later.'],
  [broken('ECONNRESET'), 'Studio isn’t responding.'],
  [answered('AccessDenied', 403), 'Studio doesn’t allow this with the current key.'],
])('says what is wrong with a place as its test does: %s', async (failure, words) => {
  const store = { listObjects: () => Promise.reject(failure) } as unknown as ObjectStore
  const places = { require: () => REMOTE, openStore: () => store } as unknown as Places
  const objects = createObjects({ places, deps: {} as BucketDeps['deps'] })
  await expect(objects.list(FOLDER)).rejects.toThrow(words)
})

it('names no address of the demo store, which nobody entered', async () => {
  const store = { listObjects: () => Promise.reject(broken('ECONNREFUSED')) } as unknown as ObjectStore
  const places = { require: () => ({ ...REMOTE, isDemo: true }), openStore: () => store } as unknown as Places
  const objects = createObjects({ places, deps: {} as BucketDeps['deps'] })
  await expect(objects.list(FOLDER)).rejects.toThrow('Studio isn’t responding.')
})

it.each([
  ['AccessDenied', 403, 'The key for Studio isn’t allowed to list its buckets.'],
  [STORE_ERROR.unnamed, 405, 'Studio doesn’t list its buckets.'],
  ['NoSuchThing', 400, 'The server refused the request.'],
])('says why there is no list of buckets: %s', async (code, status, words) => {
  const { endpoint } = await startScript([{ status, body: `{"Error":{"Code":"${code}"}}` }])
  const where = { endpoint, bucket: '', dialect: 'storage', pathStyle: true, region: '', credentials: CREDENTIALS }
  const connection = { ...where, scheme: 'STORAGE', signature: 'hmac-sha1' }
  const places = { require: () => ({ name: 'Studio', bucket: '' }), connectionOf: () => connection }
  const objects = createObjects({ places: places as unknown as Places, deps: {} as BucketDeps['deps'] })
  await expect(objects.listBuckets({ placeId: 'studio' })).rejects.toThrow(words)
})

it('makes a folder only where there is nothing, listed or not', async () => {
  const store = new MemoryStore()
  const objects = objectsOf(store)
  store.place('media/', Buffer.from('not just a folder'))
  const request = { placeId: 'studio', bucket: 'demo', prefix: 'media/' }
  await expect(objects.makeFolder(request)).rejects.toThrow('A folder with that name already exists.')
  expect(store.objects.get('media/')?.bytes.toString()).toBe('not just a folder')
  await objects.makeFolder({ ...request, prefix: 'new/' })
  expect(store.objects.get('new/')?.bytes).toHaveLength(0)
})

it('closes the connection of a listing that nobody needs any more', async () => {
  const hanging = await startHanging()
  const objects = objectsOf(openStore(hanging.endpoint))
  const refused = expect(objects.list({ ...FOLDER, ticket: 'one' })).rejects.toThrow('This was canceled.')
  await hanging.taken
  objects.abandon('another')
  objects.abandon('one')
  await refused
  await hanging.closed
})

/** A bucket with these keys, all under `media/`. */
function bucketOf(keys: Set<string>, remove: (key: string) => void, sizeOf: (key: string) => number = () => 1) {
  const objectsIn = () => [...keys].map((key) => object(key, sizeOf(key)))
  const listObjects = () => Promise.resolve({ objects: objectsIn(), prefixes: [], nextMarker: null, requestId: null })
  const deleteObject = async ({ key }: { readonly key: string }) => {
    await Promise.resolve()
    remove(key)
    keys.delete(key)
  }
  return objectsOf({ listObjects, deleteObject } as unknown as ObjectStore)
}

it('deletes no further once it is given up, and says what is left', async () => {
  const keys = new Set(Array.from({ length: 100 }, (_, index) => `media/${String(index)}`))
  const objects = bucketOf(keys, () => {
    if (keys.size === 80) objects.abandon('one')
  })
  const response = await objects.removePage({ ...FOLDER, ticket: 'one' })
  expect(response).toEqual({ failure: null, nextMarker: null, done: 100 - keys.size, left: [...keys] })
  expect(keys.size).toBeGreaterThan(70)
  const rest = await objects.remove({ placeId: 'studio', keys: response.left })
  expect(rest).toEqual({ done: response.left.length, failure: null, nextMarker: null, left: [] })
  expect(keys.size).toBe(0)
})

it('counts the same when a folder is deleted as before, and deletes what only stands for a folder, too', async () => {
  const sizes = { 'media/': 0, 'media/a': 3, 'media/empty.txt': 0, 'media/odd/': 5, 'media/raw/': 0, 'media/raw/b': 4 }
  const keys = new Set(Object.keys(sizes))
  const objects = bucketOf(
    keys,
    () => undefined,
    (key) => sizes[key as keyof typeof sizes],
  )
  const { objects: counted } = await objects.measure(FOLDER)
  const { done } = await objects.removePage(FOLDER)
  expect([counted, done, keys.size]).toEqual([4, 4, 0])
})

it('names what is left when the service refuses one', async () => {
  const objects = bucketOf(new Set(['free', 'locked']), (key) => {
    if (key === 'free') return
    throw new StoreError('AccessDenied', 'no', { maybeProcessed: false, httpStatus: 403 })
  })
  const { failure, ...rest } = await objects.remove({ placeId: 'studio', keys: ['free', 'locked'] })
  expect(rest).toEqual({ done: 1, left: ['locked'], nextMarker: null })
  expect(failure && refusalWords(failure)).toBe('Studio doesn’t allow this with the current key.')
})

it('deletes together where it can, and one by one what was refused, so that it can say why', async () => {
  const one: string[] = []
  const deleteObject = ({ key }: { readonly key: string }) => {
    one.push(key)
    return Promise.reject(new StoreError('AccessDenied', 'no', { maybeProcessed: false, httpStatus: 403 }))
  }
  const deleteObjects = () => Promise.resolve(['b'])
  const objects = objectsOf({ deleteObject, deleteObjects } as unknown as ObjectStore)
  const { failure, ...rest } = await objects.remove({ placeId: 'studio', keys: ['a', 'b', 'c'] })
  expect(rest).toMatchObject({ done: 2, left: ['b'] })
  expect(failure && refusalWords(failure)).toBe('Studio doesn’t allow this with the current key.')
  expect(one).toEqual(['b'])
})

it('deletes one by one where a service can’t do it together', async () => {
  const one: string[] = []
  const deleteObject = ({ key }: { readonly key: string }) => Promise.resolve(one.push(key))
  const lacks = new StoreError(STORE_ERROR.notImplemented, 'no', { maybeProcessed: false, httpStatus: 501 })
  const deleteObjects = () => Promise.reject(lacks)
  const objects = objectsOf({ deleteObject, deleteObjects } as unknown as ObjectStore)
  expect(await objects.remove({ placeId: 'studio', keys: ['a', 'b'] })).toMatchObject({ done: 2, left: [] })
  expect(one.toSorted()).toEqual(['a', 'b'])
})

/** A service that takes a request and never answers. */
async function startHanging() {
  const events = new EventEmitter()
  const [taken, closed] = [once(events, 'taken'), once(events, 'closed')]
  const { endpoint } = await startRaw((socket) => {
    socket.once('data', () => events.emit('taken'))
    socket.once('close', () => events.emit('closed'))
  })
  return { endpoint, taken, closed }
}

it('finds names below a folder, whatever their case, and nothing that only stands for a folder', async () => {
  const objects = objectsWith(({ prefix, delimiter }) => {
    expect([prefix, delimiter]).toEqual(['media/', undefined])
    const keys = ['media/', 'media/Reel.mov', 'media/reels/', 'media/reels/a.mov', 'media/other.bin']
    const found = keys.map((key) => object(key, 1))
    return Promise.resolve({ objects: found, prefixes: [], nextMarker: 'media/reels/a.mov', requestId: null })
  })
  const { objects: found, nextMarker } = await objects.search({ ...FOLDER, words: 'REEL' })
  expect(found.map(({ key }) => key)).toEqual(['media/Reel.mov', 'media/reels/a.mov'])
  expect(nextMarker).toBe('media/reels/a.mov')
  expect((await objects.search({ ...FOLDER, words: 'media' })).objects).toEqual([])
})
