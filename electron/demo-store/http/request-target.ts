import { Buffer } from 'node:buffer'
import { isIP } from 'node:net'
import { MAX_KEY_BYTES } from '../../../shared/limits.ts'
import { decodePercent, decodeQueryComponent, encodeKey } from './percent-encoding.ts'
import { ServiceError } from './service-error.ts'

/** The subject of a request, decoded. */
export interface RequestTarget {
  readonly bucket: string
  /** Empty for the bucket itself. */
  readonly key: string
  readonly query: ReadonlyMap<string, string>
  /** The Host header as sent; `http://<host><path>` is the object's location. */
  readonly host: string
  readonly pathStyle: boolean
}

/**
 * Reads bucket, key and query from the raw request target. Never uses `URL`, which would normalize `.`, `..` and `//`.
 * Throws InvalidArgument (docs/dialect.md, Requests).
 */
export function parseRequestTarget(rawTarget: string, hostHeader: string | undefined): RequestTarget {
  // A client behind a proxy sends the absolute form, whose host wins over the header (RFC 9112, 3.2.2).
  const absolute = /^https?:\/\/([^/?]*)(.*)$/is.exec(rawTarget)
  const host = absolute?.[1] ?? hostHeader ?? ''
  const relative = absolute?.[2] ?? rawTarget
  const queryAt = relative.indexOf('?')
  const path = queryAt < 0 ? relative : relative.slice(0, queryAt)
  if (!path.startsWith('/')) throw new ServiceError('InvalidArgument', 'The path must start with a slash.')

  const query = parseQuery(queryAt < 0 ? '' : relative.slice(queryAt + 1))
  const virtualBucket = bucketOfHost(host)
  const pathStyle = virtualBucket === null
  const keyAt = pathStyle ? path.indexOf('/', 1) : 0
  const key = keyAt < 0 ? '' : decodePercent(path.slice(keyAt + 1))
  if (Buffer.byteLength(key) > MAX_KEY_BYTES) {
    throw new ServiceError('InvalidArgument', `A key may have at most ${MAX_KEY_BYTES} bytes.`)
  }
  const bucket = virtualBucket ?? decodePercent(path.slice(1, keyAt < 0 ? undefined : keyAt))
  return { bucket, key, query, host, pathStyle }
}

/** Returns the location of an object: the host, the bucket in path style, the key (docs/dialect.md, Requests). */
export function locationOf(target: RequestTarget): string {
  const bucketPath = target.pathStyle ? `/${encodeKey(target.bucket)}` : ''
  return `http://${target.host}${bucketPath}/${encodeKey(target.key)}`
}

/** Returns the first label of a host name; null when the path has the bucket: for an IP address or a dotless name. */
function bucketOfHost(host: string): string | null {
  if (host.startsWith('[')) return null
  const name = host.replace(/:\d*$/, '').replace(/\.$/, '')
  const dotAt = name.indexOf('.')
  return dotAt < 0 || isIP(name) !== 0 ? null : name.slice(0, dotAt)
}

function parseQuery(raw: string): ReadonlyMap<string, string> {
  const query = new Map<string, string>()
  for (const pair of raw.split('&')) {
    if (pair === '') continue
    const equalsAt = pair.indexOf('=')
    const name = decodeQueryComponent(equalsAt < 0 ? pair : pair.slice(0, equalsAt))
    if (query.has(name)) throw new ServiceError('InvalidArgument', `The parameter ${name} is given twice.`)
    query.set(name, equalsAt < 0 ? '' : decodeQueryComponent(pair.slice(equalsAt + 1)))
  }
  return query
}
