import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MIB } from '../../../shared/limits.ts'
import { partSizesFor } from '../../../electron/engine/integrity/verification-goal.ts'

test('candidates fit the number of parts, and there are few', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 5 * 1024 ** 4 }), fc.integer({ min: 1, max: 10_000 }), (sizeBytes, count) => {
      const candidates = partSizesFor(sizeBytes, count)
      expect(candidates.length).toBeLessThanOrEqual(3)
      for (const partSizeBytes of candidates) {
        expect(Math.max(1, Math.ceil(sizeBytes / partSizeBytes))).toBe(count)
      }
    }),
  )
})

test('a part size in whole MiB is found whenever many parts leave no choice', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 5, max: 64 }),
      fc.integer({ min: 70, max: 10_000 }),
      fc.nat(MIB),
      (mib, parts, rest) => {
        const sizeBytes = (parts - 1) * mib * MIB + 1 + rest
        expect(partSizesFor(sizeBytes, parts)).toContain(mib * MIB)
      },
    ),
  )
})

test('common part sizes come first', () => {
  expect(partSizesFor(20 * MIB, 2)).toEqual([16 * MIB, 10 * MIB, 15 * MIB])
  expect(partSizesFor(100, 1)).toEqual([100])
  expect(partSizesFor(0, 1)).toEqual([1])
  expect(partSizesFor(3, 10)).toEqual([])
})
