import type { CompletedPart, ListedPart, ObjectStore } from '../../stores/port/object-store.ts'
import type { ListedCompletion } from '../core/requests.ts'
import type { RunReporter } from '../core/run.ts'
import { multipartEtag } from '../integrity/etag.ts'
import { createRetryPolicy, withRetry, type RetryContext } from '../retry/create-retry-policy.ts'
import { completeObject } from './complete.ts'
import type { CompletionResult } from './outcome.ts'
import { readBack } from './read-back.ts'
import { baselineOf, weigh, type CompletionGoal } from './evidence.ts'
import { listAllParts } from './listings.ts'

export interface CompleteFromParts extends RetryContext {
  readonly store: ObjectStore
  readonly key: string
  readonly uploadId: string
  /** Ascending by part number; gaps are allowed. */
  readonly parts: readonly CompletedPart[]
  readonly report: Pick<RunReporter, 'stage' | 'log' | 'facts' | 'waiting'>
}

/**
 * Completes an upload whose parts others sent, with the same proof as for our own. The service needs to support only
 * CompleteMultipartUpload and GetObject; if it lists parts, their sizes are checked as well. A call after the upload
 * was completed finds the object and succeeds. Throws `signal.reason` when aborted, and TransferError.
 */
export async function completeFromParts(request: CompleteFromParts): Promise<CompletionResult> {
  const { store, key, uploadId, parts, signal } = request
  const { clock } = request.deps
  const retryPolicy = createRetryPolicy(request)
  const listing = await listAllParts(store, { key, uploadId, signal }, retryPolicy)
  const sizes = new Map(listing.kind === 'listed' ? listing.parts.map((part) => [part.partNumber, part.sizeBytes]) : [])
  const found = await withRetry(retryPolicy, () => readBack({ store, key, signal }))
  const goal: CompletionGoal = {
    expectedEtag: expectedEtag(parts),
    sizeBytes: totalSize(parts, sizes),
    baseline: null,
    parts,
    serverTimeMs: (typeof found === 'string' ? null : found.serverTimeMs) ?? clock.nowMs(),
  }
  // If the upload is gone, an earlier try may have completed it; then an object that fits is ours.
  const isGone = listing.kind === 'gone'
  // Nobody meant to replace an object that appears from now on.
  const ifAbsent = !isGone && found === 'absent'
  const isOurs = isGone && weigh(found, goal, store.capabilities) === 'ours'
  return completeObject({
    store,
    key,
    uploadId,
    goal: { ...goal, ifAbsent, baseline: isOurs ? null : baselineOf(found) },
    outcomeUnknown: isGone,
    listsUploads: false,
    beforeSend: () => Promise.resolve(),
    send: () => store.completeMultipartUpload({ key, uploadId, parts, ifAbsent, signal }),
    clock,
    retryPolicy,
    signal,
    report: request.report,
  })
}

/**
 * Prepares the completion of exactly these parts, which the service lists, ascending. Returns null if the object's ETag
 * can't be derived from theirs: nothing would prove it. Throws TransferError, and `signal.reason` when aborted.
 */
export async function prepareCompletion(
  context: RetryContext & { readonly store: ObjectStore },
  { key, uploadId, parts }: { readonly key: string; readonly uploadId: string; readonly parts: readonly ListedPart[] },
): Promise<ListedCompletion | null> {
  const etag = expectedEtag(parts)
  const [first] = parts
  if (etag === null || first === undefined) return null
  const { store, signal, deps } = context
  const found = await withRetry(createRetryPolicy(context), () => readBack({ store, key, signal }))
  return {
    uploadId,
    plan: { partSizeBytes: first.sizeBytes, partCount: parts.at(-1)?.partNumber ?? 0 },
    parts: parts.map((part) => ({ ...numbered(part), sizeBytes: part.sizeBytes, md5: numbered(part).etag })),
    intent: {
      expectedEtag: etag,
      sizeBytes: parts.reduce((sum, part) => sum + part.sizeBytes, 0),
      baseline: baselineOf(found),
      parts: parts.map(numbered),
      serverTimeMs: (typeof found === 'string' ? null : found.serverTimeMs) ?? deps.clock.nowMs(),
    },
  }
}

function numbered({ partNumber, etag }: ListedPart): CompletedPart {
  return { partNumber, etag: etag.replaceAll('"', '') }
}

/** Null unless every part's ETag is an MD5. */
function expectedEtag(parts: readonly CompletedPart[]): string | null {
  const md5s = parts.map((part) => part.etag.replaceAll('"', ''))
  return md5s.every((md5) => /^[0-9a-f]{32}$/i.test(md5)) ? multipartEtag(md5s) : null
}

/** Null unless the size of every part is known. */
function totalSize(parts: readonly CompletedPart[], sizes: ReadonlyMap<number, number>): number | null {
  let total = 0
  for (const { partNumber } of parts) {
    const sizeBytes = sizes.get(partNumber)
    if (sizeBytes === undefined) return null
    total += sizeBytes
  }
  return total
}
