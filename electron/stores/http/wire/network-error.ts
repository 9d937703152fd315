import type { WaitCauseCode } from '../../../../shared/wait-cause.ts'
import { isKeptOut } from '../../network/local-network.ts'
import { STORE_ERROR, StoreError, type Trouble } from '../../port/store-error.ts'

const CERTIFICATE_CODES: ReadonlySet<string> = new Set([
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_REJECTED',
  'CERT_REVOKED',
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'HOSTNAME_MISMATCH',
  'INVALID_CA',
  'INVALID_PURPOSE',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

const WORDS: Readonly<Record<string, string>> = {
  ANSWER_STALLED: 'The answer stalled',
  CONNECT_TIMEOUT: 'Connecting took too long',
  ENDED_EARLY: 'The answer ended early',
  NO_ANSWER: 'No answer came',
  NOT_HTTP: 'The answer is no proper HTTP',
  ENOTFOUND: 'The host name is not known',
  EAI_AGAIN: 'The host name could not be looked up',
  ECONNREFUSED: 'The connection was refused',
}

const TROUBLES: Readonly<Record<string, WaitCauseCode>> = {
  ANSWER_STALLED: 'answer-stalled',
  CONNECT_TIMEOUT: 'connect-timeout',
  ETIMEDOUT: 'connect-timeout',
  NO_ANSWER: 'no-answer',
  NOT_HTTP: 'not-http',
  ENOTFOUND: 'unknown-host',
  EAI_AGAIN: 'look-up-failed',
  ECONNREFUSED: 'connection-refused',
  EHOSTUNREACH: 'no-route',
  ENETDOWN: 'no-route',
  ENETUNREACH: 'no-route',
}

/** What became of the way to `host`, by the code of an error. */
export function troubleOf(cause: Error, host: string, platform: NodeJS.Platform = process.platform): Trouble {
  if (isKeptOut(cause, platform)) return { code: 'kept-out', host }
  return { code: TROUBLES[codeOf(cause)] ?? 'connection-lost', host }
}

function codeOf(cause: Error): string {
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : ''
}

/** Null: no failure of TLS, or one of a connection that was made already, which a new one may not meet. */
function tlsRefusal(code: string, wasSent: boolean): string | null {
  if (CERTIFICATE_CODES.has(code) || code.startsWith('ERR_TLS_CERT_')) return STORE_ERROR.tls
  const isOfTls = code === 'EPROTO' || code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_')
  return isOfTls && (!wasSent || code.includes('ALERT')) ? STORE_ERROR.noTls : null
}

/** A failure that this client, not the system, found out. */
export class ConnectionError extends Error {
  readonly code: string

  constructor(code: 'ANSWER_STALLED' | 'CONNECT_TIMEOUT' | 'ENDED_EARLY' | 'NO_ANSWER' | 'NOT_HTTP', message: string) {
    super(message)
    this.code = code
  }
}

/** Bytes that are no answer by RFC 9112, or not certainly one. */
export class ProtocolError extends ConnectionError {
  constructor(message: string) {
    super('NOT_HTTP', message)
  }
}

/**
 * A failure to get a whole answer from `host`, as a StoreError. `wasSent`: the request may have reached the service.
 */
export function networkError(cause: Error, wasSent: boolean, host: string): StoreError {
  if (cause instanceof StoreError) return cause
  const code = codeOf(cause)
  const refused = tlsRefusal(code, wasSent)
  const detail = [code, cause.message].filter((word) => word !== '').join(': ')
  const words =
    refused === null ? (WORDS[code] ?? 'The connection was lost') : `The secure connection to ${host} failed`
  const message = `${words} (${detail})`
  if (refused !== null) return new StoreError(refused, message, { maybeProcessed: wasSent, cause })
  const trouble = troubleOf(cause, host)
  return new StoreError(STORE_ERROR.network, message, { maybeProcessed: wasSent, trouble, cause })
}
