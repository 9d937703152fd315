import type { ByteRange } from '../../../shared/byte-range.ts'
import { MIB, USUAL_PART_BYTES } from '../../../shared/limits.ts'
import type { Verification } from '../../../shared/transfer/transfer.ts'
import type { ObjectDigests } from '../../stores/port/object-store.ts'
import type { ObjectIdentity } from '../core/records.ts'
import { md5OfEtag } from './etag.ts'

/** What would prove that a file equals an object. */
export type ProofGoal =
  /** A hash of the whole content. Where `isCertain` is false, another value proves nothing: it may be no hash at all. */
  | {
      readonly kind: 'whole'
      readonly algorithm: 'md5' | 'sha256'
      readonly expected: string
      readonly proves: Verification
      readonly isCertain: boolean
    }
  /** The MD5 of the MD5s of parts, whose size has to be found: likeliest first. */
  | { readonly kind: 'parts'; readonly expected: string; readonly partSizes: readonly number[] }
  /**
   * The CRC-32 of the whole content, which follows from those of its ranges. It may be of something else after all: where
   * it does not fit, `otherwise` may still prove the content.
   */
  | { readonly kind: 'crc'; readonly expected: number; readonly otherwise: ProofGoal | null }

const MULTIPART = /^([0-9a-f]{32})-([1-9][0-9]{0,4})$/i

/** Part sizes of common programs, bytes, most common first; our own is the second. */
const COMMON_PART_BYTES = [
  8 * MIB,
  USUAL_PART_BYTES,
  ...[16, 5, 64, 32, 10, 100, 128, 50, 15, 25, 20, 512].map((mib) => mib * MIB),
]
/** Each candidate may cost a read of the whole file. */
const MAX_CANDIDATES = 3

/**
 * What an object tells about its content, the strongest that costs least; null when that is only its size. `etagIsMd5`
 * false: an ETag that looks like an MD5 may be one (presigned links) or not, and only agreement means something.
 */
export function proofGoal(
  identity: ObjectIdentity,
  etagIsMd5: boolean,
  { crc32, ...digests }: ObjectDigests = {},
): ProofGoal | null {
  const otherwise = hashGoal(identity, etagIsMd5, digests)
  return crc32 === undefined ? otherwise : { kind: 'crc', expected: crc32, otherwise }
}

function hashGoal(
  { etag, sizeBytes }: ObjectIdentity,
  etagIsMd5: boolean,
  digests: Omit<ObjectDigests, 'crc32'>,
): ProofGoal | null {
  const md5 = md5OfEtag(etag)
  const ofEtag = { kind: 'whole', algorithm: 'md5', proves: 'etag-md5' } as const
  if (md5 !== null && etagIsMd5) return { ...ofEtag, expected: md5, isCertain: true }
  for (const algorithm of ['sha256', 'md5'] as const) {
    const expected = digests[algorithm]
    if (expected !== undefined) return { kind: 'whole', algorithm, expected, proves: 'digest', isCertain: true }
  }
  if (md5 !== null) return { ...ofEtag, expected: md5, isCertain: false }
  const [, expected, count] = MULTIPART.exec(etag ?? '') ?? []
  if (expected === undefined) return null
  const partSizes = partSizesFor(sizeBytes, Number(count))
  return partSizes.length === 0 ? null : { kind: 'parts', expected: expected.toLowerCase(), partSizes }
}

/** Part sizes in bytes that cut `sizeBytes` into `count` parts, likeliest first, 3 at most. Pure. */
export function partSizesFor(sizeBytes: number, count: number): readonly number[] {
  const exact = Math.max(1, Math.ceil(sizeBytes / count))
  const fits = (partSizeBytes: number): boolean => Math.max(1, Math.ceil(sizeBytes / partSizeBytes)) === count
  const wholeMib = Math.ceil(exact / MIB) * MIB
  const candidates = count === 1 ? [exact] : [...COMMON_PART_BYTES, wholeMib, exact]
  return [...new Set(candidates.filter(fits))].slice(0, MAX_CANDIDATES)
}

/** The parts of an object of `sizeBytes`; an empty one has one empty part. */
export function* partsOf(sizeBytes: number, partSizeBytes: number): Generator<ByteRange> {
  for (let start = 0; start === 0 || start < sizeBytes; start += partSizeBytes) {
    yield { start, end: Math.min(sizeBytes, start + partSizeBytes) }
  }
}
