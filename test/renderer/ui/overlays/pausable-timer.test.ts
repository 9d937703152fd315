import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { createPausableTimer } from '../../../../renderer/ui/overlays/pausable-timer.ts'

beforeEach(() => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
})

it('acts once its time has passed, pauses not counted, and not before', () => {
  const act = vi.fn()
  const timer = createPausableTimer(act, 8000)
  timer.resume()
  vi.advanceTimersByTime(5000)
  timer.pause()
  vi.advanceTimersByTime(60_000)
  expect(act).not.toHaveBeenCalled()
  timer.resume()
  vi.advanceTimersByTime(2999)
  timer.pause()
  timer.resume()
  expect(act).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(act).toHaveBeenCalledOnce()
})

it('counts no time twice when it is paused or resumed again', () => {
  const act = vi.fn()
  const timer = createPausableTimer(act, 1000)
  timer.pause()
  timer.resume()
  vi.advanceTimersByTime(400)
  timer.resume()
  vi.advanceTimersByTime(599)
  expect(act).not.toHaveBeenCalled()
  timer.pause()
  timer.pause()
  timer.resume()
  vi.advanceTimersByTime(1)
  expect(act).toHaveBeenCalledOnce()
})
