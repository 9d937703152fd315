import { expect, test } from 'vitest'
import { createConnectionGovernors } from '../../electron/engine/connection-shares.ts'
import { UNLIMITED } from '../../electron/engine/rate-limiter.ts'
import { runUpload } from '../../electron/engine/upload.ts'
import { PART, bySmallParts, completed } from '../support/upload-expectations.ts'
import { createUploadHarness } from '../support/upload-harness.ts'

/** Uploads 8 parts under a limit. @returns how many were on their way at most. */
async function mostAtOnceUnder(limitBytesPerSecond: number | null): Promise<number> {
  const upload = await createUploadHarness(8 * PART)
  const uploadPart = upload.store.uploadPart.bind(upload.store)
  let now = 0
  let most = 0
  upload.store.uploadPart = async (request) => {
    most = Math.max(most, (now += 1))
    // Those that may begin beside it do so meanwhile.
    await new Promise((resolve) => setTimeout(resolve, 50))
    return uploadPart(request).finally(() => (now -= 1))
  }
  const connections = createConnectionGovernors({ clock: upload.deps.clock, isSaturated: () => false })
  const context = { ...upload.context(bySmallParts), connections }
  const outcome = await runUpload({ ...context, limiter: { ...UNLIMITED, limitBytesPerSecond } })
  expect(outcome).toEqual(completed('etag-multipart'))
  return most
}

test('under a limit few parts are on their way at a time, for a pause loses them', async () => {
  expect(await mostAtOnceUnder(null)).toBeGreaterThan(2)
  expect(await mostAtOnceUnder(PART / 2)).toBe(2)
  expect(await mostAtOnceUnder(PART / 10)).toBe(1)
})
