import { expect, test } from 'vitest'
import { createWindDown } from '../../../electron/engine/core/wind-down.ts'
import { refusal } from '../../support/fakes/memory-store.ts'
import { bySmallParts, completed, expectStored, PART } from '../../support/worlds/upload-expectations.ts'
import { createUploadHarness } from '../../support/worlds/upload-harness.ts'

/** An upload of five parts, three at a time, whose answers come when the test says so. */
async function sendingThree() {
  const upload = await createUploadHarness(5 * PART)
  const stop = new AbortController()
  const windDown = createWindDown()
  const responses = new Map<number, { readonly give: () => void; readonly refuse: (failure: unknown) => void }>()
  let told = (): void => undefined
  const allSent = new Promise<void>((resolve) => (told = resolve))
  upload.store.after = ({ operation, partNumber = 0 }) =>
    operation !== 'uploadPart'
      ? undefined
      : new Promise((give, refuse) => {
          responses.set(partNumber, { give, refuse })
          stop.signal.addEventListener('abort', () => refuse(stop.signal.reason))
          if (responses.size === 3) told()
        })
  const outcome = upload.run({ ...bySmallParts, signal: stop.signal, windDown })
  await allSent
  return { upload, stop, windDown, responses, outcome }
}

test('parts that are on their way end and are kept; nothing more is begun, and nothing is completed', async () => {
  const { upload, stop, windDown, responses, outcome } = await sendingThree()
  const ended = windDown.begin(2500)
  for (const number of [2, 1, 3]) responses.get(number)?.give()
  await ended
  expect(await upload.checkpoints.parts(upload.record().id)).toHaveLength(3)
  expect(upload.told.finishing).toEqual([3, 2, 1, null])
  stop.abort('pause')
  expect(await outcome).toEqual({ kind: 'stopped' })
  expect([[...upload.store.partsSent()].sort(), upload.told.dropped]).toEqual([[1, 2, 3], 0])
  upload.store.after = () => undefined
  expect(await upload.run()).toEqual(completed('etag-multipart'))
  expect([...upload.store.partsSent()].sort()).toEqual([1, 2, 3, 4, 5])
  expectStored(upload)
})

test('what has not ended when it is stopped is dropped, and told in bytes', async () => {
  const { upload, stop, windDown, responses, outcome } = await sendingThree()
  void windDown.begin(2500)
  responses.get(1)?.give()
  await expect.poll(() => upload.told.finishing).toEqual([3, 2])
  stop.abort('pause')
  expect(await outcome).toEqual({ kind: 'stopped' })
  expect(upload.told.dropped).toBe(2 * PART)
})

test('a part that fails meanwhile is not tried again', async () => {
  const { upload, stop, windDown, responses, outcome } = await sendingThree()
  const ended = windDown.begin(2500)
  responses.get(1)?.refuse(refusal('SlowDown', 503))
  for (const number of [2, 3]) responses.get(number)?.give()
  await ended
  expect(upload.store.partsSent()).toHaveLength(3)
  stop.abort('pause')
  expect(await outcome).toEqual({ kind: 'stopped' })
})
