import type { ObjectHead } from '../../stores/port/object-store.ts'
import { isSameEtag, md5OfEtag } from '../integrity/etag.ts'
import { withRetry } from '../retry/create-retry-policy.ts'
import { copyInParts } from './copy-in-parts.ts'
import { copyWhole } from './copy-whole.ts'
import {
  compareDigests,
  COPY_LIMITS,
  isCopyOf,
  isUnchanged,
  lookAt,
  unstoppable,
  type CopyContext,
  type CopyJob,
  type CopyLimits,
} from './copy-job.ts'
import { MoveError } from './move-error.ts'

export interface ObjectMove {
  readonly from: string
  readonly to: string
  /** An earlier try may have got as far as the copy, or further. Then an object that equals the original is the copy. */
  readonly isRetry: boolean
}

/**
 * Gives an object another key of its bucket: the service copies it, the copy is looked at, then the original is
 * deleted. Replaces nothing, and deletes nothing whose copy is not confirmed. Once `given` is aborted, requests under
 * way still finish, except for those of copies in parts, which are undone. Throws MoveError, TransferError, and the
 * reason of `given`.
 */
export async function moveObject(
  context: CopyContext,
  { from, to, isRetry }: ObjectMove,
  limits: CopyLimits = COPY_LIMITS,
): Promise<void> {
  const { store, retryPolicy, given } = context
  const { copies } = store
  if (copies === undefined) throw new MoveError('lacking', to)
  given.throwIfAborted()
  const there = await lookAt(context, to)
  const original = await lookAt(context, from)
  // The earlier try deleted the original, and only its answer was lost.
  if (original === null && isRetry && there !== null) return
  const head = original ?? (await withRetry(retryPolicy, () => store.headObject({ key: from, signal: unstoppable() })))
  if (there !== null && !(isRetry && isCopyOf(head, there))) throw new MoveError('taken', to)
  if (there === null) await copy({ ...context, copies, limits, from, to, original: head })
  if (isInParts(head, limits)) {
    const tagged = { sourceKey: from, traits: head.traits ?? {}, key: to, signal: unstoppable() }
    await withRetry(retryPolicy, () => copies.copyTags(tagged))
  }
  await deleteOriginal(context, from, to, head)
}

async function copy(job: CopyJob): Promise<void> {
  const { store, original, to, limits } = job
  const { sizeBytes } = original
  if (sizeBytes === null) throw new MoveError('unconfirmed', to)
  const etag = isInParts(original, limits) ? await copyInParts(job, sizeBytes) : await copyWhole(job)
  const made = await lookAt(job, to)
  const isConfirmed =
    made !== null &&
    made.sizeBytes === sizeBytes &&
    (etag === null || made.etag === null || isSameEtag(made.etag, etag)) &&
    compareDigests(original, made) !== 'differ' &&
    (!store.capabilities.etagIsMd5 || !disagree(original, made))
  if (!isConfirmed) throw new MoveError('unconfirmed', to)
}

function isInParts({ sizeBytes }: ObjectHead, { wholeMaxBytes }: CopyLimits): boolean {
  return (sizeBytes ?? 0) > wholeMaxBytes
}

/** Whether two ETags are MD5s of different bytes. Those of copies in parts, or encrypted anew, tell nothing. */
function disagree(one: ObjectHead, other: ObjectHead): boolean {
  const [md5, another] = [md5OfEtag(one.etag), md5OfEtag(other.etag)]
  return md5 !== null && another !== null && md5 !== another
}

/** Deletes the original unless somebody has replaced it while it was copied. */
async function deleteOriginal(context: CopyContext, from: string, to: string, head: ObjectHead): Promise<void> {
  const { store, retryPolicy } = context
  const now = await lookAt(context, from)
  if (now === null) return
  if (!isUnchanged(head, now)) throw new MoveError('outdated', to)
  await withRetry(retryPolicy, () => store.deleteObject({ key: from, signal: unstoppable() }))
}
