import { MIB } from '../../../shared/limits.ts'
import type { ListedPart } from '../../stores/port/object-store.ts'
import type { UploadMatch } from '../core/requests.ts'
import { bindSource } from '../files/source-file.ts'
import { isSameEtag } from '../integrity/etag.ts'
import { partSizesFor } from '../integrity/proof-goals.ts'
import { createRetryPolicy } from '../retry/create-retry-policy.ts'
import { listAllParts } from './listings.ts'
import { compareUploads, type CompareProgress, type MatchContext } from './match-uploads.ts'
import { PartsListError, type PartsFault } from './parts-list-fault.ts'
import type { ListedByOthers } from './parts-list.ts'

/** At most this many part sizes are tried: each may cost a read of one part. */
const MOST_SIZES = 32

/** An upload and its parts, as a parts list names them. */
export interface WrittenUpload {
  readonly key: string
  readonly uploadId: string
  readonly parts: readonly ListedByOthers[]
}

/**
 * Compares a parts list with what the service has, if it lists parts. Throws PartsListError `parts-differ`, and
 * TransferError. An upload that is gone is no error here: it may already have been completed.
 */
export async function checkPartsList(
  context: Pick<MatchContext, 'store' | 'signal' | 'giveUpAfterMs' | 'report' | 'retryBudget'> & {
    readonly deps: Pick<MatchContext['deps'], 'clock' | 'random'>
  },
  { key, uploadId, parts }: WrittenUpload,
): Promise<void> {
  const listing = await listAllParts(
    context.store,
    { key, uploadId, signal: context.signal },
    createRetryPolicy(context),
  )
  const difference = listing.kind === 'listed' ? differenceOf(parts, listing.parts) : null
  if (difference !== null) throw new PartsListError(difference)
}

/** How a parts list differs from what the service has; null if it doesn't. Pure. */
function differenceOf(parts: readonly ListedByOthers[], listed: readonly ListedPart[]): PartsFault | null {
  const there = new Map(listed.map((part) => [part.partNumber, part]))
  const missing = parts.filter((part) => !there.has(part.partNumber))
  if (missing.length > 0) return faultOf('not-there', missing)
  const differing = parts.filter((part) => !isThere(part, there.get(part.partNumber)))
  return differing.length > 0 ? faultOf('differing', differing) : null
}

/** Why these parts are not a whole object yet; null if they may be one. Only the file can tell for sure. Pure. */
export function problemOfParts(
  parts: readonly ListedByOthers[],
  listed: readonly ListedPart[],
  minPartSizeBytes: number,
): PartsFault | null {
  const difference = differenceOf(parts, listed)
  if (difference !== null) return difference
  const numbers = new Set(parts.map((part) => part.partNumber))
  const gaps = Array.from({ length: parts.at(-1)?.partNumber ?? 0 }, (_, index) => ({ partNumber: index + 1 }))
  const missing = gaps.filter(({ partNumber }) => !numbers.has(partNumber))
  if (missing.length > 0) return faultOf('not-listed', missing)
  const others = listed.filter((part) => !numbers.has(part.partNumber))
  if (others.length > 0) return faultOf('left-out', others)
  const small = listed.slice(0, -1).filter((part) => part.sizeBytes <= minPartSizeBytes)
  return small.length > 0 ? faultOf('too-small', small) : null
}

/**
 * Proves which parts of an upload belong to a local file: of those that the service lists or, if it lists none, of
 * those in the parts list. Throws PartsListError, and TransferError, including `source-…`.
 */
export async function matchPartsList(
  context: MatchContext,
  { key, uploadId, parts }: WrittenUpload,
  sourcePath: string,
  onProgress?: (progress: CompareProgress) => void,
): Promise<UploadMatch> {
  const upload = { key, uploadId, initiated: null }
  const listing = await listAllParts(
    context.store,
    { key, uploadId, signal: context.signal },
    createRetryPolicy(context),
  )
  if (listing.kind === 'gone') throw new PartsListError({ kind: 'no-such-upload' })
  const known = listing.kind === 'listed' ? listing.parts : await sizedParts(context, parts, sourcePath)
  const { matches } = await compareUploads(context, [upload], sourcePath, { known, onProgress })
  const [best] = matches
  const isOfUse =
    best !== undefined && (best.proven.length > 0 || (best.differing.length === 0 && listing.kind === 'listed'))
  if (!isOfUse) throw new PartsListError({ kind: 'another-file' })
  return best
}

/** The parts with their sizes. If the list lacks some, the parts must be equal cuts, and the first MD5 must fit. */
async function sizedParts(
  { deps, signal }: MatchContext,
  parts: readonly ListedByOthers[],
  sourcePath: string,
): Promise<readonly ListedPart[]> {
  if (parts.every((part) => part.sizeBytes !== null)) return withSizes(parts, 0, 0)
  const { identity, md5 } = await bindSource(deps, sourcePath, signal)
  const count = parts.at(-1)?.partNumber ?? 0
  for (const partSizeBytes of likelySizes(identity.sizeBytes, count)) {
    const sized = withSizes(parts, partSizeBytes, identity.sizeBytes)
    const [first] = sized
    if (first === undefined) continue
    const start = (first.partNumber - 1) * partSizeBytes
    if (isSameEtag(first.etag, await md5({ start, end: start + first.sizeBytes }, signal))) return sized
  }
  return []
}

function withSizes(parts: readonly ListedByOthers[], partSizeBytes: number, fileBytes: number): readonly ListedPart[] {
  return parts.map(({ partNumber, etag, sizeBytes }) => {
    const planned = Math.min(partSizeBytes, fileBytes - (partNumber - 1) * partSizeBytes)
    return { partNumber, etag, sizeBytes: sizeBytes ?? planned, lastModified: null }
  })
}

/** Part sizes that cut a file into `count` parts, likeliest first. */
function likelySizes(fileBytes: number, count: number): readonly number[] {
  const least = Math.ceil(fileBytes / count / MIB)
  const wholeMib = Array.from({ length: MOST_SIZES }, (_, index) => (least + index) * MIB)
  const fitting = wholeMib.filter((size) => Math.ceil(fileBytes / size) === count)
  return [...new Set([...partSizesFor(fileBytes, count), ...fitting])]
}

function isThere(part: ListedByOthers, listed: ListedPart | undefined): boolean {
  if (listed === undefined || !isSameEtag(part.etag, listed.etag)) return false
  return part.sizeBytes === null || part.sizeBytes === listed.sizeBytes
}

function faultOf(kind: PartsFault['kind'], parts: readonly Pick<ListedByOthers, 'partNumber'>[]): PartsFault {
  return { kind, partNumbers: parts.map(({ partNumber }) => partNumber) }
}
