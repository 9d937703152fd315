import { expect, it } from 'vitest'
import { listObjects, measureObjects } from '../../electron/list-objects.ts'
import type { ListObjectsRequest, ObjectStore } from '../../electron/stores/object-store.ts'
import { StoreError } from '../../electron/stores/store-error.ts'
import type { Place } from '../../shared/place.ts'

const FOLDER = { placeId: 'studio', prefix: 'media/', marker: null }

function placesWith(listPage: (request: ListObjectsRequest) => ReturnType<ObjectStore['listObjects']>) {
  const store = { listObjects: listPage } as ObjectStore
  return { require: (id: string) => ({ id, name: 'Studio', bucket: 'demo' }) as Place, openStore: () => store }
}

const object = (key: string, sizeBytes: number) => ({ key, sizeBytes, etag: '', lastModified: '' })

it('counts what a folder and the folders in it hold, page by page, without what only stands for a folder', async () => {
  const asked: unknown[] = []
  const places = placesWith(({ prefix, delimiter, marker }) => {
    asked.push([prefix, delimiter, marker])
    const objects = [object('media/', 0), object('media/a', 3), object('media/raw/', 0), object('media/raw/b', 4)]
    return Promise.resolve({ objects, prefixes: [], nextMarker: 'media/raw/b', requestId: null })
  })
  expect(await measureObjects(places, { ...FOLDER, marker: 'media' })).toEqual({
    objects: 2,
    sizeBytes: 7,
    nextMarker: 'media/raw/b',
  })
  expect(asked).toEqual([['media/', undefined, 'media']])
})

it('says in a sentence why a folder can’t be listed or counted', async () => {
  const silent = placesWith(() => Promise.reject(new StoreError('NetworkError', 'reset', { maybeProcessed: false })))
  const refused = placesWith(() =>
    Promise.reject(new StoreError('AccessDenied', 'no', { maybeProcessed: false, httpStatus: 403 })),
  )
  await expect(measureObjects(refused, FOLDER)).rejects.toThrow('Studio doesn’t allow this with the current key.')
  await expect(listObjects(refused, FOLDER)).rejects.toThrow('Studio doesn’t allow this with the current key.')
  await expect(measureObjects(silent, FOLDER)).rejects.toThrow('Studio doesn’t answer.')
})
