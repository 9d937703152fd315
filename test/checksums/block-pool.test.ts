import { afterEach, describe, expect, test, vi } from 'vitest'
import { BlockPool } from '../../electron/checksums/block-pool.ts'

const BLOCK = 1000
const together = (): Uint8Array[] => {
  const buffer = new ArrayBuffer(4 * BLOCK)
  return [0, 1, 2, 3].map((index) => new Uint8Array(buffer, index * BLOCK, BLOCK))
}
const apart = (): Uint8Array[] => [0, 1, 2, 3].map(() => new Uint8Array(BLOCK))
const taken = (pool: BlockPool, count: number): Uint8Array[] => Array.from({ length: count }, () => pool.take())

afterEach(() => {
  vi.restoreAllMocks()
  vi.resetModules()
})

describe.each([
  ['that share memory', together],
  ['each by itself', apart],
])('of blocks %s', (_, allocate) => {
  test('no more memory is kept than is said, whichever come back last', () => {
    const pool = new BlockPool(allocate)
    const blocks = taken(pool, 32)
    for (let from = 0; from < 4; from += 1)
      for (let index = from; index < 32; index += 4) pool.give(blocks[index] as Uint8Array)
    expect(pool.idleBytes).toBe(32 * BLOCK)
    pool.trim(9 * BLOCK)
    expect(pool.idleBytes).toBeLessThanOrEqual(9 * BLOCK)
    expect(pool.idleBytes).toBeGreaterThanOrEqual(8 * BLOCK)
  })

  test('those are taken again that came back', () => {
    const pool = new BlockPool(allocate)
    const blocks = taken(pool, 4)
    for (const block of blocks) pool.give(block)
    expect(new Set(taken(pool, 4))).toEqual(new Set(blocks))
  })
})

test('a group with a block in use is not idle, and gives the next blocks', () => {
  const pool = new BlockPool(together)
  const blocks = taken(pool, 8)
  const [used, ...others] = blocks
  for (const block of others) pool.give(block)
  expect(pool.idleBytes).toBe(4 * BLOCK)
  expect(taken(pool, 3).every(({ buffer }) => buffer === used?.buffer)).toBe(true)
})

test('where WebAssembly gains nothing, a block keeps no memory but its own', async () => {
  vi.spyOn(WebAssembly, 'validate').mockReturnValue(false)
  vi.resetModules()
  const { allocateBlocks } = await import('../../electron/checksums/block-memory.ts')
  expect(allocateBlocks(4, BLOCK).map(({ buffer }) => buffer.byteLength)).toEqual([BLOCK, BLOCK, BLOCK, BLOCK])
})
