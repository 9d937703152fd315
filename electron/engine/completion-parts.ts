import type { CompletedPart, ObjectStore } from '../stores/object-store.ts'
import { completeObject, readBack, type CompletionResult } from './completion.ts'
import { baselineOf, multipartEtag, weigh, type CompletionGoal } from './completion-evidence.ts'
import { createPatience, patiently, type PatienceContext } from './retry.ts'
import type { RunReporter } from './run.ts'
import { listAllParts } from './upload-listing.ts'

export interface CompleteFromParts extends PatienceContext {
  readonly store: ObjectStore
  readonly key: string
  readonly uploadId: string
  /** Ascending by part number; gaps are allowed. */
  readonly parts: readonly CompletedPart[]
  readonly report: Pick<RunReporter, 'stage' | 'log' | 'facts' | 'waiting'>
}

/**
 * Completes an upload whose parts others sent, with the same proof as our own. Nothing but CompleteMultipartUpload and
 * GetObject need exist; where the service lists parts, their sizes are checked as well. Repeating it after it was
 * completed finds the object and succeeds. Throws `signal.reason` when aborted, and TransferError.
 */
export async function completeFromParts(request: CompleteFromParts): Promise<CompletionResult> {
  const { store, key, uploadId, parts, signal } = request
  const { clock } = request.deps
  const patience = createPatience(request)
  const listing = await listAllParts(store, { key, uploadId, signal }, patience)
  const sizes = new Map(listing.kind === 'listed' ? listing.parts.map((part) => [part.partNumber, part.sizeBytes]) : [])
  const found = await patiently(patience, () => readBack({ store, key, signal }))
  const goal: CompletionGoal = {
    expectedEtag: expectedEtag(parts),
    sizeBytes: totalSize(parts, sizes),
    baseline: null,
    parts,
    serverTimeMs: (typeof found === 'string' ? null : found.serverTimeMs) ?? clock.nowMs(),
  }
  // An upload that is gone may have been completed by an earlier try; then what fits is ours.
  const isGone = listing.kind === 'gone'
  const isOurs = isGone && weigh(found, goal, store.capabilities.etagIsMd5) === 'ours'
  return completeObject({
    store,
    key,
    uploadId,
    goal: { ...goal, baseline: isOurs ? null : baselineOf(found) },
    outcomeUnknown: isGone,
    beforeSend: () => Promise.resolve(),
    send: () => store.completeMultipartUpload({ key, uploadId, parts, signal }),
    clock,
    patience,
    signal,
    report: request.report,
  })
}

/** Known where every part's ETag is an MD5. */
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
