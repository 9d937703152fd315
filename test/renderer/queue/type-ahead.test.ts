import { expect, it } from 'vitest'
import { createTypeAhead } from '../../../renderer/queue/type-ahead.ts'

const NAMES: Readonly<Record<string, string>> = { a: 'Film 1.mov', b: 'notes.txt', c: 'film 2.mov', d: 'first.mov' }

function typeAhead() {
  let nowMs = 0
  const type = createTypeAhead(
    () => nowMs,
    (id) => NAMES[id] ?? '',
  )
  return {
    type: (letter: string, current: string) => type(letter, Object.keys(NAMES), current),
    wait: () => (nowMs += 1000),
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
