import type { ByteRange } from '../../../shared/byte-range.ts'
import { MIB } from '../../../shared/limits.ts'
import type { CompletedPart } from '../../stores/port/object-store.ts'
import { forEachLimit } from '../async/for-each-limit.ts'
import { md5OfEtag, multipartEtag } from '../integrity/etag.ts'
import { completeObject } from '../multipart/complete.ts'
import { isKeyTaken } from '../multipart/refusals.ts'
import { withRetry } from '../retry/create-retry-policy.ts'
import { StoreError } from '../../stores/port/store-error.ts'
import { isUnchanged, lookAt, unstoppable, type CopyJob, type CopyLimits } from './copy-job.ts'
import { MoveError } from './move-error.ts'

const PARTS_AT_A_TIME = 4
const SILENT = { stage: () => undefined, log: () => undefined, facts: () => undefined }

/**
 * Copies an object by UploadPartCopy. If it fails or is stopped, the parts are discarded. Returns the copy's ETag; null
 * where the service doesn't tell.
 */
export async function copyInParts(job: CopyJob, sizeBytes: number): Promise<string | null> {
  const { store, copies, from, to, original, retryPolicy, given } = job
  const { uploadId } = await withRetry(retryPolicy, () =>
    copies.createMultipartUpload({ traits: original.traits ?? {}, key: to, signal: unstoppable() }),
  )
  let mayBeCompleted = false
  try {
    const parts: CompletedPart[] = []
    const ranges = copyRanges(sizeBytes, job.limits, store.capabilities.maxPartCount)
    await forEachLimit([...ranges.entries()], PARTS_AT_A_TIME, async ([index, range]) => {
      given.throwIfAborted()
      const part = { partNumber: index + 1, range, sourceKey: from, sourceEtag: original.etag }
      const request = { ...part, key: to, uploadId, signal: given }
      const { etag } = await withRetry(retryPolicy, () => copies.uploadPart(request).catch(unlessChanged(to)))
      retryPolicy.moved()
      parts[index] = { partNumber: part.partNumber, etag }
    })
    given.throwIfAborted()
    // Services may ignore the condition, and then the parts may be of different originals.
    const now = await lookAt(job, from)
    if (now === null || !isUnchanged(original, now)) throw new MoveError('changed', to)
    mayBeCompleted = true
    const result = await complete(job, uploadId, parts, sizeBytes)
    if (result.kind === 'done') return result.etag
    mayBeCompleted = result.kind === 'failed' && !result.outcomeKnown
    if (mayBeCompleted) throw new MoveError('unconfirmed', to, result.error)
    if (result.kind === 'failed' && result.error.info.code === 'conflict-on-server') throw new MoveError('taken', to)
    throw result.error
  } finally {
    // Once it is completed, there is nothing left to discard.
    if (!mayBeCompleted)
      await store.abortMultipartUpload({ key: to, uploadId, signal: unstoppable() }).catch(() => undefined)
  }
}

/** The ranges to copy, each a part: as long as `limits` say, or longer if there would be too many. Pure. */
export function copyRanges(sizeBytes: number, limits: CopyLimits, maxPartCount: number): readonly ByteRange[] {
  const least = Math.ceil(sizeBytes / maxPartCount / MIB) * MIB
  const partBytes = Math.max(limits.partBytes, least)
  return Array.from({ length: Math.ceil(sizeBytes / partBytes) }, (_, index) => ({
    start: index * partBytes,
    end: Math.min(sizeBytes, (index + 1) * partBytes),
  }))
}

/** Of a part, only the condition about the original can be refused. */
function unlessChanged(key: string) {
  return (failure: unknown): never => {
    throw failure instanceof StoreError && isKeyTaken(failure) ? new MoveError('changed', key) : failure
  }
}

/** Completes the upload; a lost answer is settled by evidence, as for files. */
function complete(
  { store, to, deps, retryPolicy }: CopyJob,
  uploadId: string,
  parts: readonly CompletedPart[],
  sizeBytes: number,
) {
  const md5s = parts.flatMap(({ etag }) => md5OfEtag(etag) ?? [])
  const expectedEtag = md5s.length === parts.length ? multipartEtag(md5s) : null
  const serverTimeMs = deps.clock.nowMs()
  const goal = { expectedEtag, sizeBytes, baseline: null, parts, serverTimeMs, ifAbsent: true }
  const address = { key: to, uploadId, signal: unstoppable() }
  return completeObject({
    ...{ store, ...address, goal, clock: deps.clock, retryPolicy, report: SILENT, outcomeUnknown: false },
    listsUploads: false,
    beforeSend: () => Promise.resolve(),
    send: () => store.completeMultipartUpload({ ...address, parts, sizeBytes, ifAbsent: true }),
  })
}
