// What the steps of one download share, from its partial file on.

import { dirname } from 'node:path'
import { NOTE_INTERVAL_BYTES, SEGMENT_SIZE_BYTES } from '../../../shared/limits.ts'
import { totalLength } from '../core/byte-ranges.ts'
import type { DownloadRecord, ObjectIdentity, RangeRecord } from '../core/records.ts'
import type { RetryPolicy } from '../core/retry-policy.ts'
import type { RootedContext, RunContext } from '../core/run.ts'
import { SpaceLacking } from '../core/transfer-error.ts'
import { isShortage, missingSpace } from '../files/disk-space.ts'
import { ContentProof } from '../integrity/content-proof.ts'
import { ClaimLedger } from '../partial-file/claim-ledger.ts'
import type { ClaimSet } from '../partial-file/claims.ts'
import type { PartialFile } from '../partial-file/partial-file.ts'
import { Sidecar } from '../partial-file/sidecar.ts'
import { Reach } from '../retry/reach.ts'
import { isBorrowing } from './borrowed-bytes.ts'

/** One run of a download, whose partial file is open. */
export interface DownloadRun {
  /** Its signal is also aborted when one of several requests fails for good. */
  readonly context: RootedContext
  readonly retryPolicy: RetryPolicy
  /** The most that was ever here: bytes that a disk takes and loses again and again are no progress. */
  readonly reach: Reach
  readonly file: PartialFile
  readonly claims: ClaimLedger
  readonly gathering: Set<Gatherer>
  /** Whether the run continues with bytes of an earlier one. */
  readonly isResumed: boolean
  /** Null while nothing tells one version from another. */
  readonly proof: ContentProof | null
}

/** Holds bytes that are not written yet. */
export interface Gatherer {
  readonly gatheredBytes: number
  /** Writes what was gathered at least `ageMs` ago. Never throws. */
  writeGatheredSince(ageMs: number): Promise<void>
}

/** Starts writing to `file`, which has `durable`. `identity` is null when nothing tells one version from another. */
export async function startRun(
  context: RootedContext,
  retryPolicy: RetryPolicy,
  file: PartialFile,
  identity: ObjectIdentity | null,
  durable: ClaimSet,
): Promise<DownloadRun> {
  const { report, record, deps } = context
  const sizeBytes = identity?.sizeBytes ?? null
  if (sizeBytes !== null) {
    report.size(sizeBytes)
    report.units({ count: Math.ceil(sizeBytes / SEGMENT_SIZE_BYTES), unitSizeBytes: SEGMENT_SIZE_BYTES })
    report.confirmed(totalLength(durable.joined), 'found')
  }
  if (identity?.etag) report.facts({ etag: identity.etag })
  const proof = identity === null ? null : new ContentProof(deps.hasher, file.path, identity.sizeBytes)
  const sidecar = identity === null ? null : await openSidecar(context, file, identity, durable.all)
  const claims = new ClaimLedger(context, file, {
    durable,
    sizeBytes,
    isHeldBack: identity === null,
    sidecar,
    follower: proof,
  })
  claims.reportFound()
  return {
    context: { ...context, record: { ...record, identity, partialPath: file.path } },
    retryPolicy: sharingDisk(retryPolicy, { context, file, claims }),
    reach: new Reach(retryPolicy),
    file,
    claims,
    gathering: new Set(),
    isResumed: durable.all.length > 0,
    proof,
  }
}

/**
 * The same policy for connections that share one disk. If that is full, all of them wait together until it has room for
 * the rest of the download, and the row says how many bytes it lacks: each try for itself would fetch, and perhaps pay
 * for, bytes that nothing can hold. If the volume doesn't tell that it lacks any, they try again together.
 */
export function sharingDisk(
  retryPolicy: RetryPolicy,
  { context: { deps }, file, claims }: Pick<DownloadRun, 'context' | 'file' | 'claims'>,
): RetryPolicy {
  const measure = (): Promise<number> =>
    missingSpace(deps.fileSystem, dirname(file.path), totalLength(claims.missing())).catch(() => 0)
  let shortage: Promise<void> | null = null

  async function outlast(failure: unknown): Promise<void> {
    let lackingBytes = await measure()
    if (lackingBytes === 0) await retryPolicy.waitAfter(failure)
    for (; lackingBytes > 0; lackingBytes = await measure())
      await retryPolicy.waitAfter(new SpaceLacking(lackingBytes, failure))
  }

  return {
    ...retryPolicy,
    waitAfter(failure, isVain) {
      if (!isShortage(failure)) return retryPolicy.waitAfter(failure, isVain)
      shortage ??= outlast(failure).finally(() => (shortage = null))
      return shortage
    },
  }
}

/** Closes everything that the run has open. */
export async function endRun({ claims, proof, file }: DownloadRun): Promise<void> {
  await Promise.all([claims.close(), proof?.stop()])
  await file.close()
}

/** Returns null for objects smaller than the interval between two notes: fetching those again is quicker. */
async function openSidecar(
  { deps, record, store }: RunContext<DownloadRecord>,
  file: PartialFile,
  identity: ObjectIdentity,
  durable: readonly RangeRecord[],
): Promise<Sidecar | null> {
  if (identity.sizeBytes <= NOTE_INTERVAL_BYTES) return null
  const subject = { ...record, endpoint: store.endpoint ?? null }
  const macKey = isBorrowing(record) ? null : deps.sidecarKey
  return await Sidecar.create(deps.fileSystem, file.path, subject, identity, durable, macKey)
}
