import { rename, truncate } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { recordAnew } from '../../../electron/engine/core/new-records.ts'
import { refusal } from '../../support/fakes/memory-store.ts'
import { bySmallParts, completed, paused } from '../../support/worlds/upload-expectations.ts'
import type { UploadHarness } from '../../support/worlds/upload-harness.ts'

describe('an upload that begins anew while parts of the one before are still on record', () => {
  test('sends all of its own, where the service does not tell which it has', async () => {
    const upload = await begunAnew()
    upload.store.before = ({ operation }) => {
      if (operation === 'listParts') throw refusal('AccessDenied', 403)
    }
    await stopAt(upload, 'uploadPart')
    expect(await upload.run(bySmallParts)).toEqual(completed('etag-multipart'))
    expect([...new Set(upload.store.partsSent())].sort()).toEqual([1, 2, 3])
    expect(upload.store.objects.get(upload.key)?.bytes.equals(upload.bytes)).toBe(true)
  })

  test('with a file that is small by now counts none of them', async () => {
    const upload = await begunAnew()
    await truncate(upload.sourcePath, 1000)
    await stopAt(upload, 'putObject')
    // Moved in between, its bytes are compared with what was sent of it.
    await rename(upload.sourcePath, `${upload.sourcePath}.away`)
    await rename(`${upload.sourcePath}.away`, upload.sourcePath)
    expect(await upload.run()).toEqual(completed('etag-md5'))
    expect(upload.told.confirmed).toBe(1000)
  })
})

/** Two of three parts were sent, and could not be forgotten when the upload was to start over. */
async function begunAnew(): Promise<UploadHarness> {
  const upload = await paused(3, 2)
  const { id } = upload.record()
  await upload.checkpoints.update(id, recordAnew(upload.record()))
  expect(await upload.checkpoints.parts(id)).toHaveLength(2)
  upload.store.uploads.clear()
  upload.store.calls.length = 0
  return upload
}

/** The next run is paused when it sends for the first time. */
async function stopAt({ store, run }: UploadHarness, sending: 'uploadPart' | 'putObject'): Promise<void> {
  const { before } = store
  const pause = new AbortController()
  store.before = (call) => {
    if (call.operation === sending) pause.abort('pause')
    return before(call)
  }
  expect(await run({ ...bySmallParts, connections: 1, signal: pause.signal })).toEqual({ kind: 'stopped' })
  store.before = before
}
