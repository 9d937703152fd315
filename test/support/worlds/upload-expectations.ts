import { expect } from 'vitest'
import { MIB } from '../../../shared/limits.ts'
import type { StoreError } from '../../../electron/stores/port/store-error.ts'
import { createUploadHarness, type UploadHarness } from './upload-harness.ts'

export const PART = 6 * MIB
export const bySmallParts = { partSizeBytes: PART }

export const completed = (verification: string, lack?: string) => ({
  kind: 'completed',
  verification,
  ...(lack === undefined ? {} : { lack }),
})
export const failed = (code: string) => ({ kind: 'failed', error: expect.objectContaining({ code }) as unknown })

/** Fails Complete, once unless told otherwise, before or after the server carried it out. */
export function failComplete(upload: UploadHarness, error: StoreError, when: 'before' | 'after', times = 1): void {
  let left = times
  upload.store[when] = ({ operation }) => {
    if (operation === 'completeMultipartUpload' && left-- > 0) throw error
  }
}

/** The object has the file's bytes, and no upload of it is left. */
export function expectStored({ store, key, bytes }: UploadHarness): void {
  expect(store.objects.get(key)?.bytes.equals(bytes)).toBe(true)
  expect(store.uploads.size).toBe(0)
  expect(store.count('abortMultipartUpload')).toBe(0)
}

/** An upload of `partCount` parts that was paused after `sent` of them. */
export async function paused(partCount: number, sent: number): Promise<UploadHarness> {
  const upload = await createUploadHarness(partCount * PART)
  const pause = new AbortController()
  upload.store.before = ({ partNumber }) => {
    if (partNumber === sent + 1) pause.abort('pause')
  }
  expect(await upload.run({ ...bySmallParts, connections: 1, signal: pause.signal })).toEqual({ kind: 'stopped' })
  expect(await upload.checkpoints.parts(upload.record().id)).toHaveLength(sent)
  upload.store.before = () => undefined
  return upload
}
