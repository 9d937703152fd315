import { randomBytes } from 'node:crypto'
import { rm, utimes } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { LOST_UPLOAD_READ_BACK_MS } from '../../../shared/limits.ts'
import { StoreError } from '../../../electron/stores/port/store-error.ts'
import { lostResponse, refusal, type StoreCall } from '../../support/fakes/memory-store.ts'
import {
  PART,
  bySmallParts,
  completed,
  failed,
  failComplete,
  expectStored,
} from '../../support/worlds/upload-expectations.ts'
import { createUploadHarness, type UploadHarness } from '../../support/worlds/upload-harness.ts'

const oddResponses: [string, StoreError][] = [
  ['a reset', lostResponse()],
  ['an empty 200', new StoreError('BadAnswer', 'empty body', { httpStatus: 200 })],
  ['a 200 with InternalError inside', refusal('InternalError', 200)],
  ['a 200 with an unknown error inside', refusal('SomethingElse', 200)],
  ['504', refusal('GatewayTimeout', 504)],
  ['SlowDown', refusal('SlowDown', 503)],
]

describe('a response to Complete that proves nothing', () => {
  test.each(oddResponses)('%s, and the server had completed: done by reading back', async (_, error) => {
    const upload = await createUploadHarness(2 * PART)
    failComplete(upload, error, 'after')
    expect(await upload.run(bySmallParts)).toEqual(completed('etag-multipart'))
    expectStored(upload)
    expect(upload.store.partsSent()).toHaveLength(2)
    expect(upload.store.count('completeMultipartUpload')).toBe(1)
  })

  test.each(oddResponses)('%s, and the server had not: the same Complete again', async (_, error) => {
    const upload = await createUploadHarness(2 * PART)
    failComplete(upload, error, 'before')
    expect(await upload.run(bySmallParts)).toEqual(completed('etag-multipart'))
    expectStored(upload)
    expect(upload.store.partsSent()).toHaveLength(2)
    expect(upload.store.count('completeMultipartUpload')).toBe(2)
  })

  test('the server goes on after the response was lost; the second Complete finds no upload: done', async () => {
    const upload = await createUploadHarness(2 * PART)
    const finish = upload.store.completeMultipartUpload.bind(upload.store)
    let sent = 0
    upload.store.completeMultipartUpload = async (request) => {
      sent += 1
      if (sent === 1) throw lostResponse()
      await finish(request)
      return finish(request)
    }
    expect(await upload.run(bySmallParts)).toEqual(completed('etag-multipart'))
    expectStored(upload)
  })

  test('without ListParts, sending Complete again tells that the upload is gone', async () => {
    const upload = await createUploadHarness(2 * PART)
    let hidden = 2
    failComplete(upload, lostResponse(), 'after')
    upload.store.before = ({ operation }) => {
      if (operation === 'listParts') throw refusal('OperationNotAvailable', 405)
      // The object shows up late.
      if (operation === 'headObject' && upload.store.objects.size > 0 && hidden-- > 0) throw refusal('NoSuchKey', 404)
    }
    expect(await upload.run(bySmallParts)).toEqual(completed('etag-multipart'))
    expectStored(upload)
  })

  test('ETag and size of the object that was there before prove nothing by themselves', async () => {
    const upload = await createUploadHarness(2 * PART)
    upload.store.place(upload.key, Buffer.alloc(2 * PART))
    failComplete(upload, lostResponse(), 'before')
    expect(await upload.run(bySmallParts)).toEqual(completed('etag-multipart'))
    expectStored(upload)
  })

  test('the same bytes completed again over themselves', async () => {
    const upload = await createUploadHarness(2 * PART)
    await upload.run(bySmallParts)
    const { id } = upload.record()
    await upload.checkpoints.update(id, { intent: null, uploadId: null, plan: null, source: null })
    await upload.checkpoints.removeParts(id, 'all')
    failComplete(upload, lostResponse(), 'before')
    expect(await upload.run(bySmallParts)).toEqual(completed('etag-multipart'))
    expectStored(upload)
  })
})

describe('the upload is gone', () => {
  test('and nothing was made: lost, but only after looking for 20 s', async () => {
    const upload = await createUploadHarness(2 * PART)
    let goneAtMs = 0
    upload.store.before = ({ operation }) => {
      if (operation !== 'completeMultipartUpload') return
      upload.store.uploads.clear()
      goneAtMs = upload.clock.monotonicMs()
    }
    expect(await upload.run(bySmallParts)).toEqual(failed('upload-lost'))
    expect(upload.clock.monotonicMs() - goneAtMs).toBeGreaterThanOrEqual(LOST_UPLOAD_READ_BACK_MS)
    expect(upload.record().intent).toBeNull()
    expect(upload.store.count('createMultipartUpload')).toBe(1)
  })

  test('and the object appears while looking: done', async () => {
    const upload = await createUploadHarness(2 * PART)
    failComplete(upload, lostResponse(), 'after')
    let looks = 0
    upload.store.before = ({ operation }) => {
      if (operation === 'headObject' && upload.store.objects.size > 0 && looks++ < 4) throw refusal('NoSuchKey', 404)
    }
    expect(await upload.run(bySmallParts)).toEqual(completed('etag-multipart'))
    expectStored(upload)
  })

  test('and an older object is still there: lost, never taken for ours', async () => {
    const upload = await createUploadHarness(2 * PART)
    upload.store.place(upload.key, Buffer.from('older'))
    upload.store.before = ({ operation }) => {
      if (operation === 'completeMultipartUpload') upload.store.uploads.clear()
    }
    expect(await upload.run(bySmallParts)).toEqual(failed('upload-lost'))
    expect(upload.store.objects.get(upload.key)?.bytes.toString()).toBe('older')
  })

  test('and somebody else’s object is there: a conflict that touches nothing', async () => {
    const upload = await createUploadHarness(2 * PART)
    upload.store.before = ({ operation }) => {
      if (operation !== 'completeMultipartUpload') return
      upload.store.place(upload.key, randomBytes(2 * PART))
      throw lostResponse()
    }
    expect(await upload.run(bySmallParts)).toEqual(failed('conflict-on-server'))
    expect(upload.store.count('completeMultipartUpload')).toBe(1)
    expect(upload.store.count('abortMultipartUpload')).toBe(0)
  })

  test('and the key may not be read: not known, so neither done nor lost', async () => {
    const upload = await createUploadHarness(2 * PART)
    failComplete(upload, lostResponse(), 'after')
    upload.store.before = ({ operation }) => {
      if (operation === 'headObject') throw refusal('AccessDenied', 403)
    }
    expect(await upload.run(bySmallParts)).toEqual(failed('outcome-unknown'))
    expect(upload.record().intent).not.toBeNull()
  })
})

describe('killed between the intent and the response', () => {
  async function killedAtComplete(committed: boolean): Promise<UploadHarness> {
    const upload = await createUploadHarness(2 * PART)
    const kill = new AbortController()
    upload.store[committed ? 'after' : 'before'] = ({ operation }: StoreCall) => {
      if (operation !== 'completeMultipartUpload') return
      kill.abort('close')
      kill.signal.throwIfAborted()
    }
    expect(await upload.run({ ...bySmallParts, signal: kill.signal })).toEqual({ kind: 'stopped' })
    expect(upload.record().intent).not.toBeNull()
    upload.store.before = () => undefined
    upload.store.after = () => undefined
    upload.store.calls.length = 0
    return upload
  }

  test('and the server completed: the next run finds it and sends nothing, even without the file', async () => {
    const upload = await killedAtComplete(true)
    await rm(upload.sourcePath)
    expect(await upload.run()).toEqual(completed('etag-multipart'))
    expect(upload.store.calls.map((call) => call.operation)).toEqual(['headObject', 'listParts'])
    expect(upload.told).toMatchObject({ confirmed: 2 * PART, sizeBytes: 2 * PART })
  })

  test('and the server completed, and the file changed since: the object is not called the file', async () => {
    const upload = await killedAtComplete(true)
    await utimes(upload.sourcePath, 1, 1)
    expect(await upload.run()).toEqual(failed('source-changed'))
    expect(upload.record()).toMatchObject({ intent: null, uploadId: null })
    expect(upload.store.count('abortMultipartUpload')).toBe(0)
  })

  test('and the server had not: the next run completes and sends no part', async () => {
    const upload = await killedAtComplete(false)
    expect(await upload.run()).toEqual(completed('etag-multipart'))
    expect(upload.store.partsSent()).toEqual([])
    expectStored(upload)
  })

  test('and the file changed meanwhile: not completed, but what was sent may still be carried out', async () => {
    const upload = await killedAtComplete(false)
    await utimes(upload.sourcePath, 1, 1)
    expect(await upload.run()).toEqual(failed('source-changed'))
    expect(upload.store.count('completeMultipartUpload')).toBe(0)
    expect(upload.record().intent).not.toBeNull()
  })

  test('and even the intent is lost: all parts recorded and the upload gone is looked into', async () => {
    const upload = await killedAtComplete(true)
    await upload.checkpoints.update(upload.record().id, { intent: null })
    expect(await upload.run()).toEqual(completed('etag-multipart'))
    expect(upload.store.count('uploadPart')).toBe(0)
    const other = await killedAtComplete(true)
    await other.checkpoints.update(other.record().id, { intent: null })
    other.store.place(other.key, Buffer.from('not ours'))
    expect(await other.run()).toEqual(failed('upload-lost'))
  })
})
