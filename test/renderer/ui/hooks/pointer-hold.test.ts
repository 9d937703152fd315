import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createPointerHold, HOLD_MS } from '../../../../renderer/ui/hooks/pointer-hold.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const HERE = { screenX: 10, screenY: 10 }
const THERE = { screenX: 11, screenY: 10 }

function begin() {
  let held: string | null = null
  const hold = createPointerHold((id) => (held = id))
  return { hold, held: () => held }
}

it('holds what the pointer is over until some seconds after it last moved', () => {
  const { hold, held } = begin()
  hold.over('a', HERE)
  vi.advanceTimersByTime(HOLD_MS - 1)
  hold.over('a', THERE)
  vi.advanceTimersByTime(HOLD_MS - 1)
  expect(held()).toBe('a')
  vi.advanceTimersByTime(1)
  expect(held()).toBeNull()
})

it('is not begun anew by a list that moves under a pointer that rests', () => {
  const { hold, held } = begin()
  hold.over('a', HERE)
  vi.advanceTimersByTime(HOLD_MS - 1)
  hold.over('b', HERE)
  expect(held()).toBe('b')
  vi.advanceTimersByTime(1)
  expect(held()).toBeNull()
  hold.over('a', HERE)
  expect(held()).toBeNull()
  hold.pressed('a', HERE)
  expect(held()).toBe('a')
})

it('ends with a key, until the pointer moves again', () => {
  const { hold, held } = begin()
  hold.over('a', HERE)
  hold.end()
  hold.over('a', HERE)
  expect(held()).toBeNull()
  hold.over('a', THERE)
  expect(held()).toBe('a')
})
