import { canonicalString } from '../../../shared/place/storage-signature.ts'
import { addressOf } from '../messages/address.ts'
import { lifetimeSeconds, unsignable } from '../messages/presigned-link.ts'
import type { StoreConnection } from '../port/store-connection.ts'
import { signText } from './signer.ts'

/**
 * Returns an http(s) link with which anyone can download the object for `expiresSeconds`, at most a week. The query
 * holds access key, expiry and signature; the expiry is signed in place of a request's Date. Such links are
 * undocumented (docs/dialect.md); this is the form that this family of services uses. Throws a StoreError
 * InvalidArgument when the key or connection forms no address, AccessDenied when there are no keys to sign with.
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
