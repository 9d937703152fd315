import { isIP } from 'node:net'
import { StoreError } from '../port/store-error.ts'
import type { StoreConnection } from '../port/store-connection.ts'

/** Query parameters by decoded value; an empty value is sent without `=`. */
export type Query = readonly (readonly [name: string, value: string])[]

/** Where the requests of one connection go. */
export interface Address {
  /** `http://host[:port]` or `https://host[:port]`, with the bucket in front of the host unless path style is used. */
  readonly origin: string
  /** Path of a key, or of the bucket when it is empty. Throws InvalidArgument for a key that is not valid Unicode. */
  readonly path: (key: string) => string
  /** Request target of a key, or of the bucket when it is empty. Throws InvalidArgument for an invalid key. */
  readonly target: (key: string, query: Query) => string
}

/** Determines the address of a connection. Throws InvalidArgument when endpoint or bucket can't form one. */
export function addressOf({
  endpoint,
  bucket,
  pathStyle,
}: Pick<StoreConnection, 'endpoint' | 'bucket' | 'pathStyle'>): Address {
  const url = urlOf(endpoint)
  if (bucket === '') throw invalidArgument('No bucket is given')
  // A bucket can't stand in front of an IP address.
  const isPathStyle = pathStyle || isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0
  const origin = isPathStyle ? url.origin : `${url.protocol}//${bucket}.${url.host}`
  if (!isPathStyle && !(URL.canParse(origin) && new URL(origin).host === `${bucket}.${url.host}`)) {
    throw invalidArgument(`The bucket name ${bucket} can't be part of a host name; use path style`)
  }
  return addressBelow(origin, isPathStyle ? `/${encodeSegments(bucket)}/` : '/')
}

/** Returns the address for requests about the service itself. Throws InvalidArgument for an unusable endpoint. */
export function serviceAddressOf({ endpoint }: Pick<StoreConnection, 'endpoint'>): Address {
  return addressBelow(urlOf(endpoint).origin, '/')
}

function urlOf(endpoint: string): URL {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : null
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw invalidArgument('The endpoint is not an http or https address')
  }
  return url
}

function addressBelow(origin: string, base: string): Address {
  const path = (key: string) => base + encodeSegments(key)
  return { origin, path, target: (key, query) => path(key) + encodeQuery(query) }
}

/**
 * Percent-encodes a key by UTF-8 byte and keeps `/`. Dots and empty segments are part of the name and stay
 * (docs/dialect.md, Requests), so the result must never pass through a URL parser.
 */
export function encodeSegments(key: string): string {
  return percentEncode(key).replace(/%2F/g, '/')
}

function encodeQuery(query: Query): string {
  if (query.length === 0) return ''
  return `?${query.map(([name, value]) => (value === '' ? name : `${name}=${percentEncode(value)}`)).join('&')}`
}

/** Percent-encodes everything but RFC 3986's unreserved characters. Throws InvalidArgument for invalid Unicode. */
export function percentEncode(text: string): string {
  try {
    return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
  } catch (cause) {
    throw invalidArgument('The name is not valid Unicode', cause)
  }
}

/** The error of a request that can't be made as requested and was not sent. */
export function invalidArgument(message: string, cause?: unknown): StoreError {
  return new StoreError('InvalidArgument', message, { maybeProcessed: false, cause })
}
