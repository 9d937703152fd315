import { expect, onTestFinished, test, vi } from 'vitest'
import { waitAtMost } from '../../electron/async/wait-at-most.ts'
import { createFakeClock } from '../support/fakes/fake-clock.ts'

test('returns what comes in time, and leaves no timer behind', async () => {
  const clock = createFakeClock()
  expect(await waitAtMost(1000, Promise.resolve('done'), clock)).toBe('done')
  await expect(waitAtMost(1000, Promise.reject(new Error('EIO')), clock)).rejects.toThrow('EIO')
  await new Promise(setImmediate)
  expect(clock.sleeping).toBe(0)
})

test('waits no longer for what takes longer, whose failure is not left unhandled', async () => {
  const unhandled = vi.fn()
  process.on('unhandledRejection', unhandled)
  onTestFinished(() => void process.off('unhandledRejection', unhandled))
  const clock = createFakeClock()
  let fail: (error: Error) => void = () => undefined
  const waited = waitAtMost(1000, new Promise<never>((_, reject) => (fail = reject)), clock)
  await clock.advance(1000)
  expect(await waited).toBeNull()
  fail(new Error('EIO'))
  await new Promise(setImmediate)
  expect(unhandled).not.toHaveBeenCalled()
})
