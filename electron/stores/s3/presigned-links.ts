import { lifetimeSeconds, unsignable } from '../messages/presigned-link.ts'
import type { StoreConnection } from '../port/store-connection.ts'
import { routeOf, type Route } from './route.ts'
import { createSigV4, UNSIGNED_PAYLOAD } from './signer.ts'
import { credentialsOf } from './transport.ts'

/**
 * Returns an http(s) link with which anyone can download the object for `expiresSeconds`, at most a week. Throws a
 * StoreError InvalidArgument when the key or connection forms no address, AccessDenied when there are no signing keys.
 */
export async function linkTo(
  connection: StoreConnection,
  key: string,
  expiresSeconds: number,
  signal: AbortSignal,
  route: Route = routeOf(connection),
): Promise<string> {
  const credentials = await credentialsOf(connection, signal)
  if (credentials === null) throw unsignable()
  const path = route.path(key)
  const headers = { host: new URL(route.origin).host }
  const request = { method: 'GET', path, query: '', headers, payloadHash: UNSIGNED_PAYLOAD }
  const dateMs = (connection.now ?? Date.now)()
  const query = createSigV4().presign(
    request,
    { credentials, region: route.region, dateMs },
    lifetimeSeconds(expiresSeconds),
  )
  return `${route.origin}${path}?${query}`
}
