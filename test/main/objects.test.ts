import { expect, it } from 'vitest'
import { createSystemClock } from '../../electron/engine/index.ts'
import { createObjects } from '../../electron/objects.ts'
import type { ListObjectsRequest, ObjectStore } from '../../electron/stores/object-store.ts'
import { StoreError } from '../../electron/stores/store-error.ts'
import type { PatientDeps } from '../../electron/patience-at.ts'
import type { Places } from '../../electron/places.ts'
import type { Place } from '../../shared/place.ts'
import { MemoryStore } from '../support/memory-store.ts'

const FOLDER = { placeId: 'studio', prefix: 'media/', marker: null }

function objectsWith(listPage: (request: ListObjectsRequest) => ReturnType<ObjectStore['listObjects']>) {
  const store = { listObjects: listPage } as ObjectStore
  const places = { require: (id: string) => ({ id, name: 'Studio', bucket: 'demo' }) as Place, openStore: () => store }
  return createObjects({ places: places as unknown as Places, deps: {} as PatientDeps['deps'] })
}

const object = (key: string, sizeBytes: number) => ({ key, sizeBytes, etag: '', lastModified: '' })

it('counts what a folder and the folders in it hold, page by page, without what only stands for a folder', async () => {
  const asked: unknown[] = []
  const objects = objectsWith(({ prefix, delimiter, marker }) => {
    asked.push([prefix, delimiter, marker])
    const found = [object('media/', 0), object('media/a', 3), object('media/raw/', 0), object('media/raw/b', 4)]
    return Promise.resolve({ objects: found, prefixes: [], nextMarker: 'media/raw/b', requestId: null })
  })
  expect(await objects.measure({ ...FOLDER, marker: 'media' })).toEqual({
    objects: 2,
    sizeBytes: 7,
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
  await expect(silent.measure(FOLDER)).rejects.toThrow('Studio doesn’t answer.')
})

it('makes a folder only where there is nothing, listed or not', async () => {
  const store = new MemoryStore()
  const places = { require: (id: string) => ({ id, name: 'Studio', bucket: 'demo' }) as Place, openStore: () => store }
  const deps = { clock: createSystemClock() } as PatientDeps['deps']
  const objects = createObjects({ places: places as unknown as Places, deps })
  store.place('media/', Buffer.from('not just a folder'))
  const request = { placeId: 'studio', bucket: 'demo', prefix: 'media/' }
  await expect(objects.makeFolder(request)).rejects.toThrow('A folder of that name is already there.')
  expect(store.objects.get('media/')?.bytes.toString()).toBe('not just a folder')
  await objects.makeFolder({ ...request, prefix: 'new/' })
  expect(store.objects.get('new/')?.bytes).toHaveLength(0)
})
