import { randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { compareUploads } from '../../../electron/engine/multipart/match-uploads.ts'
import { createOpenUploads } from '../../../electron/engine/multipart/open-uploads.ts'
import { createRetryPolicy } from '../../../electron/engine/retry/create-retry-policy.ts'
import { STORE_ERROR, StoreError } from '../../../electron/stores/port/store-error.ts'
import { MIB } from '../../../shared/limits.ts'
import { createUploadHarness, type UploadHarness } from '../../support/worlds/upload-harness.ts'

const PART = 6 * MIB

/** The same upload, of an app that looks before it begins. */
function looking(upload: UploadHarness) {
  const deps = { ...upload.deps, openUploads: createOpenUploads(upload.clock) }
  return { ...upload, openUploads: deps.openUploads, run: () => upload.run({ deps }) }
}

function firstPart({ bytes }: UploadHarness) {
  return { 1: bytes.subarray(0, PART) }
}

describe('before an upload begins', () => {
  test('an unfinished one of its key that could be continued stops it for a decision, and nothing is sent', async () => {
    const upload = looking(await createUploadHarness(4 * PART))
    upload.store.placeUpload(upload.key, firstPart(upload))
    expect(await upload.run()).toMatchObject({ kind: 'failed', error: { code: 'earlier-upload' } })
    expect(upload.store.count('createMultipartUpload')).toBe(0)
    expect(upload.store.partsSent()).toEqual([])
  })

  test('where another object has its key, that is to be decided first, however late it shows', async () => {
    const upload = looking(await createUploadHarness(4 * PART))
    await upload.checkpoints.update(upload.record().id, { onConflict: 'fail' })
    upload.store.placeUpload(upload.key, firstPart(upload))
    upload.store.place(upload.key, randomBytes(PART))
    upload.store.before = async ({ operation }) => {
      if (operation === 'headObject') await setTimeout(50)
    }
    expect(await upload.run()).toMatchObject({ kind: 'failed', error: { code: 'conflict-on-server' } })
    expect(upload.store.count('listParts')).toBe(1)
    expect(upload.store.count('createMultipartUpload')).toBe(0)
  })

  test('a service that is far away is asked about the key and its uploads in one round trip', async () => {
    const upload = looking(await createUploadHarness(4 * PART))
    await upload.checkpoints.update(upload.record().id, { onConflict: 'fail' })
    let listedMeanwhile = 0
    upload.store.before = async ({ operation }) => {
      if (operation !== 'headObject' || upload.store.count('createMultipartUpload') > 0) return
      await setTimeout(50)
      listedMeanwhile = upload.store.count('listMultipartUploads')
    }
    expect(await upload.run()).toMatchObject({ kind: 'completed' })
    expect(listedMeanwhile).toBe(2)
  })

  test('once a person decided for a new one, the other is left alone', async () => {
    const upload = looking(await createUploadHarness(4 * PART))
    const earlier = upload.store.placeUpload(upload.key, firstPart(upload))
    await upload.checkpoints.update(upload.record().id, { isNewUpload: true })
    expect(await upload.run()).toMatchObject({ kind: 'completed' })
    expect(upload.store.uploads.has(earlier)).toBe(true)
    expect(upload.store.count('abortMultipartUpload')).toBe(0)
  })

  test.each([
    ['has no parts', {}],
    ['has parts that no file of this size is cut into', { 1: randomBytes(PART), 2: randomBytes(PART + 1) }],
  ])('one that %s stops nothing', async (_, parts) => {
    const upload = looking(await createUploadHarness(3 * PART))
    upload.store.placeUpload(upload.key, parts)
    expect(await upload.run()).toMatchObject({ kind: 'completed' })
  })

  test('one that is being discarded stops nothing', async () => {
    const upload = looking(await createUploadHarness(4 * PART))
    const uploadId = upload.store.placeUpload(upload.key, firstPart(upload))
    const { location, key } = upload.record()
    await upload.checkpoints.addAbort({ location, key, uploadId })
    expect(await upload.run()).toMatchObject({ kind: 'completed' })
  })

  test.each(['AccessDenied', STORE_ERROR.notImplemented])(
    'a service that lists nothing (%s) stops nothing',
    async (code) => {
      const upload = looking(await createUploadHarness(4 * PART))
      upload.store.placeUpload(upload.key, firstPart(upload))
      upload.store.before = ({ operation }) => {
        if (operation === 'listMultipartUploads') throw new StoreError(code, 'no', { httpStatus: 403 })
      }
      expect(await upload.run()).toMatchObject({ kind: 'completed' })
    },
  )

  test('one whose parts can’t be seen is told of all the same', async () => {
    const upload = looking(await createUploadHarness(4 * PART))
    upload.store.placeUpload(upload.key, firstPart(upload))
    upload.store.before = ({ operation }) => {
      if (operation === 'listParts') throw new StoreError('AccessDenied', 'no', { httpStatus: 403 })
    }
    expect(await upload.run()).toMatchObject({ kind: 'failed', error: { code: 'earlier-upload' } })
  })
})

describe('files that are added together', () => {
  const locations = { location: { kind: 'place', placeId: 'memory', bucket: 'memory' } } as const

  test('are looked for with one listing of their folder', async () => {
    const upload = looking(await createUploadHarness(1))
    const { store, openUploads } = upload
    const context = upload.context()
    const ids = [store.placeUpload('in/a', {}), store.placeUpload('in/c', {}), store.placeUpload('out/a', {})]
    const asker = { store, retryPolicy: createRetryPolicy(context), signal: context.signal }
    const addresses = ['in/a', 'in/b', 'in/c'].map((key) => ({ ...locations, key }))
    openUploads.expect(addresses)
    const found = await Promise.all(addresses.map((address) => openUploads.ofKey(address, asker)))
    expect(found.map((uploads) => uploads.map(({ uploadId }) => uploadId))).toEqual([[ids[0]], [], [ids[1]]])
    expect(store.count('listMultipartUploads')).toBe(1)
  })

  test('are looked for one by one where the service knows uploads only by their whole keys', async () => {
    const upload = looking(await createUploadHarness(1))
    const { store, openUploads } = upload
    store.capabilities = { ...store.capabilities, listsUploadsByPrefix: false }
    store.listsUploadsByKeyOnly = true
    const context = upload.context()
    const uploadId = store.placeUpload('in/b', {})
    const asker = { store, retryPolicy: createRetryPolicy(context), signal: context.signal }
    const addresses = ['in/a', 'in/b'].map((key) => ({ ...locations, key }))
    openUploads.expect(addresses)
    const found = await Promise.all(addresses.map((address) => openUploads.ofKey(address, asker)))
    expect(found.map((uploads) => uploads.map((each) => each.uploadId))).toEqual([[], [uploadId]])
  })
})

test('a comparison reports its progress, hashes no byte twice, and says what can’t be proven', async () => {
  const upload = await createUploadHarness(4 * PART)
  const parts = { 1: upload.bytes.subarray(0, PART), 3: upload.bytes.subarray(2 * PART, 3 * PART) }
  for (const copy of [parts, parts]) upload.store.placeUpload(upload.key, copy)
  const uploads = [...upload.store.uploads].map(([uploadId, { key }]) => ({ uploadId, key, initiated: null }))
  const told: { comparedBytes: number; totalBytes: number }[] = []
  const tell = (at: (typeof told)[number]) => void told.push(at)
  const { matches } = await compareUploads(upload.context(), uploads, upload.sourcePath, { onProgress: tell })
  expect(matches.map(({ proven, isProvable }) => [proven.length, isProvable])).toEqual([
    [2, true],
    [2, true],
  ])
  expect(told).toEqual([0, 1, 2].map((count) => ({ comparedBytes: count * PART, totalBytes: 2 * PART })))

  upload.store.capabilities = { ...upload.store.capabilities, etagIsMd5: false }
  const opaque = await compareUploads(upload.context(), uploads, upload.sourcePath)
  expect(opaque.matches[0]).toMatchObject({ proven: [], differing: [1, 3], isProvable: false })
})
