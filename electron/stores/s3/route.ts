import { addressOf, serviceAddressOf, type Address } from '../messages/address.ts'
import type { StoreConnection } from '../port/store-connection.ts'

type Destination = Pick<StoreConnection, 'endpoint' | 'bucket' | 'pathStyle' | 'region'>

/** Where requests currently go, and the region they are signed for. */
export interface Route extends Address {
  readonly endpoint: string
  readonly region: string
}

/** Amazon's host names for S3: `s3.amazonaws.com`, `s3.<region>.…`, `s3-<region>.…`, `s3.dualstack.<region>.…`. */
const AMAZON_HOST = /^s3(?:(\.dualstack)?[.-]([a-z]{2}(?:-[a-z]+)+-\d))?\.amazonaws\.com(\.cn)?$/
const REGION = /^[a-z0-9][a-z0-9-]{0,62}$/i

/**
 * The route of a connection; it leads to the service itself when the connection names no bucket. If the connection
 * gives no region, the one in its endpoint wins over the default.
 */
export function routeOf(connection: Destination): Route {
  const { endpoint, region } = connection
  return { ...whereTo(connection), endpoint, region: region === '' ? (regionOf(endpoint) ?? 'us-east-1') : region }
}

/**
 * Returns the route for the region that a response names: the same host, or Amazon's host of that region if the current
 * host is Amazon's. A signed request goes to no other host, whatever a redirect says. Returns null when the route would
 * not change.
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

/** Without a bucket, requests address the service. A certificate for `*.host` does not cover `a.b.host`. */
function whereTo({ endpoint, bucket, pathStyle }: Destination): Address {
  if (bucket === '') return serviceAddressOf({ endpoint })
  const isDotted = bucket.includes('.') && endpoint.startsWith('https:')
  const address = addressOf({ endpoint, bucket, pathStyle: pathStyle || isDotted })
  // Omits the slash, as Amazon's own clients do: some servers remove it before they check the signature.
  return { ...address, path: (key) => (key === '' ? address.path('').replace(/(.)\/$/, '$1') : address.path(key)) }
}
