import { CONTENT_STATUSES, readContent } from '../messages/content.ts'
import type { HttpResponse } from '../http/exchange.ts'
import { formatRange } from '../messages/header-values.ts'
import type { GetObjectRequest, GetObjectResult } from '../port/object-store.ts'
import { STORE_ERROR, StoreError } from '../port/store-error.ts'
import type { Transport } from './transport.ts'

/** GetObject (service document: Endpoints). It has no If-Match, so `ifMatch` is not sent. */
export async function getObject(transport: Transport, request: GetObjectRequest): Promise<GetObjectResult> {
  return readContent(await sendGet(transport, request))
}

/** Sends GetObject; the answer has one of CONTENT_STATUSES. */
export async function sendGet(transport: Transport, request: GetObjectRequest): Promise<HttpResponse> {
  const { key, range, ifModifiedSince, signal } = request
  try {
    return await transport.send({
      operation: 'GetObject',
      isDocumented: true,
      method: 'GET',
      key,
      headers: {
        ...(range === undefined ? {} : { range: formatRange(range) }),
        ...(ifModifiedSince === undefined ? {} : { 'if-modified-since': ifModifiedSince }),
      },
      accepts: CONTENT_STATUSES,
      signal,
    })
  } catch (error) {
    throw namedNotFound(error)
  }
}

/** 404 to GetObject is NoSuchKey, whatever its body (service document: Endpoints). */
function namedNotFound(error: unknown): unknown {
  if (!(error instanceof StoreError) || error.httpStatus !== 404 || error.code !== STORE_ERROR.unnamed) return error
  const { httpStatus, requestId, message } = error
  return new StoreError('NoSuchKey', message, { httpStatus, requestId, maybeProcessed: false, cause: error })
}
