import type { IncomingMessage } from 'node:http'
import { ServiceError } from './service-error.ts'

/** Names of this computer, and buckets in front of the one that can have them (RFC 6761, 6.3). */
const LOCAL_HOST = /^(127(\.\d{1,3}){3}|\[::1\]|([^.:/]+\.)*localhost\.?)(:\d+)?$/i

/**
 * Throws AccessDenied for what a web page may have sent. Without keys only that keeps one away: a page has the browser
 * send its Origin with all that changes something, and the name of its own host when that was made to lead here.
 */
export function refuseWebPages({ headers }: IncomingMessage, host: string): void {
  if (headers.origin !== undefined) {
    throw new ServiceError('AccessDenied', 'Without keys this service does nothing for web pages.')
  }
  if (!LOCAL_HOST.test(host)) {
    throw new ServiceError('AccessDenied', 'Without keys this service answers to names of this computer only.')
  }
}
