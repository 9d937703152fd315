import { stat } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { createTokenBucket } from '../../../electron/engine/flow-control/token-bucket.ts'
import { createConnectionGovernors } from '../../../electron/engine/line/host-governors.ts'
import { runUpload } from '../../../electron/engine/upload/upload.ts'
import { bySmallParts, completed, PART } from '../../support/worlds/upload-expectations.ts'
import { createUploadHarness } from '../../support/worlds/upload-harness.ts'

/** More than there are parts, each of which looks once before it begins. */
const LOOKS = 20

/** Parts that show how wide the line may be, before the limit is set. */
const UNLIMITED_PARTS = 12
const PARTS = 20

/**
 * Uploads over a line that grows wide without a limit, which is set then. @returns how many bodies that began under it
 * were being sent at most.
 */
async function mostAtOnceUnder(limitBytesPerSecond: number | null): Promise<number> {
  const upload = await createUploadHarness(PARTS * PART)
  const { clock } = upload.deps
  const limiter = createTokenBucket(clock, null)
  const uploadPart = upload.store.uploadPart.bind(upload.store)
  let begun = 0
  let now = 0
  let most = 0
  upload.store.uploadPart = async (request) => {
    const isCounted = begun >= UNLIMITED_PARTS
    begun += 1
    if (begun === UNLIMITED_PARTS) limiter.setLimit(limitBytesPerSecond)
    if (isCounted) most = Math.max(most, (now += 1))
    // Those that may begin beside it have looked at their file by then, which is all that they wait for.
    for (let looks = 0; looks < LOOKS; looks += 1) await stat(upload.sourcePath)
    let leftBytes = request.body.sizeBytes
    const onSent = (bytes: number): void => {
      leftBytes -= bytes
      if (leftBytes === 0 && isCounted) now -= 1
      request.onSent?.(bytes)
    }
    return uploadPart({ ...request, onSent })
  }
  const connections = createConnectionGovernors({ clock, isSaturated: () => false })
  const outcome = await runUpload({ ...upload.context(bySmallParts), connections, limiter })
  expect(outcome).toEqual(completed('etag-multipart'))
  return most
}

test('under a limit few parts are sent at a time, for a pause loses them', async () => {
  expect(await mostAtOnceUnder(null)).toBeGreaterThan(4)
  // Two that take no longer than four seconds, and two more while the first ones wait for their responses.
  expect(await mostAtOnceUnder(PART / 2)).toBeLessThanOrEqual(4)
  expect(await mostAtOnceUnder(PART / 10)).toBeLessThanOrEqual(3)
})
