import { expect, test } from 'vitest'
import { refusal } from '../../support/fakes/memory-store.ts'
import { completed, expectStored } from '../../support/worlds/upload-expectations.ts'
import { createUploadHarness, type UploadHarness } from '../../support/worlds/upload-harness.ts'

/** An upload that was asked for when nobody could see whether an object has its key. */
async function unseenUpload(): Promise<UploadHarness> {
  const upload = await createUploadHarness(1000)
  await upload.checkpoints.update(upload.record().id, { isKeyUnseen: true })
  return upload
}

test('what could not be seen before is not replaced unasked, however often it is tried', async () => {
  const upload = await unseenUpload()
  upload.store.place(upload.key, Buffer.from('somebody’s'), 'e-1')
  for (let round = 0; round < 2; round += 1) {
    expect(await upload.run()).toMatchObject({
      kind: 'failed',
      error: {
        code: 'conflict-on-server',
        dispute: { found: { sizeBytes: 12, etag: 'e-1' }, expected: { sizeBytes: 1000, etag: null } },
      },
    })
  }
  expect(upload.store.count('putObject')).toBe(0)
  expect(upload.store.objects.get(upload.key)?.bytes.toString()).toBe('somebody’s')
})

test('where nothing is, or nobody may look, it is sent', async () => {
  const free = await unseenUpload()
  expect(await free.run()).toEqual(completed('etag-md5'))
  expectStored(free)
  expect(free.record().isKeyUnseen).toBe(false)
  const hidden = await unseenUpload()
  hidden.store.before = ({ operation }) => {
    if (operation === 'headObject') throw refusal('AccessDenied', 403)
  }
  expect(await hidden.run()).toMatchObject({ kind: 'completed' })
  expectStored(hidden)
})
