import { errnoCode } from '../engine/index.ts'
import { readAuthorities, systemAuthorities } from '../stores/network/authorities.ts'
import { DIRECT, type Network, type Proxy, type Route } from '../stores/network/network.ts'
import { bareHost, isExempt, parseProxy } from '../stores/network/proxy-rules.ts'
import { createTrust, type Trust } from '../stores/network/trust.ts'
import type { Environment } from './connection-options.ts'
import { systemWords } from './command-error.ts'
import { UsageError } from './usage-error.ts'

/**
 * The network as environment variables describe it, interpreted as curl does. Throws UsageError for a proxy that can't
 * be used, or a file without certificates.
 */
export async function environmentNetwork(environment: Environment): Promise<Network> {
  const exempt = variable(environment, 'NO_PROXY')?.value ?? ''
  const isAllExempt = exempt.trim() === '*'
  const proxies = {
    'http:': isAllExempt ? null : proxyOf(environment, 'HTTP_PROXY'),
    'https:': isAllExempt ? null : proxyOf(environment, 'HTTPS_PROXY'),
  }
  const named = await namedAuthorities(environment)
  const routes = new Map<string, Route>()
  let trust: Promise<Trust> | null = null

  function remember(origin: string, route: Route): Route {
    const known = routes.get(origin) ?? route
    routes.set(origin, known)
    return known
  }

  return {
    routeTo(origin) {
      const known = routes.get(origin)
      if (known !== undefined) return known
      const { protocol, hostname, port } = new URL(origin)
      const isSecure = protocol === 'https:'
      const given = proxies[isSecure ? 'https:' : 'http:']
      const isDirect = given === null || isExempt(exempt, bareHost(hostname), Number(port) || (isSecure ? 443 : 80))
      const proxy = isDirect ? null : given
      if (!isSecure)
        return proxy === null ? DIRECT.routeTo(origin) : remember(origin, { proxy, trust: createTrust([]) })
      trust ??= trustOf(named)
      return trust.then((known) => remember(origin, { proxy, trust: known }))
    },
  }
}

/** The certificates in SSL_CERT_FILE replace those that the system trusts, as with OpenSSL; the others are added. */
interface NamedAuthorities {
  readonly system: readonly string[] | null
  readonly added: readonly string[]
}

async function namedAuthorities(environment: Environment): Promise<NamedAuthorities> {
  const [system, bundle, extra] = await Promise.all(
    ['SSL_CERT_FILE', 'AWS_CA_BUNDLE', 'NODE_EXTRA_CA_CERTS'].map((name) => authoritiesOf(name, environment[name])),
  )
  return { system: system ?? null, added: [...(bundle ?? []), ...(extra ?? [])] }
}

/** Returns null when the variable is not set. */
async function authoritiesOf(name: string, path: string | undefined): Promise<readonly string[] | null> {
  if (path === undefined || path === '') return null
  return readAuthorities(path).catch((failure: unknown) => {
    const isOther = errnoCode(failure)?.startsWith('ERR_OSSL_') === true
    const why = isOther ? 'it holds none' : systemWords(failure)
    throw new UsageError(`${name} names ${path}, which gives no certificates: ${why}.`)
  })
}

async function trustOf({ system, added }: NamedAuthorities): Promise<Trust> {
  return createTrust([...new Set([...(system ?? (await systemAuthorities())), ...added])])
}

/** Returns null when no proxy is named. The variable may contain a password, so no message repeats its value. */
function proxyOf(environment: Environment, own: 'HTTP_PROXY' | 'HTTPS_PROXY'): Proxy | null {
  const found = variable(environment, own) ?? variable(environment, 'ALL_PROXY')
  if (found === null) return null
  const proxy = parseProxy(found.value)
  if (proxy === null) throw new UsageError(`${found.name} must name a proxy that begins with http://.`)
  return proxy
}

/** Reads a variable. The lower-case name goes first, as in curl and other tools. */
function variable(environment: Environment, upper: string): { readonly name: string; readonly value: string } | null {
  for (const name of [upper.toLowerCase(), upper]) {
    const value = environment[name]?.trim() ?? ''
    if (value !== '') return { name, value }
  }
  return null
}
