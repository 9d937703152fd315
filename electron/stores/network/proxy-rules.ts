import { BlockList, isIP } from 'node:net'
import { percentDecoded } from '../../../shared/place/percent-decoded.ts'
import type { Proxy } from './network.ts'

/** The port of a proxy whose address names none, as in curl. */
const DEFAULT_PORT = 1080

/**
 * Parses a proxy as environment variables write it: `[http://][user:password@]host[:port]`. Returns null for anything
 * else, and for proxy types that this client does not support (https, SOCKS).
 */
export function parseProxy(text: string): Proxy | null {
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`
  const url = URL.canParse(address) ? new URL(address) : null
  if (url === null || url.protocol !== 'http:' || url.hostname === '') return null
  const user = percentDecoded(url.username)
  const password = percentDecoded(url.password)
  if (user === null || password === null) return null
  const credentials = user === '' ? null : { user, password }
  return { host: bareHost(url.hostname), port: portOf(address, url), credentials }
}

/** `URL` drops a port that is the scheme's default. */
function portOf(address: string, url: URL): number {
  if (url.port !== '') return Number(url.port)
  return /:80\/?$/.test(address) ? 80 : DEFAULT_PORT
}

/**
 * Returns whether a host is exempt from proxies. Rules are separated by commas or blanks; each is a name that covers
 * itself and its subdomains, an address, a network such as `10.0.0.0/8`, any of these with a port, or `*` for all.
 */
export function isExempt(rules: string, hostname: string, port: number): boolean {
  const host = bareHost(hostname).toLowerCase().replace(/\.$/, '')
  return rules
    .toLowerCase()
    .split(/[\s,]+/)
    .some((rule) => rule !== '' && fits(rule, host, port))
}

function fits(rule: string, host: string, port: number): boolean {
  if (rule === '*') return true
  if (rule.includes('/')) return isWithin(rule, host)
  const withPort = /^(\[[^\]]+\]|[^:]+):(\d+)$/.exec(rule)
  if (withPort !== null && Number(withPort[2]) !== port) return false
  const name = bareHost(withPort?.[1] ?? rule).replace(/^\*?\./, '')
  if (isIP(name) !== 0 || isIP(host) !== 0) return name === host
  return host === name || host.endsWith(`.${name}`)
}

function isWithin(rule: string, host: string): boolean {
  const [network = '', bits = ''] = rule.split('/')
  const family = isIP(host)
  if (family === 0 || isIP(network) !== family || !/^\d{1,3}$/.test(bits)) return false
  if (Number(bits) > (family === 4 ? 32 : 128)) return false
  const type = family === 4 ? 'ipv4' : 'ipv6'
  const list = new BlockList()
  list.addSubnet(network, Number(bits), type)
  return list.check(host, type)
}

/** Removes the brackets around a literal IPv6 address. */
export function bareHost(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '')
}
