import { STORE_ERROR } from '../../../shared/service-codes.ts'
import type { WaitCauseCode } from '../../../shared/wait-cause.ts'

export { STORE_ERROR } from '../../../shared/service-codes.ts'

/**
 * A request that a store refused, or that never got a usable response. `code` is the service's own code where one
 * arrived (docs/dialect.md, Errors), else one of STORE_ERROR.
 */
export class StoreError extends Error {
  readonly code: string
  /** Null when no response arrived. */
  readonly httpStatus: number | null
  /** What the service named the request by (`x-storage-request-id`, `x-amz-request-id`); null where it did not. */
  readonly requestId: string | null
  /** From Retry-After (RFC 9110, 10.2.3), milliseconds from now; null when absent. */
  readonly retryAfterMs: number | null
  /** False only when the service certainly did nothing, so that repeating it is safe: it wasn't reached, or refused. */
  readonly maybeProcessed: boolean
  /** How the way to the service failed, and to whom; null when a response tells. */
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

const OWN_CODES: ReadonlySet<string> = new Set(Object.values(STORE_ERROR))

/** Whether a code is one of ours: no service speaks in their name. */
export function isOwnCode(code: string): boolean {
  return OWN_CODES.has(code)
}
