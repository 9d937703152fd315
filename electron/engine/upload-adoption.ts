import type { ListedPart, ListedUpload, ObjectStore } from '../stores/object-store.ts'
import type { PartRecord, SourceIdentity, UploadRecord } from './checkpoint/checkpoint.ts'
import { isSameEtag } from './completion-evidence.ts'
import type { EngineDeps } from './deps.ts'
import { partRange, planUpload, plannedPartSize, type UploadPlan } from './plan.ts'
import { createPatience, type PatienceContext } from './retry.ts'
import { bindSource, type SourceFile } from './source-file.ts'
import { listAllParts, listUploadsOfKey } from './upload-listing.ts'

/** An unfinished upload of the service, compared with a local file. */
export interface UploadMatch {
  readonly uploadId: string
  /** ISO 8601; null when the service does not tell. */
  readonly initiated: string | null
  readonly source: SourceIdentity
  readonly plan: UploadPlan
  /** Parts whose bytes are those of the file: same size, and the ETag is the MD5 of the local bytes. */
  readonly proven: readonly PartRecord[]
  /** Parts of the plan that have other bytes; they would be sent again. */
  readonly differing: readonly number[]
}

export interface MatchContext extends PatienceContext {
  readonly store: ObjectStore
  readonly deps: Pick<EngineDeps, 'clock' | 'random' | 'fileSystem' | 'hasher'>
}

/**
 * Compares the file at `sourcePath` with every unfinished upload of exactly `key` whose parts could be cut from a file of
 * its size; most proven bytes first. Throws TransferError, `source-…` among them.
 */
export async function matchUploads(
  context: MatchContext,
  key: string,
  sourcePath: string,
): Promise<readonly UploadMatch[]> {
  const { store, signal } = context
  const patience = createPatience(context)
  const source = await bindSource(context.deps, sourcePath)
  const matches: UploadMatch[] = []
  for (const upload of await listUploadsOfKey(store, key, patience, signal)) {
    const listing = await listAllParts(store, { key, uploadId: upload.uploadId, signal }, patience)
    if (listing.kind !== 'listed') continue
    const plan = planOfParts(listing.parts, source.identity.sizeBytes, store.capabilities)
    if (plan !== null) matches.push(await matchParts(context, source, upload, plan, listing.parts))
  }
  await source.check()
  return matches.sort((a, b) => provenBytes(b) - provenBytes(a))
}

/** What makes a new upload record continue a match, and the parts to record with it. */
export function adoptMatch(match: UploadMatch): {
  readonly changes: Pick<UploadRecord, 'source' | 'plan' | 'uploadId'>
  readonly parts: readonly PartRecord[]
} {
  return { changes: { source: match.source, plan: match.plan, uploadId: match.uploadId }, parts: match.proven }
}

/**
 * The plan that parts of these sizes follow, in a file of `sizeBytes`; null when there is none. Numbers may be missing:
 * then the last part there need not be the last of the plan. An upload without parts takes any plan.
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
  // Either a full part is there, or the only one there is the plan's last, after equal ones that are missing.
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

async function matchParts(
  { store, signal }: MatchContext,
  source: SourceFile,
  upload: ListedUpload,
  plan: UploadPlan,
  parts: readonly ListedPart[],
): Promise<UploadMatch> {
  const proven: PartRecord[] = []
  const differing: number[] = []
  for (const { partNumber, sizeBytes, etag } of parts) {
    const md5 = await source.md5(partRange(plan, source.identity.sizeBytes, partNumber), signal)
    if (store.capabilities.etagIsMd5 && isSameEtag(etag, md5)) proven.push({ partNumber, sizeBytes, etag, md5 })
    else differing.push(partNumber)
  }
  const { uploadId, initiated } = upload
  return { uploadId, initiated, source: source.identity, plan, proven, differing }
}

function provenBytes(match: UploadMatch): number {
  return match.proven.reduce((sum, part) => sum + part.sizeBytes, 0)
}
