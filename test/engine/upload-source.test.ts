import { randomBytes } from 'node:crypto'
import { rename, rm, truncate, utimes, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { describe, expect, test } from 'vitest'
import { PART, bySmallParts, completed, failed, expectStored, paused } from '../support/upload-expectations.ts'
import { createUploadHarness, type UploadHarness } from '../support/upload-harness.ts'

describe('the source', () => {
  test('a file that changes between parts is never completed', async () => {
    const upload = await createUploadHarness(4 * PART)
    upload.store.after = async ({ partNumber }) => {
      if (partNumber === 2) await utimes(upload.sourcePath, 1, 1)
    }
    expect(await upload.run({ ...bySmallParts, connections: 1 })).toEqual(failed('source-changed'))
    expect(upload.store.count('completeMultipartUpload')).toBe(0)
    expect(await upload.run()).toEqual(failed('source-changed'))
    expect(upload.store.objects.size).toBe(0)
  })

  test('a file that becomes shorter while it is read stops the upload', async () => {
    const upload = await createUploadHarness(3 * PART)
    upload.store.before = async ({ partNumber }) => {
      if (partNumber === 3) await truncate(upload.sourcePath, 2 * PART + 1)
    }
    expect(await upload.run({ ...bySmallParts, connections: 1 })).toEqual(failed('source-changed'))
    expect(upload.store.count('completeMultipartUpload')).toBe(0)
  })

  test('a drive that is gone is waited for; back again the upload goes on with what is missing', async () => {
    const upload = await paused(3, 2)
    const drive = dirname(upload.sourcePath)
    await rename(drive, `${drive}.away`)
    upload.store.calls.length = 0
    onWait(upload, () => rename(`${drive}.away`, drive))
    expect(await upload.run()).toEqual(completed('etag-multipart'))
    expect(upload.told.waits).toEqual(['source-missing'])
    expect(upload.store.partsSent()).toEqual([3])
    expectStored(upload)
  })

  test.each([
    ['unchanged: it goes on', false, completed('etag-multipart')],
    ['with another file: it is not uploaded', true, failed('source-changed')],
  ])('a drive that goes away between two parts is waited for. Back %s', async (_, isOther, outcome) => {
    const upload = await createUploadHarness(3 * PART)
    const drive = dirname(upload.sourcePath)
    upload.store.after = async ({ partNumber }) => {
      if (partNumber === 1) await rename(drive, `${drive}.away`)
    }
    onWait(upload, async () => {
      await rename(`${drive}.away`, drive)
      if (isOther) await utimes(upload.sourcePath, 1, 1)
      upload.store.after = () => undefined
    })
    expect(await upload.run({ ...bySmallParts, connections: 1 })).toEqual(outcome)
    expect(upload.told.waits).toEqual(['source-missing'])
    expect(upload.store.objects.size).toBe(isOther ? 0 : 1)
  })

  test('a file that was never there is said to be missing at once', async () => {
    const upload = await createUploadHarness(1)
    await rm(upload.sourcePath)
    expect(await upload.run()).toEqual(failed('source-missing'))
  })

  test('another file with the same size and time in its place is noticed by its bytes', async () => {
    const upload = await paused(3, 2)
    await rm(upload.sourcePath)
    await writeFile(upload.sourcePath, randomBytes(3 * PART))
    const { source } = upload.record()
    const modified = Number(BigInt(source?.modifiedNs ?? 0) / 1_000_000n) / 1000
    await utimes(upload.sourcePath, modified, modified)
    expect(await upload.run()).toEqual(failed('source-changed'))
    expect(upload.store.count('completeMultipartUpload')).toBe(0)
  })

  test('a folder can’t be uploaded', async () => {
    const upload = await createUploadHarness(1)
    await upload.checkpoints.update(upload.record().id, { sourcePath: '/' })
    expect(await upload.run()).toEqual(failed('source-unreadable'))
  })
})

/** Does `then` when the run waits for the first time. */
function onWait(upload: UploadHarness, then: () => Promise<void>): void {
  const { clock } = upload.deps
  const sleep = clock.sleep.bind(clock)
  let waits = 0
  clock.sleep = async (delayMs, signal) => {
    waits += 1
    if (waits === 1) await then()
    await sleep(delayMs, signal)
  }
}
