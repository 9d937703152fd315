import { MIB } from '../../../shared/limits.ts'
import type { CopyVerbs, ObjectHead, ObjectStore } from '../../stores/port/object-store.ts'
import type { EngineDeps } from '../core/deps.ts'
import type { RetryPolicy } from '../core/retry-policy.ts'
import { isSameEtag } from '../integrity/etag.ts'
import { readBack } from '../multipart/read-back.ts'
import { withRetry } from '../retry/create-retry-policy.ts'

export interface CopyContext {
  readonly store: ObjectStore
  readonly deps: Pick<EngineDeps, 'clock' | 'random'>
  readonly retryPolicy: RetryPolicy
  /** Once it is aborted, nothing further begins. */
  readonly given: AbortSignal
}

/** One copy: its key is free, or was when it was looked at. */
export interface CopyJob extends CopyContext {
  readonly copies: CopyVerbs
  readonly limits: CopyLimits
  readonly from: string
  readonly to: string
  readonly original: ObjectHead
}

export interface CopyLimits {
  /** Larger objects are copied in parts. */
  readonly wholeMaxBytes: number
  /** The size of such a part, unless there would be too many. */
  readonly partBytes: number
}

/** CopyObject takes up to 5 GiB (AWS: CopyObject). Parts are small enough to be stopped, and copied side by side. */
export const COPY_LIMITS: CopyLimits = { wholeMaxBytes: 5 * 1024 * MIB, partBytes: 512 * MIB }

/** For requests that finish even when a person stops, so that what happened is known. */
export const unstoppable = () => new AbortController().signal

/**
 * Whether an object surely has the bytes of another one: by the ETag, or by a digest, since the copy of an object that
 * was uploaded in parts may have another ETag. Pure.
 */
export function isCopyOf(original: ObjectHead, other: ObjectHead): boolean {
  if (original.sizeBytes === null || original.sizeBytes !== other.sizeBytes) return false
  const digests = compareDigests(original, other)
  if (digests !== 'silent') return digests === 'agree'
  // A weak ETag stands for equal meaning, not for equal bytes (RFC 9110, 8.8.1).
  if (original.etag === null || other.etag === null || original.etag.startsWith('W/')) return false
  return isSameEtag(original.etag, other.etag)
}

/** Compares the digests of whole objects that both heads tell. Pure. */
export function compareDigests(one: ObjectHead, other: ObjectHead): 'agree' | 'differ' | 'silent' {
  const names = ['md5', 'sha256', 'sha1', 'crc64nvme', 'crc32c', 'crc32'] as const
  const pairs = names.map((name) => [one.digests?.[name], other.digests?.[name]] as const)
  const told = pairs.filter(([first, second]) => first !== undefined && second !== undefined)
  if (told.length === 0) return 'silent'
  return told.every(([first, second]) => first === second) ? 'agree' : 'differ'
}

/** Whether two looks at a key saw the same object. Pure. */
export function isUnchanged(before: ObjectHead, now: ObjectHead): boolean {
  return before.sizeBytes === now.sizeBytes && before.etag === now.etag && before.lastModified === now.lastModified
}

/** The object at a key, or null. Throws TransferError also where we may not look: nothing could be confirmed. */
export async function lookAt({ store, retryPolicy }: CopyContext, key: string): Promise<ObjectHead | null> {
  return withRetry(retryPolicy, async () => {
    const found = await readBack({ store, key, signal: unstoppable() })
    // Asked again for the failure that says why.
    if (found === 'hidden') return store.headObject({ key, signal: unstoppable() })
    return found === 'absent' ? null : found
  })
}
