import { createConnectionPool } from '../http/connection-pool.ts'
import { exchange, type HttpRequest, type HttpResponse } from '../http/exchange.ts'
import { addressOf, invalidArgument } from '../messages/address.ts'
import { createAuthorship } from '../messages/authorship.ts'
import { errorOfResponse, leave } from '../messages/error-responses.ts'
import { createServerClock } from '../messages/server-clock.ts'
import { presentHeaders, type StoreRequest, type Transport } from '../messages/store-request.ts'
import { badMessage, strayRedirect } from '../messages/web-page.ts'
import type { StoreConnection } from '../port/store-connection.ts'
import { STORE_ERROR, StoreError } from '../port/store-error.ts'
import { createSigner } from './signer.ts'

/** One request of the dialect. */
export interface StorageRequest extends StoreRequest {
  /** Left out for operations that a service may lack (docs/dialect.md, Two rules). */
  readonly isDocumented?: boolean
}

/** The transport of the storage dialect. */
export interface StorageTransport extends Transport {
  /** Scheme, host and port that requests go to. */
  readonly host: string
  /** Sends a request once, and once more with a corrected clock after RequestTimeTooSkewed. */
  send(request: StorageRequest): Promise<HttpResponse>
}

/**
 * The codes of the dialect (docs/dialect.md, Errors), except MethodNotAllowed, by which a service says that it lacks
 * the operation.
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

/** Creates the transport of one connection. Throws InvalidArgument when its endpoint or bucket forms no address. */
export function createStorageTransport(connection: StoreConnection, address = addressOf(connection)): StorageTransport {
  const sign = createSigner(connection.signature, connection.scheme)
  const pool = createConnectionPool(address.origin, connection.network)
  const now = connection.now ?? Date.now
  const clock = createServerClock(now)
  const authorship = createAuthorship()

  function sendOnce(request: StorageRequest): Promise<HttpResponse> {
    const { method, key, query = [], signal } = request
    if (key === '') throw invalidArgument('The key is empty')
    const target = address.target(key ?? '', query)
    const headers = { ...presentHeaders(request.headers), 'accept-encoding': 'identity' }
    const build = (): HttpRequest => {
      const subject = {
        method,
        contentMd5: request.headers?.['content-md5'],
        contentType: request.headers?.['content-type'],
        bucket: connection.bucket,
        key: key ?? '',
        subresources: query,
      }
      const signed = sign({ ...subject, dateMs: clock.now() }, connection.credentials)
      return { ...request, target, headers: { ...headers, ...signed } }
    }
    return exchange(pool, build, signal)
  }

  /** Makes one attempt. Returns an error if the clock was to blame and has been corrected. */
  async function attempt(request: StorageRequest): Promise<HttpResponse | StoreError> {
    const { operation } = request
    const response = { ...(await sendOnce(request)), operation }
    const { status } = response
    if (request.accepts.includes(status)) return await authorship.own(response)
    if (status < 400) {
      await leave(response)
      throw status < 300
        ? badMessage(response, 'a status that is not expected here')
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
