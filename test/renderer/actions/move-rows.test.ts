import { expect, it } from 'vitest'
import { targetOf } from '../../../renderer/actions/move-rows.ts'

const shown = ['a', 'b', 'c', 'd']

it('moves one up, down, to the top and to the bottom', () => {
  expect(targetOf(shown, ['c'], 'up')).toBe('b')
  expect(targetOf(shown, ['b'], 'down')).toBe('d')
  expect(targetOf(shown, ['c'], 'down')).toBeNull()
  expect(targetOf(shown, ['c'], 'top')).toBe('a')
  expect(targetOf(shown, ['a'], 'bottom')).toBeNull()
})

it('moves several together, even from the top when they are apart', () => {
  expect(targetOf(shown, ['b', 'd'], 'up')).toBe('a')
  expect(targetOf(shown, ['a', 'c'], 'up')).toBe('a')
  expect(targetOf(shown, ['a', 'c'], 'down')).toBeNull()
})

it('leaves what is there already', () => {
  expect(targetOf(shown, ['a', 'b'], 'top')).toBeUndefined()
  expect(targetOf(shown, ['d'], 'down')).toBeUndefined()
  expect(targetOf(shown, [], 'up')).toBeUndefined()
})
