import { canonicalString } from '../../../shared/place/storage-signature.ts'
import { addressOf } from '../messages/address.ts'
import { lifetimeSeconds, unsignable } from '../messages/presigned-link.ts'
import type { StoreConnection } from '../port/store-connection.ts'
import { signText } from './signer.ts'

/**
 * An http(s) link with which anyone can download the object for so many seconds, a week at most: access key, expiry and
 * signature in the query, the expiry signed where a request has its Date. None are documented (docs/dialect.md);
 * this is the shape that its family of services has. Throws a StoreError InvalidArgument for a key or connection that
 * is no address, AccessDenied where there are no keys to sign with.
 */
export function linkTo(connection: StoreConnection, key: string, expiresSeconds: number): string {
  const { bucket, signature, credentials, now = Date.now } = connection
  const { origin, target } = addressOf(connection)
  if (signature === 'none' || credentials === null) throw unsignable()
  const expires = String(Math.floor(now() / 1000) + lifetimeSeconds(expiresSeconds))
  const proof = signText(signature, credentials, canonicalString({ method: 'GET', date: expires, bucket, key }))
  const query = [
    ['AccessKeyId', credentials.accessKeyId],
    ['Expires', expires],
    ['Signature', proof],
  ] as const
  return origin + target(key, query)
}
