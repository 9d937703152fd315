import { expect, test } from 'vitest'
import { contentTypeOf } from '../../../electron/engine/system/content-type.ts'
import { runUpload } from '../../../electron/engine/upload/upload.ts'
import { PART, bySmallParts, completed } from '../../support/worlds/upload-expectations.ts'
import { createUploadHarness } from '../../support/worlds/upload-harness.ts'

test.each([
  ['in one request', 1],
  ['in parts', 2 * PART],
])('an object sent %s gets the content type of its file’s extension', async (_, sizeBytes) => {
  const upload = await createUploadHarness(sizeBytes, 'no-extension')
  const context = upload.context(bySmallParts)
  const outcome = await runUpload({
    ...context,
    deps: { ...context.deps, contentTypeOf: () => contentTypeOf('a/B.JPG') },
  })
  expect(outcome).toEqual(completed(sizeBytes === 1 ? 'etag-md5' : 'etag-multipart'))
  expect(upload.store.contentTypes.get(upload.key)).toBe('image/jpeg')
})

test('a name without a known extension is sent without a content type', async () => {
  expect(contentTypeOf('/files/README')).toBe(null)
  const upload = await createUploadHarness(1)
  await upload.run()
  expect(upload.store.contentTypes.get(upload.key)).toBeUndefined()
})
