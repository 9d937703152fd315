import * as net from 'node:net'
import * as tls from 'node:tls'
import type { X509Certificate } from 'node:crypto'
import { networkError } from './wire/network-error.ts'
import type { Route } from '../network/network.ts'
import { bareHost } from '../network/proxy-rules.ts'
import { refusalOf, trustOptions } from '../network/trust.ts'
import { proxyFailure, requestTunnel } from './tunnel.ts'

/** The certificate that a server presents. */
export interface InspectedCertificate {
  readonly certificate: X509Certificate
  /** Node's error code for what is wrong with it; null when it checks out. */
  readonly problem: string | null
}

/**
 * Fetches the certificate of `https://host[:port]` without sending the server any request. Throws a StoreError when no
 * certificate can be obtained, and `signal.reason` when aborted.
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
      // With a pin that no certificate can match, Node reports what is wrong instead of cutting the connection off.
      const options = trustOptions({ ...route.trust, pinned: '' })
      const server = net.isIP(host) === 0 ? { servername: host } : { host }
      const socket = tls.connect({ socket: outer, ...options, ...server })
      socket.on('error', fail)
      socket.once('secureConnect', () => {
        const certificate = socket.getPeerX509Certificate()
        const refusal = refusalOf(socket, { pinned: null })
        if (certificate === undefined) fail(new Error('The server presents no certificate'))
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
