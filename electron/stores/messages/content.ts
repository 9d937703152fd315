// Reads responses with an object's bytes or facts: GetObject and HeadObject.

import { rangeLength } from '../../../shared/byte-range.ts'
import type { GetObjectResult, ObjectHead } from '../port/object-store.ts'
import { STORE_ERROR, StoreError } from '../port/store-error.ts'
import { readDigests } from './digests.ts'
import type { HttpResponse } from '../http/exchange.ts'
import {
  parseContentLength,
  parseContentRange,
  parseHttpDate,
  parseUnsatisfiedRange,
  unquoteEtag,
} from './header-values.ts'
import { badResponse, leave, readMessage, requestIdOf } from './error-responses.ts'

/** Statuses that `readContent` understands. */
export const CONTENT_STATUSES: readonly number[] = [200, 206, 304, 416]

/**
 * Reads the response to a GetObject. Throws a BadAnswer StoreError, before any byte of the body is passed on, for
 * multipart/byteranges and for a 206 whose Content-Range is missing or malformed.
 */
export async function readContent(response: HttpResponse): Promise<GetObjectResult> {
  const { status, headers } = response
  const requestId = requestIdOf(response)
  if (status === 304) {
    await leave(response)
    return { kind: 'not-modified', requestId }
  }
  if (status === 416) {
    await readMessage(response)
    return { kind: 'range-not-satisfiable', totalBytes: parseUnsatisfiedRange(headers.get('content-range')), requestId }
  }
  const contentRange = status === 206 ? parseContentRange(headers.get('content-range')) : null
  const isMultipart = /^multipart\/byteranges/i.test(headers.get('content-type') ?? '')
  if (status === 206 && (contentRange === null || isMultipart)) {
    await leave(response)
    throw badResponse(response, isMultipart ? 'several ranges' : 'an unreadable Content-Range')
  }
  const contentLength = parseContentLength(headers.get('content-length'))
  const expectedBytes = contentRange === null ? contentLength : rangeLength(contentRange)
  const endsWithConnection = contentLength === null && headers.get('transfer-encoding') === undefined
  return {
    kind: 'content',
    status: status === 206 ? 206 : 200,
    contentRange,
    contentLength,
    ...(endsWithConnection ? { endsWithConnection } : {}),
    head: readHead(response, contentRange === null ? contentLength : contentRange.totalBytes),
    body: expectedBytes === null ? response.body : exactly(response, expectedBytes),
  }
}

/**
 * Reads what a GetObject response tells about the object and leaves its bytes unread. Used with a one-byte range for a
 * service without HEAD. Throws BadAnswer as `readContent` does, and for a 304.
 */
export async function readHeadOfContent(response: HttpResponse): Promise<ObjectHead> {
  const result = await readContent(response)
  switch (result.kind) {
    case 'content':
      await leave(response)
      return result.head
    case 'range-not-satisfiable':
      return readHead(response, result.totalBytes ?? 0)
    case 'not-modified':
      throw badResponse(response, 'no object')
  }
}

/** Reads the headers of an object, which are the same in responses of HeadObject and GetObject. */
export function readHead(response: HttpResponse, sizeBytes: number | null): ObjectHead {
  const { headers } = response
  const digests = readDigests(response)
  return {
    sizeBytes,
    etag: unquoteEtag(headers.get('etag')),
    lastModified: headers.get('last-modified') ?? null,
    contentType: headers.get('content-type') ?? null,
    contentEncoding: contentEncoding(headers.get('content-encoding')),
    serverTimeMs: parseHttpDate(headers.get('date')),
    requestId: requestIdOf(response),
    ...(/\bbytes\b/i.test(headers.get('accept-ranges') ?? '') ? { acceptsRanges: true } : {}),
    ...(digests === null ? {} : { digests }),
  }
}

function contentEncoding(value: string | undefined): string | null {
  return value === undefined || value === '' || value.toLowerCase() === 'identity' ? null : value
}

/** Checks that the body has `expectedBytes`; throws a network StoreError after passing on the bytes that fit. */
function exactly(response: HttpResponse, expectedBytes: number): AsyncIterable<Uint8Array> {
  const blocks = countedBlocks(response, expectedBytes)
  return {
    [Symbol.asyncIterator]: () => ({
      next: () => blocks.next(),
      // A generator that was not started would not pass `return` on to the body.
      async return() {
        await leave(response)
        return blocks.return(undefined)
      },
    }),
  }
}

async function* countedBlocks(response: HttpResponse, expectedBytes: number): AsyncGenerator<Uint8Array, undefined> {
  let leftBytes = expectedBytes
  for await (const bytes of response.body) {
    if (bytes.length > leftBytes) {
      if (leftBytes > 0) yield bytes.subarray(0, leftBytes)
      throw wrongLength(response, 'longer', expectedBytes)
    }
    leftBytes -= bytes.length
    yield bytes
  }
  if (leftBytes > 0) throw wrongLength(response, 'shorter', expectedBytes)
}

function wrongLength(response: HttpResponse, how: string, expectedBytes: number): StoreError {
  return new StoreError(STORE_ERROR.network, `The response is ${how} than the ${expectedBytes} bytes it announced`, {
    httpStatus: response.status,
    requestId: requestIdOf(response),
  })
}
