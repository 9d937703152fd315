import type { WaitCauseCode } from '../../../shared/wait-cause.ts'

/**
 * A request that a store refused, or that never got a usable answer. `code` is the service's own code where one
 * arrived (docs/dialect.md, Errors), else one of ours below.
 */
export class StoreError extends Error {
  readonly code: string
  /** Null when no answer arrived. */
  readonly httpStatus: number | null
  /** `x-storage-request-id` of the answer, where it carried one. */
  readonly requestId: string | null
  /** From Retry-After (RFC 9110, 10.2.3), milliseconds from now; null when absent. */
  readonly retryAfterMs: number | null
  /** False only when the request certainly did not reach the service, so that repeating it is safe. */
  readonly maybeProcessed: boolean
  /** How the way to the service failed, and to whom; null when an answer tells. */
  readonly trouble: Trouble | null

  constructor(
    code: string,
    message: string,
    facts: {
      readonly httpStatus?: number | null
      readonly requestId?: string | null
      readonly retryAfterMs?: number | null
      readonly maybeProcessed?: boolean
      readonly trouble?: Trouble
      readonly cause?: unknown
    } = {},
  ) {
    super(message, { cause: facts.cause })
    this.name = 'StoreError'
    this.code = code
    this.httpStatus = facts.httpStatus ?? null
    this.requestId = facts.requestId ?? null
    this.retryAfterMs = facts.retryAfterMs ?? null
    this.maybeProcessed = facts.maybeProcessed ?? true
    this.trouble = facts.trouble ?? null
  }
}

/** `host:port` is of the service, or of the proxy where that is at fault. */
export interface Trouble {
  readonly code: WaitCauseCode
  readonly host: string
}

/** Codes of our own, for failures that carry none of the service's. */
export const STORE_ERROR = {
  /** Name look-up, connect, reset, early end of a body, watchdog. */
  network: 'NetworkError',
  /** The certificate chain or host name did not check out. */
  tls: 'CertificateError',
  /** What answers there speaks no TLS, or none that is safe. */
  noTls: 'NoSecureConnection',
  /** The proxy can't be reached, or can't reach the service. Nothing was sent to the service. */
  proxy: 'ProxyError',
  /** The proxy wants a name and password, or others than it was given. */
  proxySignIn: 'ProxySignInNeeded',
  /** The proxy does not allow connections to the service. */
  proxyRefused: 'ProxyRefused',
  /** 404, 405 or 501 without a known code: the service lacks this operation (docs/dialect.md, Two rules). */
  notImplemented: 'OperationNotAvailable',
  /** The network's settings name a kind of proxy, or the proxy a kind of sign-in, that this client does not speak. */
  proxyUnsupported: 'ProxyUnsupported',
  /** The place that keys and address are of is no more. */
  placeRemoved: 'PlaceRemoved',
  /** The key of the place, or the sign-in of the link, is in a keyring that can't be opened now. */
  keyringLocked: 'KeyringLocked',
  /** The password of the proxy is in a keyring that can't be opened now. */
  proxyKeyringLocked: 'ProxyKeyringLocked',
  /** A link that was good for a time. */
  linkExpired: 'LinkExpired',
  /** A 2xx whose body or headers are not what the operation promises. */
  badAnswer: 'BadAnswer',
  /**
   * A page for people came where no service or file answers so: the network wants a sign-in before it lets anything
   * out.
   */
  networkSignIn: 'NetworkSignIn',
  /** A page for people instead of a link's file, from the server itself. */
  webPage: 'WebPage',
  /** A redirect that may not be followed. */
  redirect: 'RedirectRefused',
  /** An error status whose body names no code; `httpStatus` tells which. */
  unnamed: 'UnnamedError',
} as const

const OWN_CODES: ReadonlySet<string> = new Set(Object.values(STORE_ERROR))

/** Whether a code is one of ours: no service speaks in their name. */
export function isOwnCode(code: string): boolean {
  return OWN_CODES.has(code)
}
