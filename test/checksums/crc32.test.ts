import { randomFillSync } from 'node:crypto'
import { crc32 as zlibCrc32 } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { allocateBlocks, foldedForCrc32 } from '../../electron/checksums/block-memory.ts'
import { crc32 } from '../../electron/checksums/crc32.ts'

const BLOCK_BYTES = 300_000
const blocks = allocateBlocks(3, BLOCK_BYTES)
for (const block of blocks) randomFillSync(block)

describe('crc32', () => {
  it('is that of zlib for any piece of any block, whatever it goes on from, and leaves the bytes alone', () => {
    const piece = fc.record({
      block: fc.constantFrom(...blocks),
      start: fc.integer({ min: 0, max: BLOCK_BYTES - 1 }),
      size: fc.integer({ min: 0, max: BLOCK_BYTES }),
      previous: fc.integer({ min: 0, max: 0xffff_ffff }),
    })
    fc.assert(
      fc.property(piece, ({ block, start, size, previous }) => {
        const data = block.subarray(start, start + size)
        const copy = Buffer.from(data)
        const expected = copy.length === 0 ? previous : zlibCrc32(copy, previous)
        expect(crc32(data, previous)).toBe(expected)
        expect(copy.equals(data)).toBe(true)
      }),
      { numRuns: 400 },
    )
  })

  it('is that of zlib around the sizes at which a step more is folded', () => {
    const [first] = blocks
    for (let size = 32 * 1024 - 2; size < 33 * 1024; size += 1) {
      const data = (first as Uint8Array).subarray(7, 7 + size)
      expect(crc32(data, size)).toBe(zlibCrc32(data, size))
    }
  })

  it('folds bytes of blocks, and only those', () => {
    const [first] = blocks
    expect(foldedForCrc32(first as Uint8Array, 0)?.length).toBeLessThan(5000)
    expect(foldedForCrc32(Buffer.alloc(BLOCK_BYTES), 0)).toBeNull()
  })
})
