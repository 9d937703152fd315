import { rename, truncate } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { recordAnew } from '../../../electron/engine/core/new-records.ts'
import { MIB } from '../../../shared/limits.ts'
import { lostResponse, refusal } from '../../support/fakes/memory-store.ts'
import { completed, expectStored, paused } from '../../support/worlds/upload-expectations.ts'
import { createUploadHarness, type UploadHarness } from '../../support/worlds/upload-harness.ts'

const PART = 6 * MIB
const byParts = { partSizeBytes: PART }

describe('after a Create whose response was lost', () => {
  test('the upload that it made is found, and no other is begun', async () => {
    const upload = await createUploadHarness(2 * PART)
    let isLost = false
    upload.store.after = ({ operation }) => {
      if (operation !== 'createMultipartUpload' || isLost) return
      isLost = true
      throw lostResponse()
    }
    expect(await upload.run(byParts)).toEqual(completed('etag-multipart'))
    expect([isLost, upload.store.count('createMultipartUpload'), upload.store.uploads.size]).toEqual([true, 1, 0])
    expectStored(upload)
  })

  test.each(['belongs to another transfer', 'is to be aborted'])(
    'one that was begun meanwhile and %s is not taken for it',
    async (whose) => {
      const upload = await createUploadHarness(2 * PART)
      const { location, key } = upload.record()
      let other: string | null = null
      upload.store.before = async ({ operation }) => {
        if (operation !== 'createMultipartUpload' || other !== null) return
        other = upload.store.placeUpload(key, {})
        if (whose === 'is to be aborted') await upload.checkpoints.addAbort({ location, key, uploadId: other })
        throw lostResponse()
      }
      const isTaken = (uploadId: string) => whose === 'belongs to another transfer' && uploadId === other
      expect(await upload.run({ ...byParts, isTaken })).toEqual(completed('etag-multipart'))
      expect([...upload.store.uploads.keys()]).toEqual([other])
      expect(upload.store.objects.get(key)?.bytes.equals(upload.bytes)).toBe(true)
    },
  )
})

test('an id that a full disk does not take for a while costs no second upload', async () => {
  const upload = await createUploadHarness(2 * PART)
  let refusals = 0
  upload.checkpoints.onWrite = (method) => {
    const isOfId = method === 'update' && upload.store.count('createMultipartUpload') > 0
    if (isOfId && (refusals += 1) <= 2) throw Object.assign(new Error('full'), { code: 'ENOSPC' })
  }
  expect(await upload.run(byParts)).toEqual(completed('etag-multipart'))
  expect(refusals).toBeGreaterThan(2)
  expect(upload.told.waits).toEqual(['disk-full', 'disk-full'])
  expect(upload.store.count('createMultipartUpload')).toBe(1)
  expectStored(upload)
})

test('one that not all of the service knows of yet is not begun again and again', async () => {
  const upload = await createUploadHarness(2 * PART)
  upload.store.before = ({ operation }) => {
    if (operation === 'listParts') throw refusal('NoSuchUpload', 404)
    if (upload.store.count('createMultipartUpload') > 3) throw refusal('AccessDenied', 403)
  }
  expect(await upload.run(byParts)).toEqual(completed('etag-multipart'))
  expect(upload.store.count('createMultipartUpload')).toBe(1)
  expectStored(upload)
})

describe('an upload that begins anew while parts of the one before are still on record', () => {
  test('sends all of its own, where the service does not tell which it has', async () => {
    const upload = await begunAnew()
    upload.store.before = ({ operation }) => {
      if (operation === 'listParts') throw refusal('AccessDenied', 403)
    }
    await stopAt(upload, 'uploadPart')
    expect(await upload.run(byParts)).toEqual(completed('etag-multipart'))
    expect([...new Set(upload.store.partsSent())].sort()).toEqual([1, 2, 3])
    expect(upload.store.objects.get(upload.key)?.bytes.equals(upload.bytes)).toBe(true)
  })

  test('with a file that is small by now counts none of them', async () => {
    const upload = await begunAnew()
    await truncate(upload.sourcePath, 1000)
    await stopAt(upload, 'putObject')
    // Moved in between, its bytes are compared with what was sent of it.
    await rename(upload.sourcePath, `${upload.sourcePath}.away`)
    await rename(`${upload.sourcePath}.away`, upload.sourcePath)
    expect(await upload.run()).toEqual(completed('etag-md5'))
    expect(upload.told.confirmed).toBe(1000)
  })
})

/** Two of three parts were sent, and could not be forgotten when the upload was to start over. */
async function begunAnew(): Promise<UploadHarness> {
  const upload = await paused(3, 2)
  const { id } = upload.record()
  await upload.checkpoints.update(id, recordAnew(upload.record()))
  expect(await upload.checkpoints.parts(id)).toHaveLength(2)
  upload.store.uploads.clear()
  upload.store.calls.length = 0
  return upload
}

/** The next run is paused when it sends for the first time. */
async function stopAt({ store, run }: UploadHarness, sending: 'uploadPart' | 'putObject'): Promise<void> {
  const { before } = store
  const pause = new AbortController()
  store.before = (call) => {
    if (call.operation === sending) pause.abort('pause')
    return before(call)
  }
  expect(await run({ ...byParts, connections: 1, signal: pause.signal })).toEqual({ kind: 'stopped' })
  store.before = before
}
