import type { Socket } from 'node:net'
import { STORE_ERROR, StoreError } from '../port/store-error.ts'
import { parseHead, type ResponseHead } from './wire/head-parser.ts'
import { proxyName, proxySignIn, type Proxy } from '../network/network.ts'
import { ProtocolError, troubleOf } from './wire/network-error.ts'

const MAX_HEAD_BYTES = 64 * 1024
const HEAD_END = '\r\n\r\n'

/**
 * Asks the proxy at the other end of `socket` for a tunnel to `authority`, `host:port` (RFC 9110, 9.3.6). Calls
 * `onOpen` once anything written to the socket goes there, and `onFailure` with a StoreError otherwise.
 */
export function requestTunnel(
  socket: Socket,
  proxy: Proxy,
  authority: string,
  onOpen: () => void,
  onFailure: (error: Error) => void,
): void {
  let received = Buffer.alloc(0)
  socket.on('data', function take(bytes: Buffer) {
    received = Buffer.concat([received, bytes])
    const end = received.indexOf(HEAD_END)
    if (end === -1 && received.length <= MAX_HEAD_BYTES) return
    socket.off('data', take)
    socket.pause()
    const failure = failureOf(received, end, proxy, authority)
    if (failure === null) onOpen()
    else onFailure(failure)
  })
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nhost: ${authority}\r\n${proxySignIn(proxy)}\r\n`, 'latin1')
}

/** Returns null when the tunnel is open. */
function failureOf(received: Buffer, end: number, proxy: Proxy, authority: string): StoreError | null {
  try {
    if (end === -1) throw new ProtocolError('The response head is too long')
    const head = parseHead(received.toString('latin1', 0, end))
    if (head.status < 200 || head.status > 299) return refusalOf(head, proxy, authority)
    // A TLS server says nothing before the client does.
    if (received.length > end + HEAD_END.length) throw new ProtocolError('Bytes arrived before the TLS handshake began')
    return null
  } catch (cause) {
    return proxyFailure(proxy, cause as Error)
  }
}

function refusalOf({ status, headers }: ResponseHead, proxy: Proxy, authority: string): StoreError {
  if (status === 407) return signInNeeded(proxy, headers)
  const isRefused = status >= 400 && status < 500 && status !== 408 && status !== 429
  return new StoreError(
    isRefused ? STORE_ERROR.proxyRefused : STORE_ERROR.proxy,
    isRefused
      ? `The proxy ${proxyName(proxy)} does not allow connections to ${authority} (${status})`
      : `The proxy ${proxyName(proxy)} could not connect to ${authority} (${status})`,
    {
      httpStatus: status,
      maybeProcessed: false,
      ...(isRefused ? {} : { trouble: { code: 'proxy-could-not-connect', host: proxyName(proxy) } as const }),
    },
  )
}

/** The proxy wants a sign-in, rejects this name and password, or accepts only schemes that are not supported. */
export function signInNeeded(proxy: Proxy, headers: ResponseHead['headers']): StoreError {
  const offered = headers.get('proxy-authenticate')
  const facts = { httpStatus: 407, maybeProcessed: false }
  // The header lists the schemes with their parameters in one value (RFC 9110, 11.7.1).
  if (offered !== undefined && !/(?:^|,)\s*basic\b/i.test(offered)) {
    const message = `The proxy ${proxyName(proxy)} accepts only these kinds of sign-in: ${offered} (407)`
    return new StoreError(STORE_ERROR.proxyUnsupported, message, facts)
  }
  const words = proxy.credentials === null ? 'requires a sign-in' : 'rejected the name and password'
  return new StoreError(STORE_ERROR.proxySignIn, `The proxy ${proxyName(proxy)} ${words} (407)`, facts)
}

/** The proxy could not be reached, or gave no proper response. */
export function proxyFailure(proxy: Proxy, cause: Error): StoreError {
  const code = 'code' in cause && typeof cause.code === 'string' ? `${cause.code}: ` : ''
  const message = `Connecting through the proxy ${proxyName(proxy)} failed (${code}${cause.message})`
  const trouble = troubleOf(cause, proxyName(proxy))
  return new StoreError(STORE_ERROR.proxy, message, { maybeProcessed: false, trouble, cause })
}
