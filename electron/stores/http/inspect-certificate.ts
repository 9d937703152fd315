import * as net from 'node:net'
import * as tls from 'node:tls'
import type { X509Certificate } from 'node:crypto'
import { networkError } from './wire/network-error.ts'
import type { Route } from '../network/network.ts'
import { bareHost } from '../network/proxy-rules.ts'
import { refusalOf, trustOptions } from '../network/trust.ts'
import { proxyFailure, requestTunnel } from './tunnel.ts'

/** What a server shows who it is with. */
export interface InspectedCertificate {
  readonly certificate: X509Certificate
  /** Node's code of what is wrong with it; null: it checks out. */
  readonly problem: string | null
}

/**
 * Looks at the certificate of `https://host[:port]` and says nothing to the server. Throws a StoreError where there is
 * no certificate to be seen, and `signal.reason`.
 */
export function inspectCertificate(origin: string, route: Route, signal: AbortSignal): Promise<InspectedCertificate> {
  const { hostname, port, host: authority } = new URL(origin)
  const host = bareHost(hostname)
  const to = { host, port: Number(port) || 443 }
  const { proxy } = route
  return new Promise((resolve, reject) => {
    const outer = net.connect(proxy === null ? to : { host: proxy.host, port: proxy.port })
    const settle = (end: () => void): void => {
      signal.removeEventListener('abort', onAbort)
      outer.destroy()
      end()
    }
    const onAbort = (): void => settle(() => reject(signal.reason as Error))
    const fail = (error: Error): void => settle(() => reject(networkError(error, authority)))
    const secure = (): void => {
      // With nothing pinned that any certificate could equal, it is told what is wrong instead of being cut off.
      const options = trustOptions({ ...route.trust, pinned: '' })
      const server = net.isIP(host) === 0 ? { servername: host } : { host }
      const socket = tls.connect({ socket: outer, ...options, ...server })
      socket.on('error', fail)
      socket.once('secureConnect', () => {
        const certificate = socket.getPeerX509Certificate()
        const refusal = refusalOf(socket, { pinned: null })
        if (certificate === undefined) fail(new Error('It shows no certificate'))
        else settle(() => resolve({ certificate, problem: refusal?.message ?? null }))
      })
    }
    signal.addEventListener('abort', onAbort)
    outer.on('error', (error) => fail(proxy === null ? error : proxyFailure(proxy, error)))
    outer.once('close', () => fail(new Error('The connection was closed')))
    outer.once('connect', () => {
      if (proxy === null) secure()
      else requestTunnel(outer, proxy, `${hostname}:${to.port}`, secure, fail)
    })
  })
}
