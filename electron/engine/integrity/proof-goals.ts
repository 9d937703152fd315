// Decides which of the digests that a service gives will prove a file, and how much reading that takes.

import type { ByteRange } from '../../../shared/byte-range.ts'
import { MIB, MIN_PART_SIZE_BYTES, PART_STEP_BYTES, USUAL_PART_BYTES } from '../../../shared/limits.ts'
import { withShortLastPart } from './short-last-part.ts'
import type { ProofLack, Verification } from '../../../shared/transfer/transfer.ts'
import type { ObjectDigests, StoreCapabilities } from '../../stores/port/object-store.ts'
import type { DigestAlgorithm } from '../core/deps.ts'
import type { ObjectIdentity } from '../core/records.ts'
import { md5OfEtag } from './etag.ts'
import type { PartSizes } from './part-sizes.ts'

/** What would prove that a file equals an object. If it is certain, another value denies that. */
export type ProofGoal =
  /** A digest of the whole content. */
  | {
      readonly kind: 'whole'
      readonly algorithm: DigestAlgorithm
      readonly expected: string
      readonly proves: Verification
      readonly isCertain: boolean
    }
  /** The digest of the digests of parts, for each of these ways to cut the content, likeliest first. */
  | {
      readonly kind: 'parts'
      readonly algorithm: DigestAlgorithm
      readonly expected: string
      readonly layouts: readonly (readonly ByteRange[])[]
      readonly proves: Verification
      readonly isCertain: boolean
      /** The service told the layout: if another digest comes out, the bytes are wrong, or the ETag is no hash. */
      readonly isTold: boolean
    }
  /** The CRC-32 of the whole content, which follows from those of its ranges. */
  | { readonly kind: 'sum'; readonly expected: number; readonly proves: 'crc'; readonly isCertain: true }

/** How a file is proven. */
export interface ProofPlan {
  /** Tried in this order, until one proves it. */
  readonly goals: readonly ProofGoal[]
  /** Why the file stays unproven, if no goal proves or denies it. */
  readonly lack: ProofLack
}

/** What is known of an object that may prove a file. */
export interface ProofFacts {
  readonly identity: ObjectIdentity
  /** If ETags may or may not be MD5s (presigned links), only their agreement means something. */
  readonly capabilities: Pick<StoreCapabilities, 'etagIsMd5' | 'multipartEtagIsMd5'>
  readonly digests?: ObjectDigests
  /** As the service tells them; left out if it was not asked. */
  readonly partSizes?: PartSizes
  /** If so, only what is hard to forge counts. */
  readonly isBorrowed?: boolean
}

const MULTIPART = /^([0-9a-f]{32})-([1-9][0-9]{0,4})$/i

/** Part sizes of common programs, bytes, most common first. */
const MOST_COMMON_PART_BYTES = 8 * MIB
const COMMON_PART_BYTES = [
  USUAL_PART_BYTES,
  ...[16, 5, 64, 32, 10, 100, 128, 50, 15, 25, 20, 512].map((mib) => mib * MIB),
]
/** At most this many part sizes are tried: each may cost a read of the whole file. */
const MAX_CANDIDATES = 3

/** Plans the proof of an object: first what costs no reading, then the strongest. Pure. */
export function planOf(facts: ProofFacts): ProofPlan {
  const { identity, capabilities, digests = {}, isBorrowed = false } = facts
  const { etagIsMd5 } = capabilities
  const ofSum: readonly ProofGoal[] =
    digests.crc32 === undefined ? [] : [{ kind: 'sum', expected: digests.crc32, proves: 'crc', isCertain: true }]
  const md5 = md5OfEtag(identity.etag)
  const ofParts = partGoals(facts)
  const ofEtag: readonly ProofGoal[] =
    md5 === null ? [] : [{ kind: 'whole', algorithm: 'md5', expected: md5, proves: 'etag-md5', isCertain: etagIsMd5 }]
  const ofChecks = checkGoals(digests)
  // Sizes that are only guessed may cost some reads in vain.
  const arePartsLikely = etagIsMd5 && typeof facts.partSizes === 'object'
  const others = arePartsLikely ? [...ofParts, ...ofChecks] : [...ofChecks, ...ofParts]
  const goals = [...ofSum, ...(etagIsMd5 && md5 !== null ? ofEtag : [...digestGoals(digests), ...others, ...ofEtag])]
  return {
    goals: isBorrowed ? goals.filter(({ proves }) => proves !== 'crc') : goals,
    lack: lackOf(facts),
  }
}

function digestGoals(digests: ObjectDigests): readonly ProofGoal[] {
  return (['sha256', 'md5', 'sha1'] as const).flatMap((algorithm) => {
    const expected = digests[algorithm]
    return expected === undefined ? [] : [{ kind: 'whole', algorithm, expected, proves: 'digest', isCertain: true }]
  })
}

function checkGoals(digests: ObjectDigests): readonly ProofGoal[] {
  return (['crc64nvme', 'crc32c'] as const).flatMap((algorithm) => {
    const expected = digests[algorithm]
    return expected === undefined ? [] : [{ kind: 'whole', algorithm, expected, proves: 'crc', isCertain: true }]
  })
}

function partGoals({ identity, capabilities, digests = {}, partSizes }: ProofFacts): readonly ProofGoal[] {
  const { etag, sizeBytes } = identity
  const goals: ProofGoal[] = []
  const { composite } = digests
  if (composite !== undefined) {
    const { algorithm, digest: expected, partCount } = composite
    const proves = algorithm === 'sha256' || algorithm === 'sha1' ? 'digest' : 'crc'
    const layouts = layoutsOf(sizeBytes, partCount, partSizes)
    goals.push({ kind: 'parts', algorithm, expected, layouts, proves, isCertain: false, isTold: false })
  }
  const [, expected, count] = MULTIPART.exec(etag ?? '') ?? []
  if (expected !== undefined) {
    const layouts = layoutsOf(sizeBytes, Number(count), partSizes)
    const goal = { kind: 'parts', algorithm: 'md5', expected: expected.toLowerCase(), layouts } as const
    const { etagIsMd5, multipartEtagIsMd5 = true } = capabilities
    const isTold = etagIsMd5 && typeof partSizes === 'object'
    const ofEtag = { ...goal, proves: 'etag-multipart', isCertain: isTold && multipartEtagIsMd5, isTold } as const
    if (etagIsMd5) goals.unshift(ofEtag)
    else goals.push(ofEtag)
  }
  return goals.filter((goal) => goal.kind !== 'parts' || goal.layouts.length > 0)
}

function layoutsOf(
  sizeBytes: number,
  count: number,
  partSizes: PartSizes | undefined,
): readonly (readonly ByteRange[])[] {
  if (typeof partSizes !== 'object') return partSizesFor(sizeBytes, count).map((each) => [...partsOf(sizeBytes, each)])
  let end = 0
  const layout = partSizes.map((size) => ({ start: end, end: (end += size) }))
  return layout.length === count ? [layout] : []
}

/**
 * How many parts an object has, if it has a digest that their sizes would turn into a proof; otherwise null.
 */
export function partCountOf({ etag }: ObjectIdentity, { composite }: ObjectDigests = {}): number | null {
  const [, , count] = MULTIPART.exec(etag ?? '') ?? []
  return count === undefined ? (composite?.partCount ?? null) : Number(count)
}

function lackOf({ identity, digests, partSizes }: ProofFacts): ProofLack {
  if (partCountOf(identity, digests) === null) return 'no-checksum'
  if (typeof partSizes === 'object') return 'parts-differ'
  return partSizes === 'uneven' ? 'parts-uneven' : 'parts-untold'
}

/** Part sizes in bytes that cut `sizeBytes` into `count` parts, likeliest first, 3 at most. Pure. */
export function partSizesFor(sizeBytes: number, count: number): readonly number[] {
  const exact = Math.max(1, Math.ceil(sizeBytes / count))
  const fits = (partSizeBytes: number): boolean => Math.max(1, Math.ceil(sizeBytes / partSizeBytes)) === count
  // Sluice's own cuts on an unknown line, for services that take parts of the minimum size and for those that don't.
  const own = [MIN_PART_SIZE_BYTES, USUAL_PART_BYTES].map((least) => withShortLastPart(sizeBytes, least))
  const stepped = (step: number): number => Math.ceil(exact / step) * step
  const even = [stepped(MIB), exact, stepped(PART_STEP_BYTES)]
  const candidates = count === 1 ? [exact] : [MOST_COMMON_PART_BYTES, ...own, ...COMMON_PART_BYTES, ...even]
  return [...new Set(candidates.filter(fits))].slice(0, MAX_CANDIDATES)
}

/** The parts of an object of `sizeBytes`; an empty one has one empty part. */
function* partsOf(sizeBytes: number, partSizeBytes: number): Generator<ByteRange> {
  for (let start = 0; start === 0 || start < sizeBytes; start += partSizeBytes) {
    yield { start, end: Math.min(sizeBytes, start + partSizeBytes) }
  }
}
