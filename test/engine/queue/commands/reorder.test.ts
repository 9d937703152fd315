import { expect, it } from 'vitest'
import { reorder, type Positioned } from '../../../../electron/engine/queue/commands/reorder.ts'

const queue: readonly Positioned[] = ['a', 'b', 'c', 'd'].map((id, index) => ({ id, position: index + 1 }))

/** The ids in their order after a move. */
function after(moved: readonly string[], before: string | null, from = queue): string {
  const changed = reorder(from, new Set(moved), before)
  const now = from.map(({ id, position }) => ({ id, position: changed.get(id) ?? position }))
  return now
    .sort((left, right) => left.position - right.position)
    .map(({ id }) => id)
    .join('')
}

it('moves to the top, to the end and before any other, and keeps the order of those that move', () => {
  expect(after(['c'], 'a')).toBe('cabd')
  expect(after(['b', 'd'], 'a')).toBe('bdac')
  expect(after(['a'], null)).toBe('bcda')
  expect(after(['d'], 'c')).toBe('abdc')
  expect(after(['a', 'b'], 'd')).toBe('cabd')
})

it('leaves everything where it is when it is moved before itself, and all when nothing is', () => {
  expect(after(['b'], 'b')).toBe('abcd')
  expect(after([], 'a')).toBe('abcd')
  expect(after(['gone'], 'a')).toBe('abcd')
})

it('renumbers everything once there is no room between two', () => {
  let now = queue
  for (let turn = 0; turn < 200; turn += 1) {
    const moved = turn % 2 === 0 ? 'b' : 'c'
    const changed = reorder(now, new Set([moved]), turn % 2 === 0 ? 'c' : 'b')
    now = now
      .map(({ id, position }) => ({ id, position: changed.get(id) ?? position }))
      .sort((left, right) => left.position - right.position)
    const positions = now.map(({ position }) => position)
    expect(new Set(positions).size).toBe(4)
  }
  expect(now[0]?.id).toBe('a')
})
