import { STORE_ERROR } from '../../../shared/service-codes.ts'
import type { WaitCauseCode } from '../../../shared/wait-cause.ts'

export { STORE_ERROR } from '../../../shared/service-codes.ts'

/**
 * A request that a store refused, or that never got a usable response. `code` is the service's own code if one arrived
 * (docs/dialect.md, Errors), otherwise one of STORE_ERROR.
 */
export class StoreError extends Error {
  readonly code: string
  /** Null when no response arrived. */
  readonly httpStatus: number | null
  /** The service's id of the request (`x-storage-request-id`, `x-amz-request-id`); null when it gave none. */
  readonly requestId: string | null
  /** From Retry-After (RFC 9110, 10.2.3), milliseconds from now; null when absent. */
  readonly retryAfterMs: number | null
  /** False only when the service certainly did nothing, since it refused or wasn't reached: repeating is then safe. */
  readonly maybeProcessed: boolean
  /** How reaching the service failed, and at which host; null when a response tells. */
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

/** `host` is the `host:port` of the service, or of the proxy when that is at fault; null if only the service can be. */
export interface Trouble {
  readonly code: WaitCauseCode
  readonly host: string | null
}

const OWN_CODES: ReadonlySet<string> = new Set(Object.values(STORE_ERROR))

/** Returns whether a code is one of ours; no service may use these. */
export function isOwnCode(code: string): boolean {
  return OWN_CODES.has(code)
}
