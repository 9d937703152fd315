import { describe, expect, test } from 'vitest'
import type { PutObjectRequest } from '../../../electron/stores/port/object-store.ts'
import { resolveUpload } from '../../../electron/engine/upload/resolve-outcome.ts'
import { LOST_UPLOAD_READ_BACK_MS, MIB } from '../../../shared/limits.ts'
import { lostResponse, refusal } from '../../support/fakes/memory-store.ts'
import { createUploadHarness, type UploadHarness } from '../../support/worlds/upload-harness.ts'

const PART = 6 * MIB

/** An upload whose run was canceled at its first request of this kind, carried out by the server or not. */
async function canceledAt(operation: string, isCarriedOut: boolean): Promise<UploadHarness> {
  const upload = await createUploadHarness(2 * PART)
  const cancel = new AbortController()
  upload.store[isCarriedOut ? 'after' : 'before'] = (call) => {
    if (call.operation !== operation) return
    cancel.abort('cancel')
    cancel.signal.throwIfAborted()
  }
  expect(await upload.run({ partSizeBytes: PART, signal: cancel.signal })).toEqual({ kind: 'stopped' })
  upload.store.before = upload.store.after = () => undefined
  return upload
}

interface CanceledPut {
  readonly upload: UploadHarness
  /** The service makes the object of the body that it has. */
  readonly make: () => void
  /** The service takes bodies again. */
  readonly restore: () => void
}

/** A file sent in one request, canceled once the service had `share` of its body; `happen` comes before the run. */
async function canceledPut(
  share: number,
  happen: (upload: UploadHarness) => void = () => undefined,
  sizeBytes = 4 * MIB,
): Promise<CanceledPut> {
  const upload = await createUploadHarness(sizeBytes)
  const { store, key, bytes } = upload
  const putObject = store.putObject.bind(store)
  const cancel = new AbortController()
  store.putObject = async (request) => {
    await receiveShare(request, share)
    cancel.abort('cancel')
    cancel.signal.throwIfAborted()
    return putObject(request)
  }
  happen(upload)
  expect(await upload.run({ signal: cancel.signal })).toEqual({ kind: 'stopped' })
  return { upload, make: () => store.place(key, bytes), restore: () => void (store.putObject = putObject) }
}

async function receiveShare({ body, onSent }: PutObjectRequest, share: number): Promise<void> {
  let received = 0
  if (body.sizeBytes === 0) return
  for await (const slice of body.open()) {
    received += slice.length
    onSent?.(slice.length)
    if (received >= share * body.sizeBytes) return
  }
}

function afterLooks({ store }: UploadHarness, looks: number, then: () => void): void {
  let seen = 0
  store.before = ({ operation }) => {
    seen += operation === 'headObject' ? 1 : 0
    if (operation === 'headObject' && seen === looks) then()
  }
}

describe('canceling', () => {
  test('while the outcome is unknown and the server completed: too late, and nothing is aborted', async () => {
    const upload = await canceledAt('completeMultipartUpload', true)
    expect(upload.record().intent).not.toBeNull()
    expect(await resolveUpload(upload.context())).toEqual({ kind: 'completed', verification: 'etag-multipart' })
    expect(upload.store.count('abortMultipartUpload')).toBe(0)
  })

  test('while the outcome is unknown and the server had not: free to be aborted, but only after looking for 20 s', async () => {
    const upload = await canceledAt('completeMultipartUpload', false)
    const startMs = upload.clock.monotonicMs()
    expect(await resolveUpload(upload.context())).toEqual({ kind: 'stopped' })
    expect(upload.clock.monotonicMs() - startMs).toBeGreaterThanOrEqual(LOST_UPLOAD_READ_BACK_MS)
    expect(upload.record().intent).toBeNull()
    expect(upload.store.count('completeMultipartUpload')).toBe(1)
  })

  test('while the service doesn’t let us look: the intent is kept', async () => {
    const upload = await canceledAt('completeMultipartUpload', true)
    upload.store.before = ({ operation }) => {
      if (operation === 'headObject') throw refusal('AccessDenied', 403)
    }
    expect(await resolveUpload(upload.context())).toMatchObject({ kind: 'failed', error: { code: 'outcome-unknown' } })
    expect(upload.record().intent).not.toBeNull()
  })
})

describe('canceling a file that is sent in one request', () => {
  test('once the service has all of it: it is seen that the object is made a little later', async () => {
    const { upload, make } = await canceledPut(1)
    afterLooks(upload, 3, make)
    expect(await resolveUpload(upload.context())).toEqual({ kind: 'completed', verification: 'etag-md5' })
  })

  test('once the service has all of it, over an object that is replaced: the same', async () => {
    const { upload, make } = await canceledPut(1, (begun) => {
      begun.store.place(begun.key, Buffer.from('before'))
    })
    afterLooks(upload, 3, make)
    expect(await resolveUpload(upload.context())).toEqual({ kind: 'completed', verification: 'etag-md5' })
  })

  test('once the service has all of it, while another replaces what was there: the same', async () => {
    const { upload, make } = await canceledPut(1)
    upload.store.place(upload.key, Buffer.from('another'))
    afterLooks(upload, 3, make)
    expect(await resolveUpload(upload.context())).toEqual({ kind: 'completed', verification: 'etag-md5' })
  })

  test('once the service has all of it, and nothing is made: canceled, but only after looking for 20 s', async () => {
    const { upload } = await canceledPut(1)
    const startMs = upload.clock.monotonicMs()
    expect(await resolveUpload(upload.context())).toEqual({ kind: 'stopped' })
    expect(upload.clock.monotonicMs() - startMs).toBeGreaterThanOrEqual(LOST_UPLOAD_READ_BACK_MS)
    expect(upload.record().intent).toBeNull()
  })

  test('of no bytes: the service has all of it with the head of the request', async () => {
    const { upload, make } = await canceledPut(1, () => undefined, 0)
    afterLooks(upload, 3, make)
    expect(await resolveUpload(upload.context())).toEqual({ kind: 'completed', verification: 'etag-md5' })
  })

  test('before the service can have all of it: it is known at once that nothing is made', async () => {
    const { upload } = await canceledPut(0.5)
    expect(upload.record().intent).toBeNull()
    const startMs = upload.clock.monotonicMs()
    expect(await resolveUpload(upload.context())).toEqual({ kind: 'stopped' })
    expect(upload.clock.monotonicMs()).toBe(startMs)
    expect(upload.store.objects.size).toBe(0)
  })

  test('before the service can have all of it, for the second time: the first may still be made', async () => {
    const { upload, make } = await canceledPut(0.5, (begun) => {
      const { putObject } = begun.store
      begun.store.putObject = async (request) => {
        begun.store.putObject = putObject
        await receiveShare(request, 1)
        throw lostResponse()
      }
    })
    afterLooks(upload, 3, make)
    expect(await resolveUpload(upload.context())).toEqual({ kind: 'completed', verification: 'etag-md5' })
  })

  test('paused before the service can have all of it, it goes on', async () => {
    const { upload, restore } = await canceledPut(0.5)
    restore()
    expect(await upload.run()).toEqual({ kind: 'completed', verification: 'etag-md5' })
    expect(upload.store.objects.get(upload.key)?.bytes.equals(upload.bytes)).toBe(true)
  })
})
