import { STORE_ERROR, StoreError } from '../store-error.ts'

const CERTIFICATE_CODES: ReadonlySet<string> = new Set([
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_REJECTED',
  'CERT_REVOKED',
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'EPROTO',
  'HOSTNAME_MISMATCH',
  'INVALID_CA',
  'INVALID_PURPOSE',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

const WORDS: Readonly<Record<string, string>> = {
  UND_ERR_BODY_TIMEOUT: 'The answer stalled',
  UND_ERR_CONNECT_TIMEOUT: 'Connecting took too long',
  UND_ERR_HEADERS_TIMEOUT: 'No answer came',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'The answer ended early',
  ENOTFOUND: 'The host name is not known',
  EAI_AGAIN: 'The host name could not be looked up',
  ECONNREFUSED: 'The connection was refused',
}

/** A failure to get a whole answer, as a StoreError. `wasSent`: the request may have reached the service. */
export function networkError(cause: Error, wasSent: boolean): StoreError {
  if (cause instanceof StoreError) return cause
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : ''
  const isTls = CERTIFICATE_CODES.has(code) || code.startsWith('ERR_TLS_') || code.startsWith('ERR_SSL_')
  const detail = [code, cause.message].filter((word) => word !== '').join(': ')
  return new StoreError(
    isTls ? STORE_ERROR.tls : STORE_ERROR.network,
    `${isTls ? 'The secure connection failed' : (WORDS[code] ?? 'The connection was lost')} (${detail})`,
    { maybeProcessed: wasSent, cause },
  )
}
