import { expect, test } from 'vitest'
import { niceCeiling, sparklinePaths } from '../../../renderer/inspector/sparkline-path.ts'

test('the scale snaps to 1, 2 and 5', () => {
  expect([0, 0.7, 1, 1.1, 3, 48.2e6, 50e6, 51e6].map(niceCeiling)).toEqual([1, 1, 1, 2, 5, 50e6, 50e6, 100e6])
})

test('samples end at the right edge, and a pause is a gap', () => {
  const { line, area } = sparklinePaths([10, 5, null, 10], 5, 10, 100, 40)
  expect(line).toBe('M25.0 0.0L50.0 20.0M100.0 0.0')
  expect(area).toBe('M25.0 40L25.0 0.0L50.0 20.0L50.0 40ZM100.0 40L100.0 0.0L100.0 40Z')
})

test('nothing yet is an empty path', () => {
  expect(sparklinePaths([], 60, 1, 100, 40)).toEqual({ line: '', area: '' })
})
