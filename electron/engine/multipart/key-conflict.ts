// Decides where a file goes if its key is taken: over the object, beside it under a free key, or nowhere.

import type { Verification } from '../../../shared/transfer/transfer.ts'
import type { ObjectHead } from '../../stores/port/object-store.ts'
import type { Conflict } from '../../../shared/conflict.ts'
import { numberedName } from '../files/safe-name.ts'
import { bindSource } from '../files/source-file.ts'
import { provesContent } from '../integrity/proof-strength.ts'
import { proveContent } from '../integrity/prove-content.ts'
import { createRetryPolicy, withRetry } from '../retry/create-retry-policy.ts'
import { readBack } from './read-back.ts'
import type { Found } from './evidence.ts'
import type { MatchContext } from './match-uploads.ts'

/** Where a file goes. `skip`: nowhere, because an object has its key; `found`: it is already at `key`, proven. */
export type KeyDecision<Proven = unknown> =
  | { readonly kind: 'send'; readonly key: string }
  | { readonly kind: 'skip' }
  | ({ readonly kind: 'found'; readonly key: string } & Proven)

export interface KeyConflictContext extends MatchContext {
  /** Whether another transfer is about to write a key. */
  readonly isTaken: (key: string) => boolean
}

/** The object at a key; null if there is none or we may not look. Services may grant writing without reading. */
export async function objectAt(context: MatchContext, key: string): Promise<ObjectHead | null> {
  const found = await headKey(context, key)
  return typeof found === 'string' ? null : found
}

/** Like `objectAt`, but tells `absent` from `hidden`. */
export async function headKey(context: MatchContext, key: string): Promise<Found> {
  const { store, signal } = context
  return withRetry(createRetryPolicy(context), () => readBack({ store, key, signal }))
}

/**
 * Decides what to do about an object that has the key of a file. An object that is proven equal stays, unless
 * `replace` was asked for, which doesn't look. Throws TransferError, including `source-…`, and `signal.reason` when
 * aborted.
 */
export async function resolveKeyConflict(
  context: KeyConflictContext,
  { key, sourcePath }: { readonly key: string; readonly sourcePath: string },
  onConflict: Conflict,
): Promise<KeyDecision<{ readonly verification: Verification }>> {
  if (onConflict === 'replace') return { kind: 'send', key }
  const there = await headKey(context, key)
  if (typeof there === 'string') return { kind: 'send', key }
  if (onConflict === 'skip') return { kind: 'skip' }
  const folder = key.slice(0, key.lastIndexOf('/') + 1)
  const name = key.slice(folder.length)
  let object: ObjectHead | null = there
  for (let candidate = key, count = 1; ; count += 1) {
    const verification = object === null ? null : await proofOf(context, candidate, object, sourcePath)
    if (verification !== null) return { kind: 'found', key: candidate, verification }
    if (object === null && !context.isTaken(candidate)) return { kind: 'send', key: candidate }
    candidate = folder + numberedName(name, count)
    object = await objectAt(context, candidate)
  }
}

/** Returns what proves that an object equals the file, or null if nothing does. */
export async function proofOf(
  context: MatchContext,
  key: string,
  object: ObjectHead,
  sourcePath: string,
): Promise<Verification | null> {
  const { identity, check } = await bindSource(context.deps, sourcePath, context.signal)
  if (object.sizeBytes !== identity.sizeBytes) return null
  const seen = { sizeBytes: identity.sizeBytes, etag: object.etag, lastModified: object.lastModified }
  const proof = await proveContent(context, sourcePath, { key, identity: seen, digests: object.digests })
  await check()
  return provesContent(proof) ? proof.verification : null
}
