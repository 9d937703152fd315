// The single entry point of the stores. It decides which dialect a connection speaks.

import { assertNever } from '../../shared/assert.ts'
import type { ListedBucket } from '../../shared/place/place.ts'
import type { ObjectStore } from './port/object-store.ts'
import type { StoreConnection } from './port/store-connection.ts'
import { createBucket as createS3Bucket } from './s3/create-bucket.ts'
import { listBuckets as listS3Buckets } from './s3/listings.ts'
import { createS3Store } from './s3/s3-store.ts'
import { STORE_ERROR, StoreError } from './port/store-error.ts'
import { listBuckets as listStorageBuckets } from './storage/list-buckets.ts'
import { createStorageStore } from './storage/storage-store.ts'

export { createProfileCredentials } from './s3/profiles/profile-credentials.ts'
export { readProfiles } from './s3/profiles/profiles.ts'
export { awaitSign, originOf, tryListing } from './probe.ts'
export { splitSignIn, type LinkSignIn } from './url/link-sign-in.ts'
export { createUrlStore } from './url/url-store.ts'
export type { CredentialSource, StoreConnection } from './port/store-connection.ts'

/** Opens the bucket that a connection names, in its dialect. Throws a StoreError when it can't be opened. */
export function createStore(connection: StoreConnection): ObjectStore {
  switch (connection.dialect) {
    case 'storage':
      return createStorageStore(connection)
    case 's3':
      return createS3Store(connection)
    default:
      return assertNever(connection.dialect)
  }
}

/**
 * Lists the buckets that a connection's key may see; the connection's own bucket plays no part. Throws what the verbs
 * of a store throw.
 */
export function listBuckets(connection: StoreConnection, signal: AbortSignal): Promise<readonly ListedBucket[]> {
  return connection.dialect === 's3' ? listS3Buckets(connection, signal) : listStorageBuckets(connection, signal)
}

/**
 * Creates a bucket beside the connection's own. Throws what the verbs of a store throw; NotImplemented for the storage
 * dialect, which has no such operation.
 */
export async function createBucket(connection: StoreConnection, bucket: string, signal: AbortSignal): Promise<void> {
  if (connection.dialect === 's3') return createS3Bucket(connection, bucket, signal)
  throw new StoreError(STORE_ERROR.notImplemented, 'The storage dialect creates no buckets', { maybeProcessed: false })
}
