// Looks at a key and an upload when nothing else tells how a request ended.

import type { ObjectStore } from '../../stores/port/object-store.ts'
import { STORE_ERROR, StoreError } from '../../stores/port/store-error.ts'
import type { RetryPolicy } from '../core/retry-policy.ts'
import type { Found, UploadPresence } from './evidence.ts'
import { listPage } from './listings.ts'

/** The object to look for. */
interface KeyLook {
  readonly store: ObjectStore
  readonly key: string
  readonly signal: AbortSignal
}

/** The upload to look for, which may make that object. */
export interface UploadLook extends KeyLook {
  /** Null for a file sent in one PutObject. */
  readonly uploadId: string | null
  readonly retryPolicy: RetryPolicy
}

/** Looks at the key. Being denied the look is no failure: services may grant writing without reading. */
export async function readBack({ store, key, signal }: KeyLook): Promise<Found> {
  try {
    return await store.headObject({ key, signal })
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    if (error.code === 'NoSuchKey') return 'absent'
    if (isHidden(error)) return 'hidden'
    throw error
  }
}

/** The answer to a HEAD has no body that could name a code, so a bare 403 counts as well. */
function isHidden({ code, httpStatus }: StoreError): boolean {
  return (
    code === 'AccessDenied' ||
    code === STORE_ERROR.notImplemented ||
    (code === STORE_ERROR.unnamed && httpStatus === 403)
  )
}

/** One page is enough to see whether the upload is still there. */
export async function uploadPresence({
  store,
  key,
  uploadId,
  signal,
  retryPolicy,
}: UploadLook): Promise<UploadPresence> {
  if (uploadId === null) return 'open'
  const page = await listPage(store, { key, uploadId, maxParts: 1, signal }, retryPolicy)
  if (page === 'gone') return 'gone'
  return page === 'unlisted' ? 'unknown' : 'open'
}
