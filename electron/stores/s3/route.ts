import { addressOf, serviceAddressOf, type Address } from '../messages/address.ts'
import type { StoreConnection } from '../port/store-connection.ts'

type Destination = Pick<StoreConnection, 'endpoint' | 'bucket' | 'pathStyle' | 'region'>

/** Where requests go at present, and the region they are signed for. */
export interface Route extends Address {
  readonly endpoint: string
  readonly region: string
}

/** Amazon's names of its S3: `s3.amazonaws.com`, `s3.<region>.…`, `s3-<region>.…`, `s3.dualstack.<region>.…`. */
const AMAZON_HOST = /^s3(?:(\.dualstack)?[.-]([a-z]{2}(?:-[a-z]+)+-\d))?\.amazonaws\.com(\.cn)?$/
const REGION = /^[a-z0-9][a-z0-9-]{0,62}$/i

/**
 * The route of a connection, to the service itself where that names no bucket. Its endpoint's own region wins over one
 * that is only a default.
 */
export function routeOf(connection: Destination): Route {
  const { endpoint, region } = connection
  return { ...whereTo(connection), endpoint, region: region === '' ? (regionOf(endpoint) ?? 'us-east-1') : region }
}

/**
 * The route that a response's region leads to: the same host, or Amazon's of that region where it is Amazon's now.
 * A signed request goes to no other host, whatever a redirect says. Null when it would be the same again.
 */
export function reroute(route: Route, connection: Destination, region: string): Route | null {
  if (!REGION.test(region) || region === route.region) return null
  const url = new URL(route.endpoint)
  const amazon = AMAZON_HOST.exec(url.hostname)
  if (amazon !== null) url.hostname = `s3${amazon[1] ?? ''}.${region}.amazonaws.com${amazon[3] ?? ''}`
  const endpoint = amazon === null ? route.endpoint : url.origin
  return { ...whereTo({ ...connection, endpoint }), endpoint, region }
}

function regionOf(endpoint: string): string | null {
  return URL.canParse(endpoint) ? (AMAZON_HOST.exec(new URL(endpoint).hostname)?.[2] ?? null) : null
}

/** Without a bucket, requests are about the service. A certificate of `*.host` is none of `a.b.host`. */
function whereTo({ endpoint, bucket, pathStyle }: Destination): Address {
  if (bucket === '') return serviceAddressOf({ endpoint })
  const isDotted = bucket.includes('.') && endpoint.startsWith('https:')
  const address = addressOf({ endpoint, bucket, pathStyle: pathStyle || isDotted })
  // As Amazon's own clients do: some servers take the slash away before they check the signature.
  return { ...address, path: (key) => (key === '' ? address.path('').replace(/(.)\/$/, '$1') : address.path(key)) }
}
