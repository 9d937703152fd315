import type { HttpRequest } from './http-types.ts'
import { proxySignIn, type Proxy } from '../../network/network.ts'
import { StoreError } from '../../port/store-error.ts'

const TARGET = /^[\x21-\x7e]+$/
const NAME = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/
const KEY_HEADERS: ReadonlySet<string> = new Set(['authorization', 'x-amz-security-token'])

/**
 * Formats the head of a request, to be sent as Latin-1 (RFC 9112, 3). Throws for anything that would not arrive as
 * intended: a TypeError for its target, a StoreError for a header. With a proxy, the request line carries the absolute
 * URL (RFC 9112, 3.2.2).
 */
export function formatRequestHead(
  { method, target, headers, body }: HttpRequest,
  host: string,
  proxy: Proxy | null = null,
): string {
  if (!TARGET.test(target)) throw new TypeError('The request target has characters that must be percent-encoded')
  let text =
    proxy === null
      ? `${method} ${target} HTTP/1.1\r\nhost: ${host}\r\n`
      : `${method} http://${host}${target} HTTP/1.1\r\nhost: ${host}\r\n${proxySignIn(proxy)}`
  for (const name in headers) {
    const value = headers[name] ?? ''
    if (!NAME.test(name) || !VALUE.test(value)) throw unsendable(name)
    text += `${name}: ${value}\r\n`
  }
  if (body === undefined) return `${text}${method === 'PUT' || method === 'POST' ? 'content-length: 0\r\n' : ''}\r\n`
  return `${text}content-length: ${body instanceof Uint8Array ? body.length : body.sizeBytes}\r\n\r\n`
}

/** Most headers are our own, but a person may have pasted more than a key into the one that signs in. */
function unsendable(name: string): StoreError {
  const isOfKey = KEY_HEADERS.has(name)
  const words = isOfKey ? 'The key has a character that no key has' : `The header ${JSON.stringify(name)} can't be sent`
  return new StoreError(isOfKey ? 'InvalidAccessKeyId' : 'InvalidArgument', words, { maybeProcessed: false })
}
