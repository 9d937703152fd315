import { utimes } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { MIB } from '../../../shared/limits.ts'
import { lostResponse, refusal } from '../../support/fakes/memory-store.ts'
import {
  PART,
  bySmallParts,
  completed,
  failed,
  failComplete,
  expectStored,
} from '../../support/worlds/upload-expectations.ts'
import { createUploadHarness } from '../../support/worlds/upload-harness.ts'

describe('a clear response', () => {
  test('a 200 with another ETag is not success', async () => {
    const upload = await createUploadHarness(2 * PART)
    const finish = upload.store.completeMultipartUpload.bind(upload.store)
    upload.store.completeMultipartUpload = async (request) => ({
      ...(await finish(request)),
      etag: `${'0'.repeat(32)}-2`,
    })
    expect(await upload.run(bySmallParts)).toEqual(failed('final-mismatch'))
  })

  test('a 200 without an object is not success', async () => {
    const upload = await createUploadHarness(2 * PART)
    upload.store.after = ({ operation }) => {
      if (operation === 'completeMultipartUpload') upload.store.objects.clear()
    }
    expect(await upload.run(bySmallParts)).toEqual(failed('final-mismatch'))
  })

  test('InvalidPart: only the offender is sent again', async () => {
    const upload = await createUploadHarness(3 * PART)
    let once = true
    upload.store.before = ({ operation, uploadId = '' }) => {
      if (operation !== 'completeMultipartUpload' || !once) return
      once = false
      upload.store.uploads.get(uploadId)?.parts.delete(2)
    }
    expect(await upload.run({ ...bySmallParts, connections: 1 })).toEqual(completed('etag-multipart'))
    expect(upload.store.partsSent()).toEqual([1, 2, 3, 2])
    expect(upload.told.confirmed).toBe(3 * PART)
    expectStored(upload)
  })

  test('InvalidPart for ever: it stops and nothing is aborted', async () => {
    const upload = await createUploadHarness(2 * PART)
    failComplete(upload, refusal('InvalidPart', 400), 'before', 99)
    expect(await upload.run(bySmallParts)).toEqual(failed('refused-by-server'))
    expect(upload.store.count('completeMultipartUpload')).toBe(3)
    expect(upload.store.uploads.size).toBe(1)
  })

  test('InvalidDigest on Complete: once more, then it stops', async () => {
    const upload = await createUploadHarness(2 * PART)
    failComplete(upload, refusal('InvalidDigest', 400), 'before', 1)
    expect(await upload.run(bySmallParts)).toEqual(completed('etag-multipart'))
    const again = await createUploadHarness(2 * PART)
    failComplete(again, refusal('InvalidDigest', 400), 'before', 9)
    expect(await again.run(bySmallParts)).toEqual(failed('part-damaged'))
    expect(again.store.count('completeMultipartUpload')).toBe(2)
  })

  test.each([
    ['EntityTooSmall', 'internal'],
    ['AccessDenied', 'access-denied'],
  ])('%s stops at once; the upload may be discarded', async (code, error) => {
    const upload = await createUploadHarness(2 * PART)
    failComplete(upload, refusal(code, 400), 'before')
    expect(await upload.run(bySmallParts)).toEqual(failed(error))
    expect(upload.record().intent).toBeNull()
  })

  test('if ETags are not MD5s, only the size is claimed', async () => {
    const upload = await createUploadHarness(2 * PART)
    upload.store.capabilities = { ...upload.store.capabilities, etagIsMd5: false }
    expect(await upload.run(bySmallParts)).toEqual(completed('size-only', 'no-checksum'))
  })

  test.each(['d'.repeat(32), `${'0'.repeat(32)}-2`])(
    'where ETags of several parts may be anything, %s is no other object',
    async (etag) => {
      const upload = await createUploadHarness(2 * PART)
      upload.store.capabilities = { ...upload.store.capabilities, multipartEtagIsMd5: false }
      const finish = upload.store.completeMultipartUpload.bind(upload.store)
      upload.store.completeMultipartUpload = async (request) => {
        const response = await finish(request)
        for (const [key, object] of upload.store.objects) upload.store.objects.set(key, { ...object, etag })
        return { ...response, etag }
      }
      expect(await upload.run(bySmallParts)).toEqual(completed('size-only', 'no-checksum'))
    },
  )

  test('where ETags of several parts may be anything, the one that fits still proves', async () => {
    const upload = await createUploadHarness(2 * PART)
    upload.store.capabilities = { ...upload.store.capabilities, multipartEtagIsMd5: false }
    expect(await upload.run(bySmallParts)).toEqual(completed('etag-multipart'))
  })

  test('if ETags are not MD5s, a lost response is resolved when everything else fits', async () => {
    const upload = await createUploadHarness(2 * PART)
    upload.store.capabilities = { ...upload.store.capabilities, etagIsMd5: false }
    failComplete(upload, lostResponse(), 'after')
    expect(await upload.run(bySmallParts)).toEqual(completed('evidence'))
  })
})

describe('a file in one piece', () => {
  test('a lost response is read back; put again only if it isn’t there', async () => {
    const there = await createUploadHarness(MIB)
    let once = true
    there.store.after = ({ operation }) => {
      if (operation === 'putObject' && once) {
        once = false
        throw lostResponse()
      }
    }
    expect(await there.run()).toEqual(completed('etag-md5'))
    expect(there.store.count('putObject')).toBe(1)
    const absent = await createUploadHarness(MIB)
    let lose = true
    absent.store.before = ({ operation }) => {
      if (operation === 'putObject' && lose) {
        lose = false
        throw lostResponse()
      }
    }
    expect(await absent.run()).toEqual(completed('etag-md5'))
    expect(absent.store.count('putObject')).toBe(2)
    expect(absent.told).toMatchObject({ moved: MIB, confirmed: MIB })
  })

  test('killed after it was put: the next run puts nothing', async () => {
    const upload = await createUploadHarness(MIB)
    const kill = new AbortController()
    upload.store.after = ({ operation }) => {
      if (operation !== 'putObject') return
      kill.abort('close')
      kill.signal.throwIfAborted()
    }
    expect(await upload.run({ signal: kill.signal })).toEqual({ kind: 'stopped' })
    expect(await upload.run()).toEqual(completed('etag-md5'))
    expect(upload.store.count('putObject')).toBe(1)
  })

  test('a file that changes before it is put leaves the object alone', async () => {
    const upload = await createUploadHarness(MIB)
    upload.store.before = async ({ operation }) => {
      if (operation === 'headObject') await utimes(upload.sourcePath, 1, 1)
    }
    expect(await upload.run()).toEqual(failed('source-changed'))
    expect(upload.store.objects.size).toBe(0)
  })
})
