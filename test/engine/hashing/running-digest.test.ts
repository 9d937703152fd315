import { createHash, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import type { DigestAlgorithm } from '../../../electron/engine/core/deps.ts'
import { beginDigest } from '../../../electron/engine/hashing/running-digest.ts'

/** The catalog's check values: digests of the text 123456789. */
const CHECKS: readonly (readonly [DigestAlgorithm, string])[] = [
  ['crc32', 'cbf43926'],
  ['crc32c', 'e3069283'],
  ['crc64nvme', 'ae8b14860a799888'],
  ['md5', '25f9e794323b453885f5181f1b624d0b'],
]

test.each(CHECKS)('%s matches the catalog of CRCs, in whatever blocks the bytes come', (algorithm, expected) => {
  const text = Buffer.from('123456789')
  for (let cut = 0; cut <= text.length; cut += 1) {
    const digest = beginDigest(algorithm)
    digest.update(text.subarray(0, cut))
    digest.update(text.subarray(cut))
    expect(digest.digest('hex')).toBe(expected)
  }
})

test.each(['crc32c', 'crc64nvme'] as const)('%s of long blocks is that of the same bytes one by one', (algorithm) => {
  const bytes = randomBytes(1000)
  const whole = beginDigest(algorithm)
  // Unaligned on purpose.
  whole.update(bytes.subarray(0, 3))
  whole.update(bytes.subarray(3))
  const single = beginDigest(algorithm)
  for (const byte of bytes) single.update(Uint8Array.of(byte))
  expect(whole.digest('hex')).toBe(single.digest('hex'))
})

test('each algorithm digests no bytes to its standard value', () => {
  const empty = (algorithm: DigestAlgorithm) => beginDigest(algorithm).digest('hex')
  expect(empty('crc32')).toBe('00000000')
  expect(empty('crc32c')).toBe('00000000')
  expect(empty('crc64nvme')).toBe('0000000000000000')
  expect(empty('sha1')).toBe(createHash('sha1').digest('hex'))
})
