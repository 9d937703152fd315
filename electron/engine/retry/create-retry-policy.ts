import type { Patience } from '../core/retry-policy.ts'
import { BACKOFF_BASE_MS, BACKOFF_CAP_MS, MIB, RETRY_AFTER_CAP_MS } from '../../../shared/limits.ts'
import type { TransferErrorCode } from '../../../shared/transfer/transfer-error.ts'
import type { WaitReason } from '../../../shared/transfer/transfer.ts'
import { STORE_ERROR, StoreError } from '../../stores/port/store-error.ts'
import type { EngineDeps } from '../core/deps.ts'
import type { RetryBudget } from './retry-budget.ts'
import type { RunOutcome, RunReporter } from '../core/run.ts'
import { SourceAway, TransferError } from '../core/transfer-error.ts'

/** What to do about a failure: wait and try again, or stop with an error a person reads. */
export type Verdict =
  | { readonly kind: 'wait'; readonly reason: WaitReason; readonly retryAfterMs: number | null }
  | { readonly kind: 'stop'; readonly error: TransferError }

const BUSY_STATUSES = new Set([429, 503])
const TRANSIENT_STATUSES = new Set([408, 499, 500, 502, 504, 520, 521, 522, 523, 524])
const TRANSIENT_CODES = new Set(['InternalError', 'RequestTimeout', 'ServiceUnavailable'])
const DISK_FULL_CODES = new Set(['ENOSPC', 'EDQUOT'])

/** The service's codes (dialect: Errors) and ours, as what a person reads. */
const STOP_CODES: Readonly<Record<string, TransferErrorCode>> = {
  AccessDenied: 'access-denied',
  SignatureDoesNotMatch: 'key-not-accepted',
  InvalidAccessKeyId: 'key-not-accepted',
  RequestTimeTooSkewed: 'clock-skew',
  ExpiredToken: 'keys-expired',
  TokenRefreshRequired: 'keys-expired',
  InvalidToken: 'keys-expired',
  NoSuchBucket: 'no-such-bucket',
  NoSuchKey: 'no-such-key',
  NoSuchUpload: 'upload-lost',
  InvalidDigest: 'part-damaged',
  BadDigest: 'part-damaged',
  InvalidArgument: 'invalid-argument',
  EntityTooSmall: 'internal',
  MalformedJSON: 'internal',
  [STORE_ERROR.linkExpired]: 'link-expired',
  [STORE_ERROR.placeRemoved]: 'place-removed',
  [STORE_ERROR.tls]: 'certificate-untrusted',
  [STORE_ERROR.proxySignIn]: 'proxy-sign-in',
  [STORE_ERROR.proxyRefused]: 'proxy-refused',
  [STORE_ERROR.proxyUnsupported]: 'proxy-unsupported',
  [STORE_ERROR.notImplemented]: 'feature-unavailable',
}

/** Sorts a failure of a request or of the file system. Pure. */
export function classify(failure: unknown): Verdict {
  if (failure instanceof SourceAway) return { kind: 'wait', reason: 'source-missing', retryAfterMs: null }
  if (failure instanceof TransferError) return { kind: 'stop', error: failure }
  if (failure instanceof StoreError) return classifyStoreError(failure)
  const code = errnoCode(failure)
  if (code !== null && DISK_FULL_CODES.has(code)) return { kind: 'wait', reason: 'disk-full', retryAfterMs: null }
  if (code === 'EROFS') return { kind: 'wait', reason: 'target-unwritable', retryAfterMs: null }
  const detail = failure instanceof Error ? (failure.stack ?? failure.message) : String(failure)
  return { kind: 'stop', error: new TransferError('internal', detail, { cause: failure }) }
}

function classifyStoreError(failure: StoreError): Verdict {
  const { code, httpStatus } = failure
  const retryAfterMs = failure.retryAfterMs === null ? null : Math.min(failure.retryAfterMs, RETRY_AFTER_CAP_MS)
  if (code === STORE_ERROR.network || code === STORE_ERROR.badAnswer) {
    return { kind: 'wait', reason: 'network', retryAfterMs }
  }
  if (code === STORE_ERROR.proxy) return { kind: 'wait', reason: 'proxy', retryAfterMs }
  if (code === 'SlowDown' || (httpStatus !== null && BUSY_STATUSES.has(httpStatus))) {
    return { kind: 'wait', reason: 'server-busy', retryAfterMs }
  }
  if (TRANSIENT_CODES.has(code) || (httpStatus !== null && TRANSIENT_STATUSES.has(httpStatus))) {
    return { kind: 'wait', reason: 'server-error', retryAfterMs }
  }
  return { kind: 'stop', error: storeErrorToTransferError(failure) }
}

/** What a person reads of a store's refusal. */
export function storeErrorToTransferError(failure: StoreError): TransferError {
  const code = STOP_CODES[failure.code] ?? statusCode(failure.httpStatus)
  return new TransferError(code, failure.message, {
    serviceCode: failure.code,
    httpStatus: failure.httpStatus,
    requestId: failure.requestId,
    cause: failure,
  })
}

function statusCode(httpStatus: number | null): TransferErrorCode {
  switch (httpStatus) {
    case 401:
      return 'key-not-accepted'
    case 403:
      return 'access-denied'
    case 404:
      return 'no-such-key'
    case 407:
      return 'proxy-sign-in'
    case 410:
      return 'link-expired'
    default:
      return 'refused-by-server'
  }
}

/** What a person reads of a failure, also of one that would have been waited out elsewhere. */
function transferErrorOf(failure: unknown): TransferError {
  const verdict = classify(failure)
  if (verdict.kind === 'stop') return verdict.error
  const detail = failure instanceof Error ? (failure.stack ?? failure.message) : String(failure)
  const { reason } = verdict
  const isOfFile = reason === 'disk-full' || reason === 'target-unwritable' || reason === 'source-missing'
  return new TransferError(isOfFile ? reason : 'internal', detail, { cause: failure })
}

/** How a run ends that threw: on demand, or with what a person reads. */
export function outcomeOfFailure(signal: AbortSignal, failure: unknown): RunOutcome {
  return signal.aborted ? { kind: 'stopped' } : { kind: 'failed', error: transferErrorOf(failure).info }
}

/** `code` of a Node system error, or null. */
export function errnoCode(failure: unknown): string | null {
  return failure instanceof Error && 'code' in failure && typeof failure.code === 'string' ? failure.code : null
}

/** Full-jitter backoff before try `attempt` + 1, milliseconds: random in 0 to min(30 s, 0.5 s · 2^attempt). */
export function backoffMs(attempt: number, random: () => number): number {
  return Math.round(random() * Math.min(BACKOFF_CAP_MS, BACKOFF_BASE_MS * 2 ** Math.min(attempt, 16)))
}

/** Progress that counts as a success: what failed before is forgotten, and one broken connection is mended at once. */
export const PROGRESS_BYTES = MIB
/** Connections can break together; this many are mended at once before there must be progress again. */
const MAX_MENDS = 8

/** What patience needs of a run; a RunContext has it. */
export interface PatienceContext {
  readonly deps: Pick<EngineDeps, 'clock' | 'random'>
  readonly giveUpAfterMs: number | null
  readonly signal: AbortSignal
  readonly report: Pick<RunReporter, 'waiting'>
  /** Shared by all that ask the same service; left out: no limit of retries. */
  readonly retryBudget?: RetryBudget
}

/**
 * Creates the patience of one run. Waiting is not failing: without `giveUpAfterMs` it never ends by itself; with it,
 * `gave-up-waiting` is thrown once that long has passed without progress. A connection that breaks after progress costs
 * no wait.
 */
export function createPatience(context: PatienceContext): Patience {
  const { clock, random } = context.deps
  let attempt = 0
  let waiters = 0
  let lastProgressMs = clock.monotonicMs()
  /** Progress that no mended connection has used up. */
  let freshBytes = 0
  let bytesSinceFailure = 0

  function mendsAtOnce(verdict: Verdict & { readonly kind: 'wait' }): boolean {
    if (verdict.reason !== 'network' || verdict.retryAfterMs !== null || freshBytes < PROGRESS_BYTES) return false
    freshBytes -= PROGRESS_BYTES
    return true
  }

  return {
    progressed(bytes) {
      if (bytes <= 0) return
      lastProgressMs = clock.monotonicMs()
      freshBytes = Math.min(MAX_MENDS * PROGRESS_BYTES, freshBytes + bytes)
      bytesSinceFailure += bytes
      if (bytesSinceFailure < PROGRESS_BYTES) return
      bytesSinceFailure -= PROGRESS_BYTES
      attempt = 0
      context.retryBudget?.refund()
    },
    async waitAfter(failure) {
      if (context.signal.aborted) throw context.signal.reason
      const verdict = classify(failure)
      if (verdict.kind === 'stop') throw verdict.error
      if (mendsAtOnce(verdict)) return
      attempt += 1
      bytesSinceFailure = 0
      const isSpent = context.retryBudget?.spend(failure) === false
      const longMs = isSpent ? (BACKOFF_CAP_MS * (1 + random())) / 2 : 0
      const delayMs = Math.round(Math.max(backoffMs(attempt, random), longMs, verdict.retryAfterMs ?? 0))
      const idleMs = clock.monotonicMs() - lastProgressMs
      if (context.giveUpAfterMs !== null && idleMs + delayMs > context.giveUpAfterMs) {
        const detail = failure instanceof Error ? failure.message : String(failure)
        throw new TransferError('gave-up-waiting', detail, { cause: failure })
      }
      const isAsked = verdict.retryAfterMs !== null
      const retryAtMs = clock.nowMs() + delayMs
      context.report.waiting({ reason: verdict.reason, retryAtMs, attempt, ...(isAsked ? { isAsked } : {}) })
      waiters += 1
      try {
        await clock.sleep(delayMs, context.signal)
      } finally {
        waiters -= 1
        if (waiters === 0) context.report.waiting(null)
      }
    },
  }
}

/** Asks again and again as patience allows. Only for requests that are safe to repeat. */
export async function patiently<Value>(patience: Patience, request: () => Promise<Value>): Promise<Value> {
  for (;;) {
    try {
      return await request()
    } catch (failure) {
      await patience.waitAfter(failure)
    }
  }
}
