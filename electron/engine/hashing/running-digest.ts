import { createHash } from 'node:crypto'
import { crc32 } from '../../checksums/crc32.ts'
import type { DigestAlgorithm } from '../core/deps.ts'
import { createCrc, type RunningDigest } from './reflected-crc.ts'

/** Begins a digest, with Node's own code where there is some. */
export function beginDigest(algorithm: DigestAlgorithm): RunningDigest {
  switch (algorithm) {
    case 'crc32':
      return beginCrc32()
    case 'crc32c':
    case 'crc64nvme':
      return createCrc(algorithm)
    case 'md5':
    case 'sha1':
    case 'sha256':
      return createHash(algorithm)
  }
}

function beginCrc32(): RunningDigest {
  let sum = 0
  return {
    update(bytes) {
      sum = crc32(bytes, sum)
    },
    digest: () => sum.toString(16).padStart(8, '0'),
  }
}
