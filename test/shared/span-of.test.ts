import { expect, it } from 'vitest'
import { spanOf } from '../../shared/transfer/span-of.ts'

it('is from when the first began to when the last ended', () => {
  const rows = [
    { activeMs: 100, finishedAtMs: 1000 },
    { activeMs: 300, finishedAtMs: 1500 },
  ]
  expect(spanOf(rows)).toBe(600)
})

it('is no shorter than what the longest took, and that where it is not known when one ended', () => {
  expect(spanOf([{ activeMs: 700, finishedAtMs: 900 }])).toBe(700)
  const unknown = [
    { activeMs: 700, finishedAtMs: null },
    { activeMs: 300, finishedAtMs: 5000 },
  ]
  expect(spanOf(unknown)).toBe(700)
})

it('adds up a list of any length', () => {
  const rows = Array.from({ length: 500_000 }, (_, index) => ({ activeMs: 10, finishedAtMs: 1000 + index }))
  expect(spanOf(rows)).toBe(500_009)
})
