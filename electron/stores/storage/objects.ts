import type { HttpResponse } from '../http/exchange.ts'
import { CONTENT_STATUSES, readContent, readHead, readHeadOfContent } from '../messages/content.ts'
import { leave } from '../messages/error-responses.ts'
import { formatRange, parseContentLength } from '../messages/header-values.ts'
import { unlessPage } from '../messages/web-page.ts'
import type {
  GetObjectRequest,
  GetObjectResult,
  HeadObjectRequest,
  ObjectHead,
  ObjectStore,
} from '../port/object-store.ts'
import { STORE_ERROR, StoreError } from '../port/store-error.ts'
import type { StorageTransport } from './transport.ts'

/** GetObject (docs/dialect.md, Documented). The dialect has no If-Match, so `ifMatch` is not sent. */
export async function getObject(transport: StorageTransport, request: GetObjectRequest): Promise<GetObjectResult> {
  return readContent(await sendGet(transport, request))
}

/** Sends GetObject; the response has one of CONTENT_STATUSES. */
async function sendGet(transport: StorageTransport, request: GetObjectRequest): Promise<HttpResponse> {
  const { key, range, ifModifiedSince, version, signal } = request
  try {
    const response = await transport.send({
      operation: 'GetObject',
      isDocumented: true,
      method: 'GET',
      key,
      headers: {
        range: range === undefined ? undefined : formatRange(range),
        'if-modified-since': ifModifiedSince,
      },
      accepts: CONTENT_STATUSES,
      signal,
    })
    return await unlessPage(response, { name: key, hasVersion: true, version })
  } catch (error) {
    throw namedNotFound(error)
  }
}

/** A 404 to GetObject means NoSuchKey, whatever its body (docs/dialect.md, Documented). */
function namedNotFound(error: unknown): unknown {
  if (!(error instanceof StoreError) || error.httpStatus !== 404 || error.code !== STORE_ERROR.unnamed) return error
  const { httpStatus, requestId, message } = error
  return new StoreError('NoSuchKey', message, { httpStatus, requestId, maybeProcessed: false, cause: error })
}

/**
 * HeadObject. A refused HEAD has no body to name the reason, and the service may not support HEAD. In both cases the
 * first byte is requested instead (docs/dialect.md, Semantics). Later calls skip HEAD until an object is found: far
 * away each request costs a round trip, and where one key is free others often are.
 */
export function headVerb(transport: StorageTransport): ObjectStore['headObject'] {
  let isMute = false

  // A 200 response would carry the whole object, so its body is left unread.
  const askForByte = async ({ key, signal }: HeadObjectRequest): Promise<ObjectHead> =>
    readHeadOfContent(await sendGet(transport, { key, range: { start: 0, end: 1 }, signal }))

  return async (request) => {
    if (!isMute) {
      const head = await askForHead(transport, request)
      if (head !== null) return head
      isMute = true
    }
    const head = await askForByte(request)
    isMute = false
    return head
  }
}

/** Returns null when the refusal of HEAD does not name its reason. */
async function askForHead(transport: StorageTransport, { key, signal }: HeadObjectRequest): Promise<ObjectHead | null> {
  try {
    const response = await transport.send({
      operation: 'HeadObject',
      isDocumented: true,
      method: 'HEAD',
      key,
      accepts: [200],
      signal,
    })
    await leave(await unlessPage(response, { name: key, hasVersion: true }))
    return readHead(response, parseContentLength(response.headers.get('content-length')))
  } catch (error) {
    if (isUnexplained(error)) return null
    throw error
  }
}

function isUnexplained(error: unknown): boolean {
  if (!(error instanceof StoreError) || error.code !== STORE_ERROR.unnamed) return false
  const status = error.httpStatus ?? 0
  return status === 501 || (status >= 400 && status < 500 && status !== 408 && status !== 429)
}
