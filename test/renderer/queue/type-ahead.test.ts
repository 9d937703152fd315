import { expect, it, onTestFinished, vi } from 'vitest'
import { createTypeAhead } from '../../../renderer/queue/type-ahead.ts'

const NAMES: Readonly<Record<string, string>> = { a: 'Film 1.mov', b: 'notes.txt', c: 'film 2.mov', d: 'first.mov' }

function typeAhead() {
  let timeStamp = 0
  const type = createTypeAhead((id) => NAMES[id] ?? '')
  return {
    type: (key: string, current: string) => type({ key, timeStamp }, Object.keys(NAMES), current),
    wait: () => (timeStamp += 1000),
  }
}

it('goes to the next row that begins with a letter, round the list', () => {
  const { type, wait } = typeAhead()
  expect(type('f', 'a')).toBe('c')
  wait()
  expect(type('f', 'd')).toBe('a')
  wait()
  expect(type('x', 'd')).toBeNull()
})

it('takes letters that follow each other for one word', () => {
  const { type } = typeAhead()
  expect(type('f', 'b')).toBe('c')
  expect(type('i', 'c')).toBe('c')
  expect(type('r', 'c')).toBe('d')
})

it('takes letters for one word that were pressed together, however late a busy window comes to them', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { type } = typeAhead()
  type('f', 'b')
  type('i', 'c')
  vi.advanceTimersByTime(5000)
  expect(type('r', 'c')).toBe('d')
})
