import { Buffer } from 'node:buffer'
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { RequestTarget } from './request-target.ts'
import type { ServiceError } from './service-error.ts'
import type { Storage } from '../storage/storage.ts'

/** One request that has been admitted, and its response. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly target: RequestTarget
  readonly storage: Storage
  /** Names of all buckets of the service. */
  readonly buckets: ReadonlySet<string>
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Tells a client that waits for "100 Continue" to go on; call it only when the body is wanted. */
  readonly openBody: () => IncomingMessage
}

/** Reads the whole body of a request. Throws `tooLarge` beyond the limit. */
export async function readBody(exchange: Exchange, limitBytes: number, tooLarge: ServiceError): Promise<Buffer> {
  const blocks: Buffer[] = []
  let sizeBytes = 0
  // The connection stays open for the response, whatever becomes of the body.
  for await (const block of exchange.openBody().iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    sizeBytes += block.length
    if (sizeBytes > limitBytes) throw tooLarge
    blocks.push(block)
  }
  return Buffer.concat(blocks)
}

/** Answers 200 with a JSON body. */
export function respondWithJson(response: ServerResponse, value: unknown): void {
  writeJson(response, 200, value)
}

/** Answers without a body. */
export function respondWithoutBody(response: ServerResponse, status: number, headers: OutgoingHttpHeaders = {}): void {
  response.writeHead(status, headers).end()
}

/**
 * Answers with an error's code, status and message (docs/dialect.md, Errors). Cuts a response that has already begun.
 */
export function respondWithError(
  request: IncomingMessage,
  response: ServerResponse,
  error: ServiceError,
  requestId: string,
): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  for (const name of ['accept-ranges', 'content-range', 'etag', 'last-modified', 'x-storage-object-type']) {
    response.removeHeader(name)
  }
  const resource = request.url?.split('?', 1)[0] ?? ''
  writeJson(response, error.status, errorBody(error, resource, requestId))
}

/** The body of an error (docs/dialect.md, Errors). */
export function errorBody(error: ServiceError, resource: string, requestId: string): unknown {
  return { Error: { Code: error.code, Message: error.message, Resource: resource, RequestId: requestId } }
}

/** An ETag as it is sent (RFC 9110, 8.8.3). */
export function quoted(etag: string): string {
  return `"${etag}"`
}

function writeJson(response: ServerResponse, status: number, value: unknown): void {
  const body = Buffer.from(JSON.stringify(value))
  response.statusCode = status
  response.setHeader('Content-Type', 'application/json')
  response.setHeader('Content-Length', body.length)
  response.end(body)
}
