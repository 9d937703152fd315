import { expect, it } from 'vitest'
import { rowsMoved } from '../../../renderer/objects/rows-moved.ts'
import type { Entry } from '../../../renderer/state/objects/listing.ts'

const entries = (...keys: readonly string[]): readonly Entry[] =>
  keys.map((key) => ({ kind: 'object', key, name: key, sizeBytes: 1, modifiedMs: 1, etag: '' }))

it('follows the first of the kept rows that is still there', () => {
  const before = entries('a', 'c', 'd', 'e')
  expect(rowsMoved(before, entries('a', 'b', 'c', 'd', 'e'), [1, 2])).toBe(1)
  expect(rowsMoved(before, entries('a', 'c', 'd', 'e', 'f'), [1, 2])).toBe(0)
  // The row that matters most is gone.
  expect(rowsMoved(before, entries('a', 'd', 'e'), [1, 2])).toBe(-1)
  expect(rowsMoved(before, entries('x'), [1, 2, 7])).toBe(0)
})
