import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ASK_AGAIN_MS, openQuestion } from '../../../renderer/state/open-question.ts'
import type { Question } from '../../../renderer/state/ui/dialog.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function begin() {
  let stake = 0
  const listeners = new Set<() => void>()
  const ask = (): Question | null =>
    stake < 0
      ? null
      : { title: 'Remove?', body: `${stake}`, safeLabel: 'Cancel', confirmLabel: 'Remove', onConfirm: () => undefined }
  const again = vi.fn(ask)
  const asked: Question = { title: '', body: 'at first', safeLabel: '', confirmLabel: '', onConfirm: vi.fn(), again }
  const open = openQuestion(asked, (listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  })
  const told = vi.fn()
  const change = (to: number): void => {
    stake = to
    for (const listener of listeners) listener()
  }
  return { again, open, told, change, leave: open.follow(told), listeners }
}

it('is asked again once, however often what is at stake changes meanwhile', () => {
  const { again, open, told, change } = begin()
  for (let stake = 1; stake <= 100; stake += 1) change(stake)
  expect([again.mock.calls.length, open.latest()?.body]).toEqual([0, 'at first'])
  vi.advanceTimersByTime(ASK_AGAIN_MS)
  expect([again.mock.calls.length, told.mock.calls.length, open.latest()?.body]).toEqual([1, 1, '100'])
  vi.advanceTimersByTime(ASK_AGAIN_MS)
  expect(again).toHaveBeenCalledTimes(1)
})

it('is answered as it is by now', () => {
  const { open, change } = begin()
  change(7)
  expect(open.now()?.body).toBe('7')
  change(-1)
  expect(open.now()).toBeNull()
})

it('follows nothing once it is left', () => {
  const { again, change, leave, listeners } = begin()
  change(1)
  leave()
  vi.advanceTimersByTime(ASK_AGAIN_MS)
  expect([again.mock.calls.length, listeners.size]).toEqual([0, 0])
})
