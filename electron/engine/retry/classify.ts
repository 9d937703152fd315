import { RETRY_AFTER_CAP_MS } from '../../../shared/limits.ts'
import type { TransferErrorCode } from '../../../shared/transfer/transfer-error.ts'
import type { WaitReason } from '../../../shared/transfer/transfer.ts'
import { STORE_ERROR, StoreError } from '../../stores/port/store-error.ts'
import { errnoCode } from '../core/errno.ts'
import type { RunOutcome } from '../core/run.ts'
import { SourceAway, TransferError } from '../core/transfer-error.ts'

/** What to do about a failure: wait and try again, or stop with an error a person reads. */
export type Verdict =
  | { readonly kind: 'wait'; readonly reason: WaitReason; readonly retryAfterMs: number | null }
  | { readonly kind: 'stop'; readonly error: TransferError }

const BUSY_STATUSES = new Set([429, 503])
const TRANSIENT_STATUSES = new Set([408, 499, 500, 502, 504, 520, 521, 522, 523, 524])
const TRANSIENT_CODES = new Set(['InternalError', 'RequestTimeout', 'ServiceUnavailable'])
const DISK_FULL_CODES = new Set(['ENOSPC', 'EDQUOT'])

/** The service's codes (docs/dialect.md, Errors) and ours, as what a person reads. */
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
  [STORE_ERROR.keyringLocked]: 'key-not-accepted',
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

/** What concerns everything in a folder: the first of many that meets it ends the run. */
export const COMMON_CAUSES: ReadonlySet<TransferErrorCode> = new Set<TransferErrorCode>([
  'certificate-untrusted',
  'clock-skew',
  'gave-up-waiting',
  'key-not-accepted',
  'keys-expired',
  'no-such-bucket',
  'place-removed',
  'proxy-refused',
  'proxy-sign-in',
  'proxy-unsupported',
])
