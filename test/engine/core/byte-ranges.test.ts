import { expect, test } from 'vitest'
import { joined } from '../../../electron/engine/core/byte-ranges.ts'

test('adjacent and overlapping ranges are joined, whatever their order; ranges with a gap between them are not', () => {
  const ranges = [
    { start: 40, end: 50 },
    { start: 10, end: 20 },
    { start: 0, end: 10 },
    { start: 12, end: 30 },
  ]
  expect(joined(ranges)).toEqual([
    { start: 0, end: 30 },
    { start: 40, end: 50 },
  ])
  expect(
    joined([
      { start: 0, end: 10 },
      { start: 10, end: 20 },
    ]),
  ).toEqual([{ start: 0, end: 20 }])
})
