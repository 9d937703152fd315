import { createHash, randomBytes, randomInt } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  createMd5Lanes,
  hasMd5Lanes,
  LANE_BYTES,
  MD5_LANES,
  md5Digest,
  startMd5,
} from '../../../electron/engine/hashing/md5-lanes.ts'

const EDGES = [0, 1, 55, 56, 57, 63, 64, 65, 119, 120, 128, LANE_BYTES - 1, LANE_BYTES, LANE_BYTES + 1]
const COUNTS = Array.from({ length: MD5_LANES }, (_, index) => index + 1)

/** Hashes all side by side, as much of each at a time as `pieceOf` says. */
function hashTogether(contents: readonly Uint8Array[], pieceOf: () => number): string[] {
  const lanes = createMd5Lanes()
  const streams = contents.map((content) => ({ content, stream: startMd5(), at: 0, isOver: false }))
  while (streams.some(({ isOver }) => !isOver)) {
    const fills = streams
      .filter(({ isOver }) => !isOver)
      .map((each, lane) => {
        const rest = each.content.length - each.at
        const piece = pieceOf()
        const sizeBytes = Math.min(rest, piece)
        lanes.slots[lane]?.set(each.content.subarray(each.at, each.at + sizeBytes))
        each.at += sizeBytes
        each.isOver = sizeBytes === rest
        return { stream: each.stream, sizeBytes, isLast: each.isOver }
      })
    lanes.hash(fills)
  }
  return streams.map(({ stream }) => md5Digest(stream))
}

const md5Of = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('hex')

test('this Node has what the lanes need', () => {
  expect(hasMd5Lanes()).toBe(true)
})

test.each(COUNTS)('%i streams of any length have the MD5s that OpenSSL gives them', (count) => {
  for (const edge of EDGES) {
    const contents = Array.from({ length: count }, (_, lane) =>
      randomBytes(lane === 0 ? edge : randomInt(3 * LANE_BYTES)),
    )
    expect(hashTogether(contents, () => LANE_BYTES)).toEqual(contents.map(md5Of))
  }
})

test('streams may come in pieces of any number of blocks, each its own', () => {
  const pieces = fc.infiniteStream(fc.nat(LANE_BYTES / 64))
  const lengths = fc.array(fc.nat(200_000), { minLength: 1, maxLength: MD5_LANES })
  fc.assert(
    fc.property(lengths, pieces, (sizes, blocks) => {
      const contents = sizes.map((size) => randomBytes(size))
      expect(hashTogether(contents, () => 64 * blocks.next().value)).toEqual(contents.map(md5Of))
    }),
    { numRuns: 50 },
  )
})

test('a length that takes more than 32 bits is counted whole', () => {
  const [lanes, stream] = [createMd5Lanes(), startMd5()]
  lanes.slots[0]?.fill('x'.charCodeAt(0))
  for (let bytes = 0; bytes < 2 ** 29 + LANE_BYTES; bytes += LANE_BYTES) {
    lanes.hash([{ stream, sizeBytes: LANE_BYTES, isLast: false }])
  }
  lanes.hash([{ stream, sizeBytes: 0, isLast: true }])
  // Of 2^29 + 2^15 times "x", by OpenSSL.
  expect(md5Digest(stream)).toBe('af3f912dba9a031e1565ae623797d4ef')
})
