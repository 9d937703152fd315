import { rangeLength, type ByteRange } from '../../../shared/byte-range.ts'
import type { ListedPart, ListedUpload, ObjectStore } from '../../stores/port/object-store.ts'
import { forEachLimit } from '../async/for-each-limit.ts'
import type { EngineDeps } from '../core/deps.ts'
import type { PartRecord, UploadPlan } from '../core/records.ts'
import type { UploadMatch } from '../core/requests.ts'
import type { RetryPolicy } from '../core/retry-policy.ts'
import { bindSource, type SourceFile } from '../files/source-file.ts'
import { isSameEtag, md5OfEtag } from '../integrity/etag.ts'
import { createRetryPolicy, type RetryContext } from '../retry/create-retry-policy.ts'
import { listAllParts, listUploadsOfKey } from './listings.ts'
import { partRange, plannedPartSize, planUpload } from './part-plan.ts'

/** How many hashes are asked for at a time; the hasher decides how many threads it uses. */
const HASHES_AT_A_TIME = 4

export interface MatchContext extends RetryContext {
  readonly store: ObjectStore
  readonly deps: Pick<EngineDeps, 'clock' | 'random' | 'fileSystem' | 'hasher'>
}

/** How far a comparison has come, in bytes of the file. */
export interface CompareProgress {
  readonly comparedBytes: number
  readonly totalBytes: number
}

/** The unfinished uploads of a key, compared with a local file. */
export interface UploadComparison {
  /** Uploads whose parts could be cut from a file of its size; most proven bytes first, then newest first. */
  readonly matches: readonly UploadMatch[]
  /** Uploads whose parts the service doesn't show us. */
  readonly unseen: readonly ListedUpload[]
}

export interface CompareOptions {
  readonly onProgress?: ((progress: CompareProgress) => void) | undefined
  /** The parts, if they are known and need not be listed. */
  readonly known?: readonly ListedPart[]
  /** If left out, requests are repeated until they are answered. */
  readonly retryPolicy?: RetryPolicy
}

/** Compares the file at `sourcePath` with every unfinished upload of exactly `key`, as `compareUploads` does. */
export async function matchUploads(
  context: MatchContext,
  key: string,
  sourcePath: string,
): Promise<readonly UploadMatch[]> {
  const retryPolicy = createRetryPolicy(context)
  const uploads = await listUploadsOfKey(context.store, key, retryPolicy, context.signal)
  return (await compareUploads(context, uploads, sourcePath, { retryPolicy })).matches
}

/**
 * Compares the file at `sourcePath` with these unfinished uploads, part by part. Throws TransferError, including
 * `source-…`, and `signal.reason` when aborted.
 */
export async function compareUploads(
  context: MatchContext,
  uploads: readonly ListedUpload[],
  sourcePath: string,
  { onProgress = () => undefined, known, retryPolicy = createRetryPolicy(context) }: CompareOptions = {},
): Promise<UploadComparison> {
  const { store, signal } = context
  const source = await bindSource(context.deps, sourcePath, signal)
  const { sizeBytes } = source.identity
  const candidates: Candidate[] = []
  const unseen: ListedUpload[] = []
  for (const upload of uploads) {
    const { key, uploadId } = upload
    const listing = known === undefined ? await listAllParts(store, { key, uploadId, signal }, retryPolicy) : null
    if (listing?.kind === 'unlisted') unseen.push(upload)
    const parts = listing?.kind === 'listed' ? listing.parts : known
    const plan = parts === undefined ? null : planOfParts(parts, sizeBytes, store.capabilities)
    if (parts !== undefined && plan !== null) candidates.push({ upload, plan, parts })
  }
  const hashes = await hashParts(source, candidates, store.capabilities.etagIsMd5, { signal, onProgress })
  await source.check()
  const matches = candidates.map((candidate) => weighParts(source, candidate, hashes))
  return { matches: matches.sort(byProof), unseen }
}

/**
 * The plan that parts of these sizes follow in a file of `sizeBytes`; null if there is none. Parts may be missing, so
 * the last one listed need not be the last of the plan. An upload without parts fits any plan.
 */
export function planOfParts(
  parts: readonly ListedPart[],
  sizeBytes: number,
  limits: Pick<ObjectStore['capabilities'], 'minPartSizeBytes' | 'maxPartCount'>,
): UploadPlan | null {
  const last = parts.reduce<ListedPart | null>((a, b) => (a === null || b.partNumber > a.partNumber ? b : a), null)
  if (last === null) {
    const plan = planUpload(sizeBytes, { partSizeBytes: null, ...limits })
    return plan.partCount > 0 ? plan : null
  }
  // Either a full part is listed, or the only listed part is the plan's last, and the equal ones before it are missing.
  const largest = Math.max(...parts.map((part) => part.sizeBytes))
  const beforeLast = (sizeBytes - last.sizeBytes) / (last.partNumber - 1)
  for (const partSizeBytes of [largest, beforeLast]) {
    if (!Number.isInteger(partSizeBytes) || partSizeBytes <= 0) continue
    const plan = { partSizeBytes, partCount: Math.ceil(sizeBytes / partSizeBytes) }
    const isAllowed =
      plan.partCount === 1 || (partSizeBytes > limits.minPartSizeBytes && plan.partCount <= limits.maxPartCount)
    if (isAllowed && parts.every((part) => plannedPartSize(plan, sizeBytes, part.partNumber) === part.sizeBytes)) {
      return plan
    }
  }
  return null
}

interface Candidate {
  readonly upload: ListedUpload
  readonly plan: UploadPlan
  readonly parts: readonly ListedPart[]
}

/** Hex MD5s of ranges of the file, by `rangeName`. */
type Hashes = ReadonlyMap<string, string>

/** Hashes each range that a part's ETag can be compared with, each only once. */
async function hashParts(
  source: SourceFile,
  candidates: readonly Candidate[],
  etagIsMd5: boolean,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (progress: CompareProgress) => void },
): Promise<Hashes> {
  const ranges = new Map<string, ByteRange>()
  for (const { plan, parts } of candidates) {
    for (const part of parts) {
      if (!etagIsMd5 || md5OfEtag(part.etag) === null) continue
      const range = partRange(plan, source.identity.sizeBytes, part.partNumber)
      ranges.set(rangeName(range), range)
    }
  }
  const totalBytes = [...ranges.values()].reduce((sum, range) => sum + rangeLength(range), 0)
  const hashes = new Map<string, string>()
  let comparedBytes = 0
  onProgress({ comparedBytes, totalBytes })
  await forEachLimit([...ranges], HASHES_AT_A_TIME, async ([name, range]) => {
    hashes.set(name, await source.md5(range, signal))
    comparedBytes += rangeLength(range)
    onProgress({ comparedBytes, totalBytes })
  })
  return hashes
}

function weighParts(source: SourceFile, { upload, plan, parts }: Candidate, hashes: Hashes): UploadMatch {
  const proven: PartRecord[] = []
  const differing: number[] = []
  let isProvable = true
  for (const { partNumber, sizeBytes, etag } of parts) {
    const md5 = hashes.get(rangeName(partRange(plan, source.identity.sizeBytes, partNumber)))
    if (md5 !== undefined && isSameEtag(etag, md5)) proven.push({ partNumber, sizeBytes, etag, md5 })
    else differing.push(partNumber)
    if (md5 === undefined) isProvable = false
  }
  const { uploadId, initiated } = upload
  return { uploadId, initiated, source: source.identity, plan, proven, differing, isProvable }
}

function rangeName({ start, end }: ByteRange): string {
  return `${String(start)}-${String(end)}`
}

function byProof(one: UploadMatch, other: UploadMatch): number {
  return provenBytes(other) - provenBytes(one) || startedMs(other) - startedMs(one)
}

function startedMs({ initiated }: UploadMatch): number {
  return initiated === null ? 0 : Date.parse(initiated) || 0
}

function provenBytes(match: UploadMatch): number {
  return match.proven.reduce((sum, part) => sum + part.sizeBytes, 0)
}
