import { expect, test } from 'vitest'
import { uploadRank } from '../../../electron/engine/upload/rank.ts'
import { MIB } from '../../../shared/limits.ts'

const GIB = 1024 * MIB

test('bytes go by size of their file, then by its place in the queue, then by part', () => {
  const inOrder = [
    uploadRank(10 * MIB, 900_000),
    uploadRank(200 * GIB, 1, 1),
    uploadRank(200 * GIB, 1, 2),
    uploadRank(200 * GIB, 1, 10_000),
    uploadRank(300 * GIB, 2, 1),
    uploadRank(300 * GIB, 1_000_000, 9999),
    uploadRank(300 * GIB, 1_000_000, 10_000),
  ]
  expect(inOrder).toEqual([...inOrder].sort((a, b) => a - b))
  expect(new Set(inOrder).size).toBe(inOrder.length)
})
