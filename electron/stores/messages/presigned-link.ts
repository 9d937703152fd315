// What a presigned link is in both dialects.

import { MAX_LINK_SECONDS } from '../../../shared/limits.ts'
import { StoreError } from '../port/store-error.ts'

/** How long a link lives that was asked for with so many seconds: whole ones, 1 to a week. */
export function lifetimeSeconds(expiresSeconds: number): number {
  return Math.min(Math.max(Math.trunc(expiresSeconds), 1), MAX_LINK_SECONDS)
}

/** There is nothing to sign a link with. */
export function unsignable(): StoreError {
  return new StoreError('AccessDenied', 'A link needs keys to be signed with', { maybeProcessed: false })
}
