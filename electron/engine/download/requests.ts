// The GetObject requests of a download, and what to do about each way in which one can fail.

import type { ByteRange } from '../../../shared/byte-range.ts'
import type { GetObjectRequest, GetObjectResult } from '../../stores/port/object-store.ts'
import { STORE_ERROR, StoreError } from '../../stores/port/store-error.ts'
import { linkSignal } from '../async/linked-signal.ts'
import type { DownloadRecord, ObjectIdentity } from '../core/records.ts'
import type { RetryPolicy } from '../core/retry-policy.ts'
import type { RunContext, RunReporter } from '../core/run.ts'
import { TransferError } from '../core/transfer-error.ts'
import { isNoSpace } from '../../errno/errno.ts'
import { watchedBody } from '../flow-control/stall-watch.ts'
import { SyncFailed } from '../partial-file/claim-ledger.ts'
import { classify } from '../retry/classify.ts'
import { backoffMs } from '../retry/create-retry-policy.ts'
import type { ResponseSeries, SeriesRequest } from './response-series.ts'
import { checkResponse, isStrong, isVersion, type ResponseVerdict } from './response-check.ts'

/** A response that passed the gate: its body may be written. */
export type Passed = Extract<ResponseVerdict, { kind: 'range' | 'whole' }> & {
  /** When its head arrived (monotonic), and how long after the request, milliseconds. */
  readonly answeredAtMs: number
  readonly latencyMs: number
}

/**
 * A response is of another version of the object than `bound`, or than one of the responses before if that is null.
 * `inARow` is as in UnusableResponse.
 */
export class ObjectChanged extends Error {
  readonly bound: ObjectIdentity | null
  readonly inARow: number

  constructor(message: string, bound: ObjectIdentity | null, inARow: number, options?: ErrorOptions) {
    super(message, options)
    this.bound = bound
    this.inARow = inARow
  }
}

/** So many responses of another version in a row are believed, whatever else is said of the object. */
const MOST_DOUBTED = 8

/** The service answers range requests with the whole object, or with something else than what was asked. */
export class RangesRefused extends Error {}

/** Nothing in the response can be used. `inARow` counts such responses in a row, this one included. */
class UnusableResponse extends Error {
  readonly inARow: number

  constructor(message: string, inARow: number, options?: ErrorOptions) {
    super(message, options)
    this.inARow = inARow
  }
}

/**
 * Sends one GetObject, of the whole object when `asked` is null, and returns its response if that passes the gate.
 * `series` is the series that the request belongs to.
 */
export async function ask(
  context: RunContext<DownloadRecord>,
  asked: ByteRange | null,
  expected: ObjectIdentity | null,
  series: ResponseSeries,
): Promise<Passed> {
  const { report, deps, signal } = context
  const request = linkSignal(signal)
  const place = series.begin()
  let isRead = false
  const askedAtMs = deps.clock.monotonicMs()
  try {
    const response = await send(context, asked, expected, request.signal)
    const answeredAtMs = deps.clock.monotonicMs()
    const verdict = checkResponse(asked, expected, response)
    if (verdict.kind !== 'range' && verdict.kind !== 'whole') {
      return await refuse(report, verdict, response, place, expected)
    }
    place.usable()
    isRead = true
    const body = watchedBody(verdict.response.body, deps.clock, request)
    return { ...verdict, response: { ...verdict.response, body }, answeredAtMs, latencyMs: answeredAtMs - askedAtMs }
  } catch (failure) {
    if (!(failure instanceof StoreError)) throw failure
    // If-Match or If-Unmodified-Since did not match (RFC 9110, 13.1.1 and 13.1.4).
    if (failure.httpStatus === 412) {
      report.log('The object changed on the server since the download began', failure.requestId)
      throw new ObjectChanged(failure.message, expected, place.unusable(), { cause: failure })
    }
    if (failure.code !== STORE_ERROR.badAnswer) throw failure
    report.log(failure.message, failure.requestId)
    throw new UnusableResponse(failure.message, place.unusable(), { cause: failure })
  } finally {
    if (!isRead) request.release()
  }
}

function send(
  { store, record }: RunContext<DownloadRecord>,
  asked: ByteRange | null,
  expected: ObjectIdentity | null,
  signal: AbortSignal,
): Promise<GetObjectResult> {
  return store.getObject({
    key: record.key,
    signal,
    ...(asked === null ? {} : { range: asked }),
    ...(expected === null ? {} : { version: expected }),
    ...(store.capabilities.ifMatch ? conditionOf(expected) : {}),
  })
}

/** Leaves a response that can't be used, and throws the error that says why. */
async function refuse(
  report: RunReporter,
  { kind, detail }: Exclude<ResponseVerdict, { kind: 'range' | 'whole' }>,
  response: GetObjectResult,
  place: SeriesRequest,
  bound: ObjectIdentity | null,
): Promise<never> {
  const requestId = response.kind === 'content' ? response.head.requestId : response.requestId
  if (response.kind === 'content') await leave(response.body)
  if (kind === 'changed') {
    report.log(`The object changed on the server: ${detail}`, requestId)
    throw new ObjectChanged(detail, bound, place.unusable())
  }
  report.log(`The server’s response does not match the request: ${detail}`, requestId)
  throw new UnusableResponse(detail, place.unusable())
}

function conditionOf(expected: ObjectIdentity | null): Pick<GetObjectRequest, 'ifMatch' | 'ifUnmodifiedSince'> {
  if (expected === null) return {}
  const { etag, lastModified } = expected
  if (etag !== null && isStrong(etag)) return { ifMatch: etag }
  return lastModified === null ? {} : { ifUnmodifiedSince: lastModified }
}

/** Closes the connection of a response that is not read to its end. */
export async function leave(body: AsyncIterable<Uint8Array>): Promise<void> {
  await body[Symbol.asyncIterator]().return?.()
}

/**
 * Waits as a failed request demands. Throws what ends the whole step: the stop, ObjectChanged if nothing contradicts it,
 * RangesRefused at the second unusable response in a row, SyncFailed, and TransferError. `isVain` is as in RetryPolicy.
 */
export async function retryOrThrow(
  context: RunContext<DownloadRecord>,
  retryPolicy: RetryPolicy,
  failure: unknown,
  isVain = false,
): Promise<void> {
  const { signal, report, deps } = context
  signal.throwIfAborted()
  if (failure instanceof RangesRefused || failure instanceof SyncFailed) throw failure
  if (failure instanceof ObjectChanged) return await doubtChange(context, retryPolicy, failure)
  if (failure instanceof UnusableResponse) {
    if (failure.inARow > 1) throw new RangesRefused(failure.message, { cause: failure })
    return await deps.clock.sleep(backoffMs(1, deps.random), signal)
  }
  logFailure(report, failure)
  if (isNoSpace(failure)) report.log('There is no space left for the download')
  await retryPolicy.waitAfter(failure, isVain)
}

/**
 * One response of another version may be a cache's that lags behind, or not the service's at all, and to believe it costs
 * all that is here. Waits and returns if the service still tells of the version that the download is bound to, or tells
 * nothing now. Throws `changed` if it doesn't, and TransferError `no-such-key`.
 */
async function doubtChange(
  { store, record, report, deps, signal }: RunContext<DownloadRecord>,
  retryPolicy: RetryPolicy,
  changed: ObjectChanged,
): Promise<void> {
  const { bound, inARow } = changed
  if (bound === null || inARow >= MOST_DOUBTED) throw changed
  try {
    const head = await store.headObject({ key: record.key, signal })
    if (!isVersion(head, bound)) throw changed
  } catch (failure) {
    if (!(failure instanceof StoreError)) throw failure
    if (failure.code !== 'NoSuchKey' && classify(failure).kind === 'stop') throw changed
    return await retryPolicy.waitAfter(failure)
  }
  report.log('The object is still there as it was; asking again')
  await deps.clock.sleep(backoffMs(inARow, deps.random), signal)
}

/** Logs in the history which request failed, and how. */
export function logFailure(report: RunReporter, failure: unknown): void {
  if (failure instanceof StoreError) report.log(`${failure.message} (${failure.code})`, failure.requestId)
}

/** Whether `failure` says that a response was not what was asked for. */
export function isUnusable(failure: unknown): boolean {
  return failure instanceof UnusableResponse
}

/** The error that a person sees when not even the whole object can be fetched. */
export function rangeNotAnswered(failure: RangesRefused): TransferError {
  return new TransferError('range-not-answered', failure.message, { cause: failure })
}
