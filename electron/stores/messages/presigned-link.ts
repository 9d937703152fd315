// What presigned links have in common in both dialects.

import { MAX_LINK_SECONDS } from '../../../shared/limits.ts'
import { StoreError } from '../port/store-error.ts'

/** Clamps the requested lifetime of a link to whole seconds, from 1 to a week. */
export function lifetimeSeconds(expiresSeconds: number): number {
  return Math.min(Math.max(Math.trunc(expiresSeconds), 1), MAX_LINK_SECONDS)
}

/** The error when there is nothing to sign a link with. */
export function unsignable(): StoreError {
  return new StoreError('AccessDenied', 'A link can’t be signed without keys', { maybeProcessed: false })
}
