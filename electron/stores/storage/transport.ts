import { createConnectionPool } from '../http/connection-pool.ts'
import { exchange, type HttpRequest, type HttpResponse } from '../http/exchange.ts'
import { addressOf, invalidArgument, type Query } from '../messages/address.ts'
import { errorOfResponse, leave } from '../messages/error-responses.ts'
import { createServerClock } from '../messages/server-clock.ts'
import { badMessage, strayRedirect } from '../messages/web-page.ts'
import type { StoreConnection } from '../port/store-connection.ts'
import { STORE_ERROR, StoreError } from '../port/store-error.ts'
import { createSigner } from './signer.ts'

/** One request of the dialect. */
export interface StorageRequest extends Pick<
  HttpRequest,
  'method' | 'body' | 'onSent' | 'headersTimeoutMs' | 'idleTimeoutMs'
> {
  /** Name of the operation, for messages. */
  readonly operation: string
  /** False for operations that a service may lack (docs/dialect.md, Two rules). */
  readonly isDocumented?: boolean
  /** Null: the request is about the bucket. */
  readonly key: string | null
  readonly query?: Query
  readonly contentMd5?: string | undefined
  readonly contentType?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  /** Statuses that are no error. */
  readonly accepts: readonly number[]
  readonly signal: AbortSignal
}

/** Sends signed requests and turns responses that are errors into StoreErrors. */
export interface Transport {
  /** Scheme, host and port that requests go to. */
  readonly host: string
  /** Sends once, and once more with a corrected clock after RequestTimeTooSkewed. */
  send(request: StorageRequest): Promise<HttpResponse>
  close(): Promise<void>
  dropConnections(): void
}

/**
 * The codes of the dialect (docs/dialect.md, Errors) except MethodNotAllowed, which says that the operation is not
 * there.
 */
const KNOWN_CODES: ReadonlySet<string> = new Set([
  'AccessDenied',
  'SignatureDoesNotMatch',
  'RequestTimeTooSkewed',
  'NoSuchBucket',
  'NoSuchKey',
  'NoSuchUpload',
  'InvalidDigest',
  'InvalidPart',
  'InvalidPartOrder',
  'EntityTooSmall',
  'InvalidArgument',
  'MalformedJSON',
  'SlowDown',
  'InternalError',
])
const LACKING_STATUSES: ReadonlySet<number> = new Set([404, 405, 501])

/** Creates the transport of one connection. Throws InvalidArgument when its endpoint or bucket is no address. */
export function createTransport(connection: StoreConnection, address = addressOf(connection)): Transport {
  const sign = createSigner(connection.signature, connection.scheme)
  const pool = createConnectionPool(address.origin, connection.network)
  const now = connection.now ?? Date.now
  const clock = createServerClock(now)

  function sendOnce(request: StorageRequest): Promise<HttpResponse> {
    const { method, key, query = [], contentMd5, contentType, signal } = request
    if (key === '') throw invalidArgument('The name is empty')
    const target = address.target(key ?? '', query)
    const headers = {
      ...request.headers,
      'accept-encoding': 'identity',
      ...(contentMd5 === undefined ? {} : { 'content-md5': contentMd5 }),
      ...(contentType === undefined ? {} : { 'content-type': contentType }),
    }
    const build = (): HttpRequest => {
      const subject = {
        method,
        contentMd5,
        contentType,
        bucket: connection.bucket,
        key: key ?? '',
        subresources: query,
      }
      const signed = sign({ ...subject, dateMs: clock.now() }, connection.credentials)
      return { ...request, target, headers: { ...headers, ...signed } }
    }
    return exchange(pool, build, signal)
  }

  /** One try. Returns an error when the clock was to blame and has been put right. */
  async function attempt(request: StorageRequest): Promise<HttpResponse | StoreError> {
    const { operation } = request
    const response = { ...(await sendOnce(request)), operation }
    const { status } = response
    if (request.accepts.includes(status)) return response
    if (status < 400) {
      await leave(response)
      throw status < 300
        ? badMessage(response, 'a status that means nothing here')
        : strayRedirect(response, request.operation, address.origin)
    }
    const error = await errorOfResponse(response, request.operation, now(), request.signal)
    // A response to HEAD has no body to name its error (docs/dialect.md, Semantics).
    const isUnnamedSkew = request.method === 'HEAD' && status === 403 && clock.isFarOff(response)
    if ((error.code === 'RequestTimeTooSkewed' || isUnnamedSkew) && clock.learn(response)) return error
    throw error
  }

  return {
    host: address.origin,
    async send(request) {
      try {
        const first = await attempt(request)
        if (!(first instanceof StoreError)) return first
        const second = await attempt(request)
        if (second instanceof StoreError) throw second
        return second
      } catch (error) {
        throw request.isDocumented === true ? error : lacking(error)
      }
    },
    close: () => pool.close(),
    dropConnections: () => pool.destroyAll(),
  }
}

function lacking(error: unknown): unknown {
  if (!(error instanceof StoreError) || !LACKING_STATUSES.has(error.httpStatus ?? 0) || KNOWN_CODES.has(error.code)) {
    return error
  }
  const { httpStatus, requestId, message, maybeProcessed } = error
  return new StoreError(STORE_ERROR.notImplemented, message, { httpStatus, requestId, maybeProcessed, cause: error })
}
