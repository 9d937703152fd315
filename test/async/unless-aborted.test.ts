import { expect, onTestFinished, test, vi } from 'vitest'
import { unlessAborted } from '../../electron/async/unless-aborted.ts'

test.each([
  ['before', true],
  ['meanwhile', false],
])('a failure after a stop that came %s is not left unhandled', async (_, isStopped) => {
  const unhandled = vi.fn()
  process.on('unhandledRejection', unhandled)
  onTestFinished(() => void process.off('unhandledRejection', unhandled))
  const controller = new AbortController()
  if (isStopped) controller.abort('pause')
  let fail: (error: Error) => void = () => undefined
  const work = new Promise<never>((_, reject) => (fail = reject))
  const answer = unlessAborted(work, controller.signal)
  controller.abort('pause')
  await expect(answer).rejects.toBe('pause')
  fail(new Error('EIO'))
  await new Promise(setImmediate)
  expect(unhandled).not.toHaveBeenCalled()
})
