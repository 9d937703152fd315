import type { ProxySettings, TrustedServer } from '../../../shared/ipc/network-requests.ts'
import type { SystemProxies } from './system-proxies.ts'
import { systemAuthorities } from '../../stores/network/authorities.ts'
import { proxyName, type Proxy, type Route } from '../../stores/network/network.ts'
import { bareHost, isExempt } from '../../stores/network/proxy-rules.ts'
import { createTrust, type Trust } from '../../stores/network/trust.ts'
import { StoreError } from '../../stores/port/store-error.ts'

/** The manual proxy's password. Null: there is none. An error: it is unavailable now, so the proxy is not asked. */
export type ProxyPassword = string | StoreError | null

/** The settings that routes depend on. */
export interface RouteSettings {
  readonly proxy: ProxySettings
  readonly password: ProxyPassword
  /** As PEM, in addition to those of Node and of the system. */
  readonly authorities: readonly string[]
  readonly servers: readonly TrustedServer[]
}

/** Finds routes to origins, and remembers them. */
export interface Routes {
  routeTo(origin: string): Route | Promise<Route>
  /** Settings have changed: makes new routes, and connections made on the old ones are not used again. */
  forget(): void
}

/** Identifies a server, as its origin does. */
export interface ServerAddress {
  /** An IPv6 address is without brackets. */
  readonly host: string
  readonly port: number
}

/** The host and port of an origin. */
export function serverAddress(origin: string): ServerAddress {
  const { protocol, hostname, port } = new URL(origin)
  return { host: bareHost(hostname), port: Number(port) || (protocol === 'https:' ? 443 : 80) }
}

/** Makes routes from the settings that `settings` returns; call `forget` once those have changed. */
export function createRoutes(settings: () => RouteSettings, system: SystemProxies): Routes {
  const routes = new Map<string, Route>()
  let trust: Promise<Trust> | null = null

  function proxyFor(origin: string): Proxy | null | Promise<Proxy | null> {
    const { proxy, password } = settings()
    if (proxy.mode === 'none') return null
    if (proxy.mode === 'system') return system.find(origin)
    const { host, port } = serverAddress(origin)
    if (proxy.host === '' || isExempt(proxy.exempt, host, port)) return null
    return password instanceof StoreError ? Promise.reject(password) : manualProxy(proxy, password)
  }

  async function trustFor(origin: string): Promise<Trust> {
    const { authorities, servers } = settings()
    if (!origin.startsWith('https:')) return PLAIN
    trust ??= systemAuthorities().then((ofSystem) => createTrust([...ofSystem, ...authorities]))
    const { context } = await trust
    const address = serverAddress(origin)
    const server = servers.find(({ host, port }) => host === address.host && port === address.port)
    return { context, pinned: server?.certificate.fingerprint ?? null }
  }

  async function find(origin: string, found: ReturnType<typeof proxyFor>): Promise<Route> {
    const before = settings()
    const route = { proxy: await found, trust: await trustFor(origin) }
    if (settings() !== before) return find(origin, proxyFor(origin))
    const known = routes.get(origin)
    if (known !== undefined && isSame(known.proxy, route.proxy)) return known
    routes.set(origin, route)
    return route
  }

  return {
    routeTo(origin) {
      const found = proxyFor(origin)
      const known = routes.get(origin)
      const isKnown = known !== undefined && !(found instanceof Promise) && isSame(known.proxy, found)
      return isKnown ? known : find(origin, found)
    },
    forget() {
      trust = null
      routes.clear()
    },
  }
}

const PLAIN = createTrust([])

function manualProxy({ host, port, user }: ProxySettings, password: string | null): Proxy {
  return { host, port, credentials: user === '' ? null : { user, password: password ?? '' } }
}

function isSame(one: Proxy | null, other: Proxy | null): boolean {
  if (one === null || other === null) return one === other
  const [a, b] = [one.credentials, other.credentials]
  return proxyName(one) === proxyName(other) && a?.user === b?.user && a?.password === b?.password
}
