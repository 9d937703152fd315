import { expect, it, onTestFinished, vi } from 'vitest'
import { createSystemClock } from '../../../electron/engine/index.ts'
import type { BucketDeps } from '../../../electron/services/places/open-bucket.ts'
import { createUnfinishedUploads } from '../../../electron/services/transfers/unfinished/unfinished-uploads.ts'
import type { ObjectStore } from '../../../electron/stores/port/object-store.ts'
import type { Place } from '../../../shared/place/place.ts'
import { uploadRecord } from '../../support/fakes/records.ts'
import { createEngineWorld, PLACE } from '../../support/worlds/engine-world.ts'

const ADDRESS = { placeId: PLACE.placeId, bucket: PLACE.bucket }

it('tells the uploads of the list by their ids, without reading the past of any row or telling it again', async () => {
  const world = await createEngineWorld()
  const plan = { partSizeBytes: 10, partCount: 3 }
  const { engine, checkpoints } = await world.restartAfter(async (store) => {
    const begun = { location: PLACE, status: 'paused', plan } as const
    await store.insert([
      uploadRecord({ ...begun, id: 'ours', key: 'a', uploadId: 'upload-a', sourcePath: '/files/a' }),
      uploadRecord({ ...begun, id: 'over', key: 'b', uploadId: 'upload-b', status: 'canceled' }),
      uploadRecord({ ...begun, id: 'elsewhere', key: 'c', uploadId: 'upload-c', location: { ...PLACE, bucket: 'x' } }),
      uploadRecord({ ...begun, id: 'not begun', key: 'd', uploadId: null, plan: null }),
    ])
  })
  await engine.load()
  const uploads = ['a', 'b', 'c', 'd'].map((key) => ({ key, uploadId: `upload-${key}`, initiated: null }))
  const store = {
    capabilities: {},
    listMultipartUploads: () => Promise.resolve({ uploads, next: null, requestId: null }),
  } as unknown as ObjectStore
  const places = { require: (id: string) => ({ id, name: 'Studio', bucket: '' }) as Place, openStore: () => store }
  const deps = { clock: createSystemClock(), random: Math.random } as BucketDeps['deps']
  const histories = vi.spyOn(checkpoints, 'histories')
  onTestFinished(() => histories.mockRestore())
  engine.takeDelta()
  const page = await createUnfinishedUploads({ engine, places, deps }).list(ADDRESS, null, () => undefined)
  expect(page.uploads.map(({ key, ours }) => [key, ours?.transferId ?? null])).toEqual([
    ['a', 'ours'],
    ['b', null],
    ['c', null],
    ['d', null],
  ])
  expect(histories).not.toHaveBeenCalled()
  expect(engine.takeDelta()).toBeNull()
})
