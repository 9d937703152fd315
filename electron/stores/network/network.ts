import { createTrust, type Trust } from './trust.ts'

/** An HTTP proxy. */
export interface Proxy {
  readonly host: string
  readonly port: number
  /** Sent to the proxy alone, never to a service. */
  readonly credentials: { readonly user: string; readonly password: string } | null
}

/** How connections to an origin are made. Kept connections are reused only while the route is the same object. */
export interface Route {
  /** Null for a direct connection to the origin. */
  readonly proxy: Proxy | null
  readonly trust: Trust
}

/** How connections leave this computer. Consulted before each request; returns a promise only when it has to wait. */
export interface Network {
  /** Returns the route to `http://host[:port]` or `https://host[:port]`. */
  routeTo(origin: string): Route | Promise<Route>
  /** The proxy does not answer: the next connection may take another one. */
  unreachable?(proxy: Proxy): void
  /** A connection was made. */
  connected?(): void
  /** A request to `host` (`host:port`) has waited 2 s for its response or a connection; called once per wait. */
  unanswered?(host: string): void
}

const STRAIGHT: Route = { proxy: null, trust: createTrust([]) }

/** No proxy, and only the certificates that Node trusts by itself. */
export const DIRECT: Network = { routeTo: () => STRAIGHT }

/** `host:port` of a proxy, the only part of its address that is ever shown. */
export function proxyName({ host, port }: Proxy): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Returns the header line that signs in at a proxy (RFC 7617), with its line end; empty without credentials. */
export function proxySignIn({ credentials }: Proxy): string {
  if (credentials === null) return ''
  const { user, password } = credentials
  return `proxy-authorization: Basic ${Buffer.from(`${user}:${password}`).toString('base64')}\r\n`
}
