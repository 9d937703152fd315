import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { MIB } from '../../../shared/limits.ts'
import { completeFromParts } from '../../../electron/engine/multipart/complete-from-parts.ts'
import type { CompletedPart } from '../../../electron/stores/port/object-store.ts'
import { lostResponse, refusal } from '../../support/fakes/memory-store.ts'
import { createUploadHarness, type UploadHarness } from '../../support/worlds/upload-harness.ts'

const PARTS = { 1: randomBytes(6 * MIB), 5: randomBytes(9) }

async function upload(): Promise<{ harness: UploadHarness; complete: () => ReturnType<typeof completeFromParts> }> {
  const harness = await createUploadHarness(0)
  const uploadId = harness.store.placeUpload('k', PARTS)
  const stored = [...(harness.store.uploads.get(uploadId)?.parts ?? [])]
  const parts: CompletedPart[] = stored.map(([partNumber, { etag }]) => ({ partNumber, etag: `"${etag}"` }))
  harness.store.completeMultipartUpload = acceptQuotes(harness)
  return { harness, complete: () => completeFromParts({ ...harness.context(), key: 'k', uploadId, parts }) }
}

/** Quotes don't count when ETags are compared (docs/dialect.md). */
function acceptQuotes({ store }: UploadHarness): typeof store.completeMultipartUpload {
  const complete = store.completeMultipartUpload.bind(store)
  return (request) =>
    complete({ ...request, parts: request.parts.map((part) => ({ ...part, etag: part.etag.replaceAll('"', '') })) })
}

test('parts with a gap are completed, and a second time finds the object', async () => {
  const { harness, complete } = await upload()
  expect(await complete()).toMatchObject({ kind: 'done', verification: 'etag-multipart' })
  expect(harness.store.objects.get('k')?.bytes.equals(Buffer.concat(Object.values(PARTS)))).toBe(true)
  expect(await complete()).toMatchObject({ kind: 'done', verification: 'etag-multipart' })
  expect(harness.store.count('completeMultipartUpload')).toBe(1)
})

test('with nothing but the two documented operations, a lost response is resolved too', async () => {
  const { harness, complete } = await upload()
  harness.store.before = ({ operation }) => {
    if (operation === 'listParts') throw refusal('OperationNotAvailable', 404)
  }
  let lose = true
  harness.store.after = ({ operation }) => {
    if (operation !== 'completeMultipartUpload' || !lose) return
    lose = false
    throw lostResponse()
  }
  expect(await complete()).toMatchObject({ kind: 'done', verification: 'etag-multipart' })
})

test('an upload that never existed counts as lost, whatever is at the key', async () => {
  const { harness, complete } = await upload()
  harness.store.uploads.clear()
  harness.store.place('k', randomBytes(10))
  expect(await complete()).toMatchObject({ kind: 'failed', error: { info: { code: 'upload-lost' } } })
})

test('parts the server doesn’t have are refused as such', async () => {
  const { harness, complete } = await upload()
  for (const { parts } of harness.store.uploads.values()) parts.delete(5)
  expect(await complete()).toMatchObject({ kind: 'parts-refused', error: { code: 'InvalidPart' } })
})
