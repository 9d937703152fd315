import { stat } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { createTokenBucket } from '../../../electron/engine/flow-control/token-bucket.ts'
import { createConnectionGovernors } from '../../../electron/engine/line/host-governors.ts'
import { runUpload } from '../../../electron/engine/upload/upload.ts'
import { UNLIMITED } from '../../support/fakes/unlimited.ts'
import { bySmallParts, completed, PART } from '../../support/worlds/upload-expectations.ts'
import { createUploadHarness } from '../../support/worlds/upload-harness.ts'

/** More than there are parts, each of which looks once before it begins. */
const LOOKS = 20

/** Uploads 8 parts under a limit. @returns how many bodies were being sent at most. */
async function mostAtOnceUnder(limitBytesPerSecond: number | null): Promise<number> {
  const upload = await createUploadHarness(8 * PART)
  const uploadPart = upload.store.uploadPart.bind(upload.store)
  let now = 0
  let most = 0
  upload.store.uploadPart = async (request) => {
    most = Math.max(most, (now += 1))
    // Those that may begin beside it have looked at their file by then, which is all that they wait for.
    for (let looks = 0; looks < LOOKS; looks += 1) await stat(upload.sourcePath)
    let leftBytes = request.body.sizeBytes
    const onSent = (bytes: number): void => {
      leftBytes -= bytes
      if (leftBytes === 0) now -= 1
      request.onSent?.(bytes)
    }
    return uploadPart({ ...request, onSent })
  }
  const { clock } = upload.deps
  const connections = createConnectionGovernors({ clock, isSaturated: () => false })
  const limiter = limitBytesPerSecond === null ? UNLIMITED : createTokenBucket(clock, limitBytesPerSecond)
  const outcome = await runUpload({ ...upload.context(bySmallParts), connections, limiter })
  expect(outcome).toEqual(completed('etag-multipart'))
  return most
}

test('under a limit few parts are sent at a time, for a pause loses them', async () => {
  expect(await mostAtOnceUnder(null)).toBeGreaterThan(2)
  expect(await mostAtOnceUnder(PART / 2)).toBeLessThanOrEqual(2)
  expect(await mostAtOnceUnder(PART / 10)).toBeLessThanOrEqual(2)
})
