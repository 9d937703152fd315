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

/**
 * TLS alerts (RFC 8446, 6.2; RFC 5246, 7.2.2) by which a server refuses this client, in the words of TLS libraries.
 * Other alerts mean that something broke on the way or in the server.
 */
const REFUSING_ALERTS: readonly string[] = [
  'ACCESS_DENIED',
  'BAD_CERTIFICATE',
  'CERTIFICATE_EXPIRED',
  'CERTIFICATE_REQUIRED',
  'CERTIFICATE_REVOKED',
  'CERTIFICATE_UNKNOWN',
  'HANDSHAKE_FAILURE',
  'INAPPROPRIATE_FALLBACK',
  'INSUFFICIENT_SECURITY',
  'MISSING_EXTENSION',
  'NO_APPLICATION_PROTOCOL',
  'PROTOCOL_VERSION',
  'UNKNOWN_CA',
  'UNRECOGNIZED_NAME',
  'UNSUPPORTED_CERTIFICATE',
  'UNSUPPORTED_EXTENSION',
]
/** Errors that this side reports when bytes of a handshake were damaged on the way. */
const DAMAGED = /BAD_DECRYPT|BAD_RECORD_MAC|BAD_SIGNATURE|DIGEST_CHECK_FAILED/

const WORDS: Readonly<Record<string, string>> = {
  ANSWER_STALLED: 'The response stalled',
  CONNECT_TIMEOUT: 'Connecting took too long',
  ENDED_EARLY: 'The response ended early',
  NO_ANSWER: 'The server did not answer',
  NOT_HTTP: 'The response is not valid HTTP',
  ENOTFOUND: 'The host name is unknown',
  EAI_AGAIN: 'The host name could not be looked up',
  ECONNREFUSED: 'The connection was refused',
  EMFILE: 'No more connections can be opened now',
  ENFILE: 'No more connections can be opened now',
}

const TROUBLES: Readonly<Record<string, WaitCauseCode>> = {
  ANSWER_STALLED: 'answer-stalled',
  CONNECT_TIMEOUT: 'connect-timeout',
  ETIMEDOUT: 'connect-timeout',
  NO_ANSWER: 'no-answer',
  NOT_HTTP: 'not-http',
  EMFILE: 'no-descriptors',
  ENFILE: 'no-descriptors',
  ENOTFOUND: 'unknown-host',
  EAI_AGAIN: 'look-up-failed',
  ECONNREFUSED: 'connection-refused',
  EHOSTUNREACH: 'no-route',
  ENETDOWN: 'no-route',
  ENETUNREACH: 'no-route',
}

/** Returns what became of the route to `host`, judging by the error's code. */
export function troubleOf(cause: Error, host: string, platform: NodeJS.Platform = process.platform): Trouble {
  if (isKeptOut(cause, platform)) return { code: 'kept-out', host }
  return { code: TROUBLES[codeOf(cause)] ?? 'connection-lost', host }
}

function codeOf(cause: Error): string {
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : ''
}

/** How far an exchange had come when it failed. */
interface Reached {
  /** The request may have reached the service. */
  readonly wasSent: boolean
  /** The connection has received some bytes of a response, to this request or an earlier one. */
  readonly hasReceived: boolean
}

/** Returns null when this is not a TLS failure, or one that a new connection may not meet again. */
function tlsRefusal(cause: Error, { wasSent, hasReceived }: Reached): string | null {
  const code = codeOf(cause)
  if (CERTIFICATE_CODES.has(code) || code.startsWith('ERR_TLS_CERT_')) return STORE_ERROR.tls
  const isOfTls = code === 'EPROTO' || code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_')
  if (!isOfTls || hasReceived) return null
  const name = (code === 'EPROTO' ? cause.message : code).toUpperCase().replaceAll(' ', '_')
  // A TLS 1.3 server may refuse the client after the client is allowed to send.
  if (REFUSING_ALERTS.some((alert) => name.includes(alert))) return STORE_ERROR.noTls
  return wasSent || name.includes('ALERT') || DAMAGED.test(name) ? null : STORE_ERROR.noTls
}

/** No connection was made. */
const NOT_BEGUN: Reached = { wasSent: false, hasReceived: false }

/** A failure that this client detected, not the system. */
export class ConnectionError extends Error {
  readonly code: string

  constructor(code: 'ANSWER_STALLED' | 'CONNECT_TIMEOUT' | 'ENDED_EARLY' | 'NO_ANSWER' | 'NOT_HTTP', message: string) {
    super(message)
    this.code = code
  }
}

/** Bytes that are not, or not certainly, a response by RFC 9112. */
export class ProtocolError extends ConnectionError {
  constructor(message: string) {
    super('NOT_HTTP', message)
  }
}

/** Describes, as a StoreError, why no whole response came from `host`. */
export function networkError(cause: Error, host: string, reached: Reached = NOT_BEGUN): StoreError {
  if (cause instanceof StoreError) return cause
  const code = codeOf(cause)
  const { wasSent } = reached
  const refused = tlsRefusal(cause, reached)
  const detail = [code, cause.message].filter((word) => word !== '').join(': ')
  const words =
    refused === null ? (WORDS[code] ?? 'The connection was lost') : `The secure connection to ${host} failed`
  const message = `${words} (${detail})`
  if (refused !== null) return new StoreError(refused, message, { maybeProcessed: wasSent, cause })
  const trouble = troubleOf(cause, host)
  return new StoreError(STORE_ERROR.network, message, { maybeProcessed: wasSent, trouble, cause })
}
