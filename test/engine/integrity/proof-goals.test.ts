import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MIB, MIN_PART_SIZE_BYTES } from '../../../shared/limits.ts'
import { partSizesFor } from '../../../electron/engine/integrity/proof-goals.ts'
import { planUpload } from '../../../electron/engine/multipart/part-plan.ts'

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

test.each([
  ['a service that takes parts of 5 MiB', MIN_PART_SIZE_BYTES - 1],
  ['one whose parts must be larger', MIN_PART_SIZE_BYTES],
])('what Sluice cut for %s is among the candidates, whatever it knew of the line', (_, minPartSizeBytes) => {
  const sizes = fc.integer({ min: 17 * MIB, max: 20_000 * MIB })
  const rates = fc.option(fc.integer({ min: MIB / 8, max: 200 * MIB }))
  fc.assert(
    fc.property(sizes, rates, (sizeBytes, uplinkBytesPerSecond) => {
      const plan = planUpload(sizeBytes, { partSizeBytes: null, minPartSizeBytes, uplinkBytesPerSecond })
      // Of a few large parts several sizes come to the same number.
      if (plan.partCount < Math.sqrt(sizeBytes / (MIB / 16))) return
      expect(partSizesFor(sizeBytes, plan.partCount)).toContain(plan.partSizeBytes)
    }),
  )
})
