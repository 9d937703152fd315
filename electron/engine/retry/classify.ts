import { RETRY_AFTER_CAP_MS } from '../../../shared/limits.ts'
import { ARCHIVED_CODE, EXPIRED_CODES, QUOTA_CODES } from '../../../shared/service-codes.ts'
import type { TransferErrorCode, TransferErrorInfo } from '../../../shared/transfer/transfer-error.ts'
import type { WaitReason } from '../../../shared/transfer/transfer.ts'
import { isUnreachableCause, type WaitCause, type WaitCauseCode } from '../../../shared/wait-cause.ts'
import { STORE_ERROR, StoreError } from '../../stores/port/store-error.ts'
import { isNoSpace, isReadOnly } from '../../errno/errno.ts'
import type { RunOutcome } from '../core/run.ts'
import { StateUnwritable } from '../core/checkpoint-store.ts'
import { SourceAway, SpaceLacking, TransferError } from '../core/transfer-error.ts'

/** What to do about a failure: wait and try again, or stop with an error that a person reads. */
export type Verdict =
  | {
      readonly kind: 'wait'
      readonly reason: WaitReason
      readonly retryAfterMs: number | null
      readonly cause: WaitCause | null
      /** Set if a volume is known to lack so many bytes of free space. */
      readonly lackingBytes?: number
    }
  | { readonly kind: 'stop'; readonly error: TransferError }

/** Whether it is the way to the service that failed. Pure. */
export function isOfNetwork(verdict: Verdict): boolean {
  return verdict.kind === 'wait' && verdict.reason === 'network'
}

const BUSY_STATUSES = new Set([429, 503])
/** 425 asks for the same request again (RFC 8470, 5.2), and 499 is what nginx says of one that it lost. */
const TRANSIENT_STATUSES = new Set([408, 425, 499, 500, 502, 504])
/** The statuses from 500 on that HTTP defines. */
const KNOWN_SERVER_ERRORS = new Set([500, 501, 502, 503, 504, 505, 506, 507, 508, 510, 511])
/**
 * IncompleteBody means that a body lost its end on the way. The last two mean that something else is writing to the key,
 * and the service asks for another try (409).
 */
const TRANSIENT_CODES = new Set([
  'InternalError',
  'RequestTimeout',
  'ServiceUnavailable',
  'IncompleteBody',
  STORE_ERROR.inFront,
  'OperationAborted',
  'ConcurrentModification',
])

/** The service's codes (docs/dialect.md, Errors) and ours, mapped to what a person reads. */
const STOP_CODES: ReadonlyMap<string, TransferErrorCode> = new Map<string, TransferErrorCode>([
  ['AccessDenied', 'access-denied'],
  ['SignatureDoesNotMatch', 'key-not-accepted'],
  ['InvalidAccessKeyId', 'key-not-accepted'],
  ['RequestTimeTooSkewed', 'clock-skew'],
  ...[...EXPIRED_CODES].map((code) => [code, 'keys-expired'] as const),
  ['NoSuchBucket', 'no-such-bucket'],
  ['NoSuchKey', 'no-such-key'],
  ['NoSuchUpload', 'upload-lost'],
  ['InvalidDigest', 'part-damaged'],
  ['BadDigest', 'part-damaged'],
  ['XAmzContentSHA256Mismatch', 'part-damaged'],
  ['InvalidArgument', 'invalid-argument'],
  ...[ARCHIVED_CODE, ...QUOTA_CODES].map((code) => [code, 'refused-by-server'] as const),
  ['EntityTooSmall', 'internal'],
  ['MalformedJSON', 'internal'],
  [STORE_ERROR.linkExpired, 'link-expired'],
  [STORE_ERROR.keyringLocked, 'key-not-accepted'],
  [STORE_ERROR.placeRemoved, 'place-removed'],
  [STORE_ERROR.tls, 'certificate-untrusted'],
  [STORE_ERROR.noTls, 'no-https'],
  [STORE_ERROR.webPage, 'web-page'],
  [STORE_ERROR.proxySignIn, 'proxy-sign-in'],
  [STORE_ERROR.proxyKeyringLocked, 'proxy-sign-in'],
  [STORE_ERROR.proxyRefused, 'proxy-refused'],
  [STORE_ERROR.proxyUnsupported, 'proxy-unsupported'],
  [STORE_ERROR.notImplemented, 'feature-unavailable'],
])

/** Answers that don't come from the service or make no sense, and keys that are still awaited: all are asked again. */
const ASKED_AGAIN: ReadonlyMap<string, WaitCauseCode> = new Map([
  [STORE_ERROR.badAnswer, 'bad-answer'],
  [STORE_ERROR.networkSignIn, 'web-page'],
  [STORE_ERROR.keysAwaited, 'keys-awaited'],
])

/** Sorts a failure of a request or of the file system. Pure. */
export function classify(failure: unknown): Verdict {
  if (failure instanceof SourceAway) return waitForFile('source-missing')
  if (failure instanceof TransferError) return { kind: 'stop', error: failure }
  if (failure instanceof StoreError) return classifyStoreError(failure)
  if (failure instanceof StateUnwritable) return waitForFile('state-unwritable')
  if (failure instanceof SpaceLacking) return { ...waitForFile('disk-full'), lackingBytes: failure.lackingBytes }
  if (isNoSpace(failure)) return waitForFile('disk-full')
  if (isReadOnly(failure)) return waitForFile('target-unwritable')
  return { kind: 'stop', error: new TransferError('internal', traceOf(failure), { cause: failure }) }
}

/** For a failure that nobody anticipated, where it came from is all that there is to say. */
function traceOf(failure: unknown): string {
  return failure instanceof Error ? (failure.stack ?? failure.message) : String(failure)
}

function waitForFile(reason: WaitReason): Verdict & { readonly kind: 'wait' } {
  return { kind: 'wait', reason, retryAfterMs: null, cause: null }
}

/** Whether there was nothing to send a request to: no such host, or a refused connection. */
export function isUnreachable(failure: unknown): boolean {
  return failure instanceof StoreError && isUnreachableCause(causeOf(failure))
}

function causeOf({ code, trouble, httpStatus }: StoreError): WaitCause {
  if (trouble !== null) return { ...trouble, httpStatus }
  // A response that breaks off has a status that says nothing about it.
  const otherwise = code === STORE_ERROR.network ? 'connection-lost' : 'http-status'
  return { code: ASKED_AGAIN.get(code) ?? otherwise, host: null, httpStatus }
}

function classifyStoreError(failure: StoreError): Verdict {
  const { code, httpStatus } = failure
  const retryAfterMs = failure.retryAfterMs === null ? null : Math.min(failure.retryAfterMs, RETRY_AFTER_CAP_MS)
  const wait = (reason: WaitReason): Verdict => ({ kind: 'wait', reason, retryAfterMs, cause: causeOf(failure) })
  if (code === STORE_ERROR.network || ASKED_AGAIN.has(code)) return wait('network')
  if (code === STORE_ERROR.proxy) return wait('proxy')
  if (code === 'SlowDown' || (httpStatus !== null && BUSY_STATUSES.has(httpStatus))) {
    return wait('server-busy')
  }
  if (TRANSIENT_CODES.has(code) || (httpStatus !== null && isTransient(httpStatus))) return wait('server-error')
  return { kind: 'stop', error: storeErrorToTransferError(failure) }
}

/**
 * A status that HTTP doesn't define means what the first of its class does (RFC 9110, 15): servers say with 509 that
 * their traffic is used up for now, and proxies with those from 520 on that they can't reach the server.
 */
function isTransient(httpStatus: number): boolean {
  const isUnknown = httpStatus >= 500 && httpStatus < 600 && !KNOWN_SERVER_ERRORS.has(httpStatus)
  return TRANSIENT_STATUSES.has(httpStatus) || isUnknown
}

/** Turns a store's refusal into what a person reads. */
export function storeErrorToTransferError(failure: StoreError): TransferError {
  const code = STOP_CODES.get(failure.code) ?? statusCode(failure.httpStatus)
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

/** Turns a failure into what a person reads, even one that would be waited out elsewhere. */
function transferErrorOf(failure: unknown): TransferError {
  // A file that is away says so itself.
  if (failure instanceof TransferError) return failure
  const verdict = classify(failure)
  if (verdict.kind === 'stop') return verdict.error
  const { reason } = verdict
  const detail = failure instanceof Error ? failure.message : String(failure)
  if (reason === 'target-unwritable') return new TransferError('target-read-only', detail, { cause: failure })
  if (reason === 'disk-full' || reason === 'state-unwritable') {
    return new TransferError(reason, detail, { cause: failure })
  }
  return new TransferError('internal', traceOf(failure), { cause: failure })
}

/** How a run that threw ends: stopped on demand, or with what a person reads. */
export function outcomeOfFailure(signal: AbortSignal, failure: unknown): RunOutcome {
  return signal.aborted ? { kind: 'stopped' } : { kind: 'failed', error: transferErrorOf(failure).info }
}

/** Whether a failure concerns everything in a folder: then the first file that meets it ends the run. */
export function isCommonCause({ code, serviceCode }: Pick<TransferErrorInfo, 'code' | 'serviceCode'>): boolean {
  return COMMON_CAUSES.has(code) || QUOTA_CODES.has(serviceCode ?? '')
}

const COMMON_CAUSES: ReadonlySet<TransferErrorCode> = new Set<TransferErrorCode>([
  'certificate-untrusted',
  'clock-skew',
  'gave-up-waiting',
  'key-not-accepted',
  'keys-expired',
  'no-https',
  'no-such-bucket',
  'place-removed',
  'proxy-refused',
  'proxy-sign-in',
  'proxy-unsupported',
])
