import { describe, expect, test } from 'vitest'
import { LOST_UPLOAD_READ_BACK_MS, MIB } from '../../shared/limits.ts'
import { abortDueUploads } from '../../electron/engine/upload-aborts.ts'
import { discardUpload, settleUpload } from '../../electron/engine/upload-discard.ts'
import { lostAnswer, refusal } from '../support/memory-store.ts'
import { createUploadHarness, type UploadHarness } from '../support/upload-harness.ts'

const PART = 6 * MIB
const { signal } = new AbortController()

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

describe('canceling', () => {
  test('an upload halfway: the abort is durable and carried out', async () => {
    const upload = await canceledAt('uploadPart', true)
    expect(await discardUpload(upload.record(), upload.checkpoints)).toBe('discarded')
    expect(await upload.checkpoints.abortsDue()).toHaveLength(1)
    await abortDueUploads(upload.deps, signal)
    expect(upload.store.uploads.size).toBe(0)
    expect(await upload.checkpoints.abortsDue()).toEqual([])
  })

  test('before anything was created leaves nothing to do', async () => {
    const upload = await createUploadHarness(1)
    expect(await discardUpload(upload.record(), upload.checkpoints)).toBe('discarded')
    expect(await upload.checkpoints.abortsDue()).toEqual([])
  })

  test('while the outcome is unknown and the server completed: too late, and nothing is aborted', async () => {
    const upload = await canceledAt('completeMultipartUpload', true)
    expect(await discardUpload(upload.record(), upload.checkpoints)).toBe('outcome-unknown')
    expect(await settleUpload(upload.context())).toEqual({ kind: 'completed', verification: 'etag-multipart' })
    expect(await upload.checkpoints.abortsDue()).toEqual([])
  })

  test('while the outcome is unknown and the server had not: aborted, but only after looking for 20 s', async () => {
    const upload = await canceledAt('completeMultipartUpload', false)
    const startMs = upload.clock.monotonicMs()
    expect(await settleUpload(upload.context())).toEqual({ kind: 'stopped' })
    expect(upload.clock.monotonicMs() - startMs).toBeGreaterThanOrEqual(LOST_UPLOAD_READ_BACK_MS)
    expect(await discardUpload(upload.record(), upload.checkpoints)).toBe('discarded')
    expect(upload.store.count('completeMultipartUpload')).toBe(1)
  })

  test('while the service doesn’t let us look: the intent is kept', async () => {
    const upload = await canceledAt('completeMultipartUpload', true)
    upload.store.before = ({ operation }) => {
      if (operation === 'headObject') throw refusal('AccessDenied', 403)
    }
    expect(await settleUpload(upload.context())).toMatchObject({ kind: 'failed', error: { code: 'access-denied' } })
    expect(await discardUpload(upload.record(), upload.checkpoints)).toBe('outcome-unknown')
  })
})

describe('due aborts', () => {
  test('are repeated through an outage, one refused doesn’t hold up another', async () => {
    const { store, deps, checkpoints } = await createUploadHarness(1)
    const location = { kind: 'place', placeId: 'memory', bucket: 'memory' } as const
    for (const uploadId of ['denied', 'slow', 'gone']) await checkpoints.addAbort({ location, key: 'k', uploadId })
    store.placeUpload('k', {}, 'denied')
    store.placeUpload('k', {}, 'slow')
    let outages = 3
    store.before = ({ uploadId }) => {
      if (uploadId === 'denied') throw refusal('AccessDenied', 403)
      if (uploadId === 'slow' && outages-- > 0) throw lostAnswer()
    }
    await abortDueUploads(deps, signal)
    expect((await checkpoints.abortsDue()).map((due) => due.uploadId)).toEqual(['denied'])
    expect([...store.uploads.keys()]).toEqual(['denied'])
    expect(store.calls.filter((call) => call.uploadId === 'denied')).toHaveLength(1)
  })
})
