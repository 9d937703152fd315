import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rangeLength } from '../../../shared/byte-range.ts'
import type { RangeRecord } from '../../../electron/engine/core/records.ts'
import { joined, missingRanges, splitAtUnits, totalLength } from '../../../electron/engine/core/byte-ranges.ts'
import { crc32, crc32Combine } from '../../../electron/checksums/crc32.ts'
import { ClaimSet, disjointClaims, MAX_CLAIM_BYTES } from '../../../electron/engine/partial-file/claims.ts'

const bytes = fc.uint8Array({ maxLength: 300 })

test('the CRC of two pieces is the CRC of the whole', () => {
  fc.assert(
    fc.property(bytes, bytes, (a, b) => {
      expect(crc32Combine(crc32(a), crc32(b), b.length)).toBe(crc32(Buffer.concat([a, b])))
    }),
  )
})

test('an empty piece changes no CRC', () => {
  expect(crc32(new Uint8Array(0), 5)).toBe(5)
  expect(crc32Combine(5, crc32(new Uint8Array(0)), 0)).toBe(5)
})

test('the CRC of two pieces is that of the whole for lengths beyond 32 bits', () => {
  const zeros = Buffer.alloc(1024 * 1024)
  let sum = 0
  for (let count = 0; count < 1024; count += 1) sum = crc32(zeros, sum)
  let combined = crc32(Buffer.from('a'))
  let stepwise = combined
  for (let count = 0; count < 5; count += 1) stepwise = crc32Combine(stepwise, sum, 2 ** 30)
  let rest = 0
  for (let count = 0; count < 5; count += 1) rest = crc32Combine(rest, sum, 2 ** 30)
  combined = crc32Combine(combined, rest, 5 * 2 ** 30)
  expect(combined).toBe(stepwise)
})

/** Disjoint ranges over some content, in any order, in two rounds. */
const rounds = fc
  .record({
    content: fc.uint8Array({ minLength: 1, maxLength: 200 }),
    cuts: fc.array(fc.nat(200), { maxLength: 20 }),
    order: fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(2)), { minLength: 30, maxLength: 30 }),
  })
  .map(({ content, cuts, order }) => {
    const borders = [...new Set([0, content.length, ...cuts.filter((cut) => cut < content.length)])].sort(
      (a, b) => a - b,
    )
    const ranges = borders.slice(1).map((end, index) => claimOf(content, borders[index] ?? 0, end))
    const shuffled = ranges
      .map((range, index) => ({ range, rank: order[index]?.[0] ?? 0, round: order[index]?.[1] ?? 0 }))
      .sort((a, b) => a.rank - b.rank)
    return {
      content,
      added: [0, 1].map((round) => shuffled.filter((entry) => entry.round === round).map(({ range }) => range)),
    }
  })

test('merging keeps exactly the bytes that were added, and right CRCs; the table follows', () => {
  fc.assert(
    fc.property(rounds, ({ content, added }) => {
      const table = new Map<number, RangeRecord>()
      const claims = new ClaimSet()
      for (const pieces of added) {
        const change = claims.changeBy(pieces)
        for (const range of change.changed) table.set(range.start, range)
        claims.apply(change)
        expect(disjointClaims([...table.values()]).claims).toEqual(claims.all)
        for (const start of change.absorbed) table.delete(start)
        expect([...table.values()].sort((a, b) => a.start - b.start)).toEqual(claims.all)
        expect(claims.joined).toEqual(joined(claims.all))
      }
      const whole = { start: 0, end: content.length }
      const all = added.flat().sort((a, b) => a.start - b.start)
      expect(missingRanges(claims.all, whole)).toEqual(missingRanges(all, whole))
      for (const claim of claims.all) expect(claim).toEqual(claimOf(content, claim.start, claim.end))
    }),
  )
})

test('a range is covered where none of it is missing, and overlaps where some of it is not', () => {
  const sides = fc.tuple(fc.nat(220), fc.nat(220)).map(([a, b]) => ({ start: Math.min(a, b), end: Math.max(a, b) + 1 }))
  fc.assert(
    fc.property(rounds, sides, ({ added }, range) => {
      const claims = new ClaimSet()
      for (const pieces of added) claims.add(pieces)
      const missing = totalLength(missingRanges(claims.all, range))
      expect(claims.covers(range)).toBe(missing === 0)
      expect(claims.overlaps(range)).toBe(missing < rangeLength(range))
    }),
  )
})

test('bytes are claimed once', () => {
  const claims = new ClaimSet([{ start: 10, end: 20, crc32: 0 }])
  for (const [start, end] of [
    [5, 11],
    [12, 13],
    [19, 25],
    [5, 25],
  ] as const)
    expect(() => claims.changeBy([{ start, end, crc32: 0 }])).toThrow()
})

test('a claim does not grow beyond 64 MiB', () => {
  const half = MAX_CLAIM_BYTES / 2
  const pieces = [0, 1, 2].map((index) => ({ start: index * half, end: (index + 1) * half, crc32: 0 }))
  const claims = new ClaimSet()
  claims.add(pieces)
  expect(claims.all.map((range) => range.end)).toEqual([MAX_CLAIM_BYTES, 3 * half])
})

test('what is missing and what is there make up the whole, in units', () => {
  fc.assert(
    fc.property(rounds, fc.integer({ min: 1, max: 50 }), ({ content, added }, unit) => {
      const there = (added[0] ?? []).toSorted((a, b) => a.start - b.start)
      const missing = splitAtUnits(missingRanges(there, { start: 0, end: content.length }), unit)
      expect(totalLength(missing) + totalLength(there)).toBe(content.length)
      for (const range of missing) {
        expect(Math.floor(range.start / unit)).toBe(Math.floor((range.end - 1) / unit))
      }
    }),
  )
})

function claimOf(content: Uint8Array, start: number, end: number): RangeRecord {
  return { start, end, crc32: crc32(content.subarray(start, end)) }
}
