import { expect, test, vi } from 'vitest'
import type * as Limits from '../../../shared/limits.ts'
import { createUploadDesk } from '../../support/window/upload-desk.ts'
import { abort, complete, refusal } from './upload-case.ts'

// The client's own patience with a Complete, by the system's clock.
vi.mock('../../../shared/limits.ts', async (original) => ({
  ...(await original<typeof Limits>()),
  COMPLETE_TIMEOUT_BASE_MS: 300,
  COMPLETE_TIMEOUT_PER_PART_MS: 0,
}))

const MINUTE_MS = 60_000

test('T43: Complete takes longer than the client waits for it: no abort, then done', async () => {
  const desk = await createUploadDesk()
  let waitedMs = 0
  desk.clock.onWaited = async () => {
    waitedMs = desk.clock.monotonicMs()
    if (waitedMs < 6 * MINUTE_MS) return
    desk.clock.onWaited = () => undefined
    await desk.others.complete()
    busy.remove()
  }
  // One that was given up before its bytes were here was not the one.
  const silent = desk.proxy.rule({
    when: { ...complete, test: () => silent.hits === 0 },
    fault: { kind: 'stall', at: 'sent' },
  })
  const busy = desk.proxy.rule({ when: { ...complete, test: () => silent.hits > 0 }, fault: refusal(503, 'SlowDown') })
  const app = await desk.open()
  await app.until(await app.upload(), { status: 'completed', verification: 'etag-multipart' })
  expect(silent.hits).toBe(1)
  expect(waitedMs).toBeGreaterThanOrEqual(6 * MINUTE_MS)
  expect((await desk.others.content())?.equals(desk.bytes)).toBe(true)
  expect(await desk.others.uploadIds()).toEqual([])
  expect(desk.proxy.requests(abort)).toEqual([])
})
