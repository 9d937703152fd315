import type { IncomingMessage } from 'node:http'
import { ServiceError } from './service-error.ts'

/** Names of this computer, and buckets in front of `localhost`, the only name that can have them (RFC 6761, 6.3). */
const LOCAL_HOST = /^(127(\.\d{1,3}){3}|\[::1\]|([^.:/]+\.)*localhost\.?)(:\d+)?$/i

/**
 * Throws AccessDenied for a request that a web page may have sent. Without keys, nothing else keeps web pages out: the
 * browser sends the page's Origin with any request that changes something, and the page's own host name as Host when
 * that name was made to resolve to this computer.
 */
export function refuseWebPages({ headers }: IncomingMessage, host: string): void {
  if (headers.origin !== undefined) {
    throw new ServiceError('AccessDenied', 'Without keys, this service refuses requests from web pages.')
  }
  if (!LOCAL_HOST.test(host)) {
    throw new ServiceError('AccessDenied', 'Without keys, this service can be reached only by names of this computer.')
  }
}
