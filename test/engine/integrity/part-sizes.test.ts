import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findPartSizes } from '../../../electron/engine/integrity/part-sizes.ts'

/** Asks about parts of these sizes, of which the service tells some. */
async function ask(sizes: readonly number[], isTold: (partNumber: number) => boolean = () => true, hasList = false) {
  const asked: number[] = []
  const sizeBytes = sizes.reduce((sum, size) => sum + size, 0)
  const found = await findPartSizes(sizeBytes, sizes.length, {
    sizeOf(partNumber) {
      asked.push(partNumber)
      return Promise.resolve(isTold(partNumber) ? (sizes[partNumber - 1] ?? null) : null)
    },
    listed: () => Promise.resolve(hasList ? sizes : null),
  })
  return { found, asked }
}

const times = (count: number, size: number) => Array.from({ length: count }, () => size)

test('finds parts of any sizes that differ now and then, asks about none twice, and never more than a thousand', async () => {
  const runs = fc.array(fc.tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 9 })), {
    minLength: 1,
    maxLength: 6,
  })
  await fc.assert(
    fc.asyncProperty(runs, async (lengths) => {
      const sizes = lengths.flatMap(([count, size]) => times(count, size))
      const { found, asked } = await ask(sizes)
      expect(new Set(asked).size).toBe(asked.length)
      // Other sizes that add up to the same are possible: then the ETag tells.
      expect(found).toHaveLength(sizes.length)
      expect((found as number[]).reduce((sum, size) => sum + size, 0)).toBe(sizes.reduce((sum, size) => sum + size, 0))
    }),
  )
})

test('few questions are enough for parts of one size, or of few', async () => {
  expect(await ask([7])).toEqual({ found: [7], asked: [] })
  expect((await ask([9, 1])).asked).toEqual([1, 2])
  expect((await ask([...times(9_999, 8), 3])).asked).toEqual([1, 9_999, 10_000])
  const one = await ask([1, ...times(9_998, 8), 3])
  expect(one.found).toEqual([1, ...times(9_998, 8), 3])
  expect(one.asked.length).toBeLessThan(20)
})

test('a part in the middle that differs from its neighbors is found by what is missing', async () => {
  const sizes = [...times(5, 8), 7, ...times(5, 8), 3]
  expect((await ask(sizes)).found).toEqual(sizes)
})

test('sizes that are not told, or not of parts, are none', async () => {
  expect((await ask([5, 5, 5], () => false)).found).toBe('untold')
  expect((await ask([5, 5, 5], (partNumber) => partNumber === 1)).found).toBe('untold')
  const whole = await findPartSizes(15, 3, { sizeOf: () => Promise.resolve(15), listed: () => Promise.resolve(null) })
  expect(whole).toBe('untold')
  const wrong = await findPartSizes(15, 3, { sizeOf: () => Promise.resolve(4), listed: () => Promise.resolve(null) })
  expect(wrong).toBe('untold')
})

test('many different sizes are taken from a list, or not asked about', async () => {
  const sizes = Array.from({ length: 2_000 }, (_, index) => 1_000_000 + ((index * 7919) % 1009))
  const listed = await ask(sizes, () => true, true)
  expect(listed.found).toEqual(sizes)
  expect(listed.asked.length).toBeLessThanOrEqual(32)
  const unlisted = await ask(sizes)
  expect(unlisted.found).toBe('uneven')
  expect(unlisted.asked.length).toBeLessThanOrEqual(1000)
})
