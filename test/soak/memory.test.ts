import { expect, it } from 'vitest'
import { growthOf, type MemorySample } from './memory.ts'

const MB = 1_000_000
const samples = (bytesAt: (index: number) => number): MemorySample[] =>
  Array.from({ length: 60 }, (_, index) => ({ atMs: index * 5000, bytes: bytesAt(index) }))

it('sees what grows by little at a time', () => {
  const growth = growthOf(samples((index) => 100 * MB + index * MB))
  expect(growth?.growthBytes).toBeCloseTo(39 * MB)
})

it('sees no growth in what goes up and down, was high once, or grew at first', () => {
  const flat = samples((index) => 100 * MB + (index % 2) * 30 * MB + (index === 50 ? 900 * MB : 0))
  expect(Math.abs(growthOf(flat)?.growthBytes ?? NaN)).toBeLessThan(MB)
  expect(growthOf(samples((index) => Math.min(index, 20) * 10 * MB))?.growthBytes).toBe(0)
})

it('says nothing of a few samples', () => {
  expect(growthOf(samples(() => MB).slice(0, 10))).toBeNull()
})
