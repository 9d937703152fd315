import { createTrust, type Trust } from './trust.ts'

/** An HTTP proxy. */
export interface Proxy {
  readonly host: string
  readonly port: number
  /** Go to the proxy alone, never to a service. */
  readonly credentials: { readonly user: string; readonly password: string } | null
}

/** How connections to an origin are made. Kept ones are used again only while it is the same object. */
export interface Route {
  /** Null: straight to the origin. */
  readonly proxy: Proxy | null
  readonly trust: Trust
}

/**
 * How connections leave this computer. Asked before each request; a promise only where there is something to wait for.
 */
export interface Network {
  /** For `http://host[:port]` or `https://host[:port]`. */
  routeTo(origin: string): Route | Promise<Route>
  /** Nothing answers there: the next connection may take another proxy. */
  unreachable?(proxy: Proxy): void
  /** A connection was made. */
  connected?(): void
  /** A question to `host` (`host:port`) has waited for its response, or a connection, for 2 s; told once each time. */
  unanswered?(host: string): void
}

const STRAIGHT: Route = { proxy: null, trust: createTrust([]) }

/** No proxy, and the certificates that Node trusts by itself. */
export const DIRECT: Network = { routeTo: () => STRAIGHT }

/** `host:port` of a proxy, which is all that is ever told of it. */
export function proxyName({ host, port }: Proxy): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** The header field line that signs in at a proxy (RFC 7617), with its line end; empty without credentials. */
export function proxySignIn({ credentials }: Proxy): string {
  if (credentials === null) return ''
  const { user, password } = credentials
  return `proxy-authorization: Basic ${Buffer.from(`${user}:${password}`).toString('base64')}\r\n`
}
