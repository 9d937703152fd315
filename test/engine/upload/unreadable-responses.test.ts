import { expect, test } from 'vitest'
import { createOpenUploads } from '../../../electron/engine/multipart/open-uploads.ts'
import { STORE_ERROR, StoreError } from '../../../electron/stores/port/store-error.ts'
import type { StoreCall } from '../../support/fakes/memory-store.ts'
import { bySmallParts, completed, expectStored, PART } from '../../support/worlds/upload-expectations.ts'
import { createUploadHarness } from '../../support/worlds/upload-harness.ts'

const unreadable = (operation: string) =>
  new StoreError(STORE_ERROR.badAnswer, `${operation} returned 200 with an unexpected body`, {
    httpStatus: 200,
    requestId: 'r-7',
  })
const broken = () => new StoreError('InternalError', 'no', { httpStatus: 500 })
const silent = () => new StoreError(STORE_ERROR.network, 'reset')

async function uploadWhere(operation: StoreCall['operation'], failure: () => Error) {
  const upload = await createUploadHarness(3 * PART)
  upload.store.before = (call) => {
    if (call.operation === operation) throw failure()
  }
  return upload
}

test.each([
  ['can’t be read', () => unreadable('ListMultipartUploads')],
  ['fails each time', broken],
  ['is never answered', silent],
])('an upload goes on where the list of earlier ones %s', async (_name, failure) => {
  const upload = await uploadWhere('listMultipartUploads', failure)
  const deps = { ...upload.deps, openUploads: createOpenUploads(upload.deps.clock) }
  expect(await upload.run({ ...bySmallParts, deps })).toEqual(completed('etag-multipart'))
  expectStored(upload)
  expect(upload.store.count('listMultipartUploads')).toBeLessThan(20)
})

test.each(['createMultipartUpload', 'uploadPart', 'completeMultipartUpload'] as const)(
  'an unreadable response to %s ends it after a few tries, and says which',
  async (operation) => {
    const upload = await uploadWhere(operation, () => unreadable(operation))
    expect(await upload.run(bySmallParts)).toMatchObject({
      kind: 'failed',
      error: { code: 'answer-unreadable', detail: expect.stringContaining(operation) as unknown, requestId: 'r-7' },
    })
    expect(upload.store.count(operation)).toBeGreaterThan(2)
    expect(upload.store.count(operation)).toBeLessThan(30)
    // Whether it was completed is not known: it is found out before it is sent again, or anything is discarded.
    if (operation === 'completeMultipartUpload') expect(upload.record().intent).not.toBeNull()
  },
)

test('an unreadable response to listParts ends an upload that goes on after a few tries, and says which', async () => {
  const upload = await uploadWhere('uploadPart', () => unreadable('uploadPart'))
  expect(await upload.run(bySmallParts)).toMatchObject({ kind: 'failed' })
  expect(upload.store.count('listParts')).toBe(0)
  upload.store.before = ({ operation }) => {
    if (operation === 'listParts') throw unreadable(operation)
  }
  expect(await upload.run(bySmallParts)).toMatchObject({
    kind: 'failed',
    error: { code: 'answer-unreadable', detail: expect.stringContaining('listParts') as unknown, requestId: 'r-7' },
  })
  expect(upload.store.count('listParts')).toBeGreaterThan(2)
  expect(upload.store.count('listParts')).toBeLessThan(30)
})

test('pages that go round in circles are not followed', async () => {
  const upload = await createUploadHarness(3 * PART)
  const { store } = upload
  let asked = 0
  store.listMultipartUploads = () => {
    asked += 1
    const next = { keyMarker: upload.key, uploadIdMarker: asked % 2 === 0 ? 'A' : 'B' }
    return Promise.resolve({ uploads: [], next, requestId: null })
  }
  expect(await upload.run(bySmallParts)).toEqual(completed('etag-multipart'))
  expect(asked).toBeLessThan(10)
})

test('a refusal of completing that the service did not write leaves open how it ended', async () => {
  const upload = await createUploadHarness(3 * PART)
  upload.store.after = ({ operation }) => {
    if (operation === 'completeMultipartUpload')
      throw new StoreError(STORE_ERROR.unnamed, 'CompleteMultipartUpload returned 403', { httpStatus: 403 })
  }
  expect(await upload.run(bySmallParts)).toMatchObject({ kind: 'failed', error: { code: 'access-denied' } })
  expect(upload.record().intent).not.toBeNull()
  upload.store.after = () => undefined
  expect(await upload.run(bySmallParts)).toEqual(completed('etag-multipart'))
  expectStored(upload)
})
