import { describe, expect, test } from 'vitest'
import { resolveUpload } from '../../../electron/engine/upload/resolve-outcome.ts'
import { LOST_UPLOAD_READ_BACK_MS, MIB } from '../../../shared/limits.ts'
import { refusal } from '../../support/fakes/memory-store.ts'
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
