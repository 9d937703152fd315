import { lstat, stat } from 'node:fs/promises'
import type { TransferDirection, Verification } from '../../../shared/transfer/transfer.ts'
import { createRetryPolicy, proveContent, provesContent, withRetry } from '../../engine/index.ts'
import type { ObjectHead, ObjectStore } from '../../stores/port/object-store.ts'
import { StoreError } from '../../stores/port/store-error.ts'
import type { ObjectAddress } from '../connection.ts'
import type { Session } from '../session/session.ts'

/**
 * What proves that a local file and an object have the same bytes now; null when nothing does. A link where a download
 * is to go is no file.
 */
export async function provenEqual(
  session: Session,
  address: ObjectAddress,
  path: string,
  direction: TransferDirection,
): Promise<Verification | null> {
  const store = session.connection.open(address.location)
  const head = await headOrNull(session, store, address.key)
  const facts = await (direction === 'download' ? lstat(path) : stat(path))
  if (head === null || !facts.isFile() || head.sizeBytes !== facts.size) return null
  const identity = { sizeBytes: facts.size, etag: head.etag, lastModified: head.lastModified }
  const { deps, signal } = session
  const proof = await proveContent({ store, deps, signal }, path, { key: address.key, identity, digests: head.digests })
  return provesContent(proof) ? proof.verification : null
}

/** Null when there is no object. */
export async function headOrNull(session: Session, store: ObjectStore, key: string): Promise<ObjectHead | null> {
  const { signal } = session
  return withRetry(createRetryPolicy(session.retryContext), async () => {
    try {
      return await store.headObject({ key, signal })
    } catch (failure) {
      if (failure instanceof StoreError && failure.code === 'NoSuchKey') return null
      throw failure
    }
  })
}
