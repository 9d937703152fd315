import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { MIB } from '../../../shared/limits.ts'
import type { RunOutcome } from '../../../electron/engine/core/run.ts'
import { lostResponse, refusal } from '../../support/fakes/memory-store.ts'
import {
  PART,
  bySmallParts,
  completed,
  failed,
  expectStored,
  paused,
} from '../../support/worlds/upload-expectations.ts'
import { createUploadHarness, type UploadHarness } from '../../support/worlds/upload-harness.ts'

describe('sizes', () => {
  test.each([0, 1, 5 * MIB, 5 * MIB + 1, 6 * MIB])('%i bytes go up in one request', async (sizeBytes) => {
    const upload = await createUploadHarness(sizeBytes)
    expect(await upload.run()).toEqual(completed('etag-md5'))
    expectStored(upload)
    expect(upload.store.calls.map((call) => call.operation)).toEqual(['headObject', 'putObject'])
    expect(upload.told).toMatchObject({ moved: sizeBytes, confirmed: sizeBytes, sizeBytes })
  })

  test('64 MiB + 7 bytes go up in thirteen parts', async () => {
    const upload = await createUploadHarness(64 * MIB + 7)
    expect(await upload.run()).toEqual(completed('etag-multipart'))
    expectStored(upload)
    expect(upload.store.partsSent()).toHaveLength(13)
    expect(upload.told).toMatchObject({ moved: 64 * MIB + 7, confirmed: 64 * MIB + 7, found: 0 })
    expect([...upload.told.units.values()]).toEqual(Array<string>(13).fill('done'))
    expect(upload.told.stages).toEqual(['preparing', 'transferring', 'completing', 'verifying'])
  })
})

test('plan and source are durable before the upload is created, the intent before it is completed', async () => {
  const upload = await createUploadHarness(2 * PART)
  const seen: Record<string, unknown> = {}
  upload.store.before = ({ operation }) => {
    seen[operation] = upload.record()
  }
  await upload.run(bySmallParts)
  expect(seen['createMultipartUpload']).toMatchObject({ plan: { partSizeBytes: PART, partCount: 2 }, uploadId: null })
  expect(seen['createMultipartUpload']).toHaveProperty('source.sizeBytes', 2 * PART)
  expect(seen['uploadPart']).toMatchObject({ uploadId: expect.any(String) as unknown, intent: null })
  expect(seen['completeMultipartUpload']).toHaveProperty('intent.sizeBytes', 2 * PART)
})

describe('resuming', () => {
  test('a pause keeps finished parts and the next run sends the missing ones only', async () => {
    const upload = await createUploadHarness(4 * PART + 5)
    const pause = new AbortController()
    upload.store.before = ({ partNumber }) => {
      if (partNumber === 3) pause.abort('pause')
    }
    const outcome = await upload.run({ ...bySmallParts, connections: 1, signal: pause.signal })
    expect(outcome).toEqual({ kind: 'stopped' })
    expect(upload.told).toMatchObject({ confirmed: 2 * PART, moved: 2 * PART })
    upload.store.before = () => undefined
    upload.store.calls.length = 0
    expect(await upload.run()).toEqual(completed('etag-multipart'))
    expect([...upload.store.partsSent()].sort()).toEqual([3, 4, 5])
    expect(upload.told).toMatchObject({ confirmed: 4 * PART + 5, found: 2 * PART })
    expectStored(upload)
  })

  test('parts are listed page by page', async () => {
    const upload = await paused(5, 4)
    upload.store.pageSize = 1
    upload.store.calls.length = 0
    await upload.run()
    expect(upload.store.partsSent()).toEqual([5])
    expect(upload.store.count('listParts')).toBe(4)
    expectStored(upload)
  })

  test('a part the server lost, or has with another ETag, is sent again', async () => {
    const upload = await paused(4, 3)
    const parts = [...upload.store.uploads.values()][0]?.parts
    parts?.delete(1)
    parts?.set(2, { bytes: randomBytes(PART), etag: '0'.repeat(32) })
    upload.store.calls.length = 0
    expect(await upload.run()).toEqual(completed('etag-multipart'))
    expect([...upload.store.partsSent()].sort()).toEqual([1, 2, 4])
    expectStored(upload)
  })

  test('a part whose record was lost is proven against the file instead of sent, a foreign one is not', async () => {
    const upload = await paused(4, 3)
    const { id } = upload.record()
    await upload.checkpoints.removeParts(id, [1, 2])
    const parts = [...upload.store.uploads.values()][0]?.parts
    parts?.set(2, { bytes: randomBytes(PART), etag: 'f'.repeat(32) })
    upload.store.calls.length = 0
    expect(await upload.run()).toEqual(completed('etag-multipart'))
    expect([...upload.store.partsSent()].sort()).toEqual([2, 4])
    expect(upload.told.units.get(0)).toBe('found')
    expectStored(upload)
  })

  test('without ListParts the own record is believed', async () => {
    const upload = await paused(3, 2)
    upload.store.before = ({ operation }) => {
      if (operation === 'listParts') throw refusal('OperationNotAvailable', 501)
    }
    upload.store.calls.length = 0
    expect(await upload.run()).toEqual(completed('etag-multipart'))
    expect(upload.store.partsSent()).toEqual([3])
    expectStored(upload)
  })

  test('an outage of ListParts is waited out and never makes a new upload', async () => {
    const upload = await paused(3, 2)
    let outages = 3
    upload.store.before = ({ operation }) => {
      if (operation === 'listParts' && outages-- > 0) throw refusal('InternalError', 502)
    }
    upload.store.calls.length = 0
    expect(await upload.run()).toEqual(completed('etag-multipart'))
    expect(upload.store.count('createMultipartUpload')).toBe(0)
    expect(upload.told.waits).toEqual(['server-error', 'server-error', 'server-error'])
  })

  test('an upload that the server dropped halfway is lost, and said so', async () => {
    const upload = await paused(3, 2)
    upload.store.uploads.clear()
    expect(await upload.run()).toEqual(failed('upload-lost'))
    expect(upload.store.count('createMultipartUpload')).toBe(1)
  })

  test('an upload that was dropped before its first part starts over', async () => {
    const upload = await paused(3, 0)
    upload.store.uploads.clear()
    expect(await upload.run()).toEqual(completed('etag-multipart'))
    expectStored(upload)
  })
})

describe('damage on the way', () => {
  test('a part whose ETag is not its MD5 is sent again', async () => {
    const upload = await createUploadHarness(2 * PART)
    corruptResponses(upload, 2)
    expect(await upload.run({ ...bySmallParts, connections: 1 })).toEqual(completed('etag-multipart'))
    expect(upload.store.partsSent()).toEqual([1, 2, 2, 2])
    expect(upload.told).toMatchObject({ moved: 2 * PART, confirmed: 2 * PART })
    expectStored(upload)
  })

  test('after the third time it stops and the part does not count', async () => {
    const upload = await createUploadHarness(2 * PART)
    corruptResponses(upload, 3)
    expect(await upload.run({ ...bySmallParts, connections: 1 })).toEqual(failed('part-damaged'))
    expect(upload.store.count('completeMultipartUpload')).toBe(0)
    const kept = await upload.checkpoints.parts(upload.record().id)
    expect(kept.map((part) => part.partNumber)).toEqual([1])
  })

  test.each(['InvalidDigest', 'BadDigest'])('%s on a part: read and sent once more, then it stops', async (code) => {
    const upload = await createUploadHarness(2 * PART)
    let refusals = 1
    upload.store.before = ({ partNumber }) => {
      if (partNumber === 2 && refusals-- > 0) throw refusal(code, 400)
    }
    expect(await upload.run(bySmallParts)).toEqual(completed('etag-multipart'))
    const again = await createUploadHarness(2 * PART)
    again.store.before = ({ partNumber }) => {
      if (partNumber === 2) throw refusal(code, 400)
    }
    expect(await again.run(bySmallParts)).toEqual(failed('part-damaged'))
    expect(again.store.partsSent().filter((partNumber) => partNumber === 2)).toHaveLength(2)
  })
})

describe('retry policy', () => {
  test('busy responses and lost connections are waited out, and nothing counts twice', async () => {
    const upload = await createUploadHarness(3 * PART)
    let failures = 6
    upload.store.before = ({ operation }) => {
      if (operation === 'uploadPart' && failures-- > 0) throw refusal('SlowDown', 503)
    }
    upload.store.after = ({ partNumber }) => {
      if (partNumber === 3 && failures-- > -3) throw lostResponse()
    }
    expect(await upload.run(bySmallParts)).toEqual(completed('etag-multipart'))
    expect(upload.told).toMatchObject({ moved: 3 * PART, confirmed: 3 * PART })
    expect(upload.told.waits).toContain('server-busy')
    expectStored(upload)
  })

  test('a refusal of one part ends the others too and is what the person reads', async () => {
    const upload = await createUploadHarness(4 * PART)
    upload.store.before = ({ partNumber }) => {
      if (partNumber === 2) throw refusal('AccessDenied', 403)
    }
    const outcome: RunOutcome = await upload.run(bySmallParts)
    expect(outcome).toEqual(failed('access-denied'))
    expect(outcome).toHaveProperty('error.requestId', 'refused')
  })

  test.each(['putParts', 'update'])(
    'a full disk under the list of transfers is waited for, and nothing is sent twice (%s)',
    async (refused) => {
      const upload = await createUploadHarness(3 * PART)
      const refusals = new Set<number>()
      let writes = 0
      upload.checkpoints.onWrite = (method) => {
        if (method !== refused) return
        writes += 1
        if (writes % 3 === 0) return
        refusals.add(writes)
        throw Object.assign(new Error('full'), { code: 'ENOSPC' })
      }
      expect(await upload.run({ ...bySmallParts, connections: 1 })).toEqual(completed('etag-multipart'))
      expect(refusals.size).toBeGreaterThan(3)
      expect(new Set(upload.told.waits)).toEqual(new Set(['disk-full']))
      expect(upload.store.count('createMultipartUpload')).toBe(1)
      expect(upload.store.partsSent()).toEqual([1, 2, 3])
      expectStored(upload)
    },
  )

  test('a record of a part that can no longer be read is never left out of the object', async () => {
    const upload = await createUploadHarness(3 * PART)
    const earlier = Buffer.from('an earlier version')
    upload.store.place(upload.key, earlier)
    const { checkpoints } = upload
    const parts = checkpoints.parts.bind(checkpoints)
    checkpoints.parts = async (id) => (await parts(id)).filter(({ partNumber }) => partNumber !== 2)
    expect(await upload.run({ ...bySmallParts, connections: 1 })).toEqual(failed('internal'))
    expect(upload.store.count('completeMultipartUpload')).toBe(0)
    expect(upload.store.objects.get(upload.key)?.bytes.equals(earlier)).toBe(true)
    checkpoints.parts = parts
    expect(await upload.run()).toEqual(completed('etag-multipart'))
    expectStored(upload)
  })

  test('a full disk under the list of transfers keeps what was sent when it is given up', async () => {
    const upload = await createUploadHarness(3 * PART)
    upload.checkpoints.onWrite = (method) => {
      if (method === 'putParts') throw Object.assign(new Error('full'), { code: 'ENOSPC' })
    }
    const options = { ...bySmallParts, connections: 1, giveUpAfterMs: 60_000 }
    expect(await upload.run(options)).toEqual(failed('gave-up-waiting'))
    upload.checkpoints.onWrite = () => undefined
    expect(await upload.run()).toEqual(completed('etag-multipart'))
    expect(upload.store.count('createMultipartUpload')).toBe(1)
    // The next one was on its way then.
    expect(upload.store.partsSent().filter((partNumber) => partNumber === 1)).toEqual([1])
    expectStored(upload)
  })

  test('with a limit on waiting it gives up and keeps everything', async () => {
    const upload = await createUploadHarness(2 * PART)
    upload.store.before = ({ partNumber }) => {
      if (partNumber === 2) throw lostResponse()
    }
    expect(await upload.run({ ...bySmallParts, connections: 1, giveUpAfterMs: 60_000 })).toEqual(
      failed('gave-up-waiting'),
    )
    expect(await upload.checkpoints.parts(upload.record().id)).toHaveLength(1)
  })
})

/** The server stores part 2 damaged `times` times. */
function corruptResponses(upload: UploadHarness, times: number): void {
  const uploadPart = upload.store.uploadPart.bind(upload.store)
  let left = times
  upload.store.uploadPart = async (request) => {
    const result = await uploadPart(request)
    return request.partNumber === 2 && left-- > 0 ? { ...result, etag: 'e'.repeat(32) } : result
  }
}
