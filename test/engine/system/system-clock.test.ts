import { expect, test } from 'vitest'
import { createSystemClock } from '../../../electron/engine/system/system-clock.ts'

test('sleep takes at least as long as asked for', async () => {
  const clock = createSystemClock()
  const startedAtMs = clock.monotonicMs()
  await clock.sleep(20, new AbortController().signal)
  expect(clock.monotonicMs() - startedAtMs).toBeGreaterThanOrEqual(19)
})

test('an aborted sleep rejects with the reason itself, before or meanwhile, however long it was', async () => {
  const clock = createSystemClock()
  await expect(clock.sleep(10, AbortSignal.abort('pause'))).rejects.toBe('pause')
  const controller = new AbortController()
  const sleeping = clock.sleep(2 ** 40, controller.signal)
  controller.abort('close')
  await expect(sleeping).rejects.toBe('close')
})
