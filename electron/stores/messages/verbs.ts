// Verbs that both dialects send alike; the dialect's `ParseBody` reads the responses.

import { COMPLETE_TIMEOUT_BASE_MS, COMPLETE_TIMEOUT_PER_PART_MS } from '../../../shared/limits.ts'
import type { HttpResponse } from '../http/exchange.ts'
import type {
  CompleteMultipartUploadRequest,
  CreateMultipartUploadRequest,
  ListMultipartUploadsPage,
  ListMultipartUploadsRequest,
  ListObjectsPage,
  ListObjectsRequest,
  ListPartsPage,
  ListPartsRequest,
  PutObjectRequest,
  UploadAddress,
  UploadPartRequest,
} from '../port/object-store.ts'
import { StoreError } from '../port/store-error.ts'
import type { Query } from './address.ts'
import { readCreateResult, readObjectsPage, readPartsPage, readUploadsPage, type ParseBody } from './responses.ts'
import type { StoreRequest, Transport } from './store-request.ts'
import { takeForDone } from './web-page.ts'

type Sender = Pick<Transport, 'send'>
type Headers = NonNullable<StoreRequest['headers']>

/** Sends PutObject. */
export function sendObject(transport: Sender, request: PutObjectRequest, headers: Headers = {}): Promise<HttpResponse> {
  return sendBody(transport, 'PutObject', request, [], { 'content-type': request.contentType, ...headers })
}

/** Sends UploadPart. */
export function sendPart(transport: Sender, request: UploadPartRequest): Promise<HttpResponse> {
  const { partNumber, uploadId } = request
  const query = [
    ['partNumber', String(partNumber)],
    ['uploadId', uploadId],
  ] as const
  return sendBody(transport, 'UploadPart', request, query, {})
}

function sendBody(
  transport: Sender,
  operation: string,
  { key, body, contentMd5, onSent, signal }: PutObjectRequest | UploadPartRequest,
  query: Query,
  extra: Headers,
): Promise<HttpResponse> {
  const headers = { 'content-md5': contentMd5, ...extra }
  return transport.send({ operation, method: 'PUT', key, query, headers, body, onSent, accepts: [200, 201], signal })
}

/** CreateMultipartUpload. Throws BadAnswer for a response that names no upload of `key`. */
export async function createMultipartUpload(
  transport: Sender,
  { key, contentType, signal }: CreateMultipartUploadRequest,
  parse?: ParseBody,
  extra: Headers = {},
) {
  const headers = { 'content-type': contentType, ...extra }
  const query = [['uploads', '']] as const
  const request = { operation: 'CreateMultipartUpload', method: 'POST', key, query, headers, signal } as const
  return readCreateResult(await transport.send({ ...request, accepts: [200] }), key, parse)
}

/** One page of ListParts. Throws BadAnswer for anything else, and for a page that does not advance. */
export async function listParts(
  transport: Sender,
  { key, uploadId, partNumberMarker = 0, maxParts, signal }: ListPartsRequest,
  parse?: ParseBody,
): Promise<ListPartsPage> {
  const marker = partNumberMarker === 0 ? undefined : String(partNumberMarker)
  const query = given({ uploadId, 'max-parts': maxParts?.toString(), 'part-number-marker': marker })
  const request = { operation: 'ListParts', method: 'GET', key, query, accepts: [200], signal } as const
  return readPartsPage(await transport.send(request), partNumberMarker, parse)
}

/** The request of CompleteMultipartUpload without its body. More parts mean more time for the response. */
export function completeRequest({ key, uploadId, parts, signal }: CompleteMultipartUploadRequest) {
  const timeoutMs = COMPLETE_TIMEOUT_BASE_MS + COMPLETE_TIMEOUT_PER_PART_MS * parts.length
  return {
    operation: 'CompleteMultipartUpload',
    method: 'POST',
    key,
    query: [['uploadId', uploadId]],
    headersTimeoutMs: timeoutMs,
    idleTimeoutMs: timeoutMs,
    accepts: [200],
    signal,
  } as const satisfies StoreRequest
}

/** AbortMultipartUpload. */
export async function abortMultipartUpload(transport: Sender, { key, uploadId, signal }: UploadAddress): Promise<void> {
  const query = [['uploadId', uploadId]] as const
  const request = { operation: 'AbortMultipartUpload', method: 'DELETE', key, query, signal } as const
  await takeForDone(await transport.send({ ...request, accepts: [200, 204] }))
}

/** One page of ListMultipartUploads. Throws BadAnswer for anything else, and for a page that does not advance. */
export async function listMultipartUploads(
  transport: Sender,
  { prefix = '', keyMarker = '', uploadIdMarker = '', signal }: ListMultipartUploadsRequest,
  parse?: ParseBody,
): Promise<ListMultipartUploadsPage> {
  const markers = { 'key-marker': keyMarker, 'upload-id-marker': uploadIdMarker }
  const query = [['uploads', ''] as const, ...given({ prefix, ...markers })]
  const request = { operation: 'ListMultipartUploads', method: 'GET', key: null, query, signal } as const
  return readUploadsPage(await transport.send({ ...request, accepts: [200] }), keyMarker, uploadIdMarker, parse)
}

/** One page of ListObjects. Throws BadAnswer as `readObjectsPage` does. */
export async function listObjects(
  transport: Sender,
  { prefix = '', delimiter = '', marker = '', maxKeys, signal }: ListObjectsRequest,
  parse?: ParseBody,
  more: Query = [],
): Promise<ListObjectsPage> {
  const query = [...more, ...given({ prefix, delimiter, marker, 'max-keys': maxKeys?.toString() })]
  const request = { operation: 'ListObjects', method: 'GET', key: null, query, accepts: [200], signal } as const
  return readObjectsPage(await transport.send(request), { prefix, marker }, parse)
}

/** DeleteObject; a missing key is not an error. */
export async function deleteObject(
  transport: Sender,
  { key, signal }: { readonly key: string; readonly signal: AbortSignal },
): Promise<void> {
  const request = { operation: 'DeleteObject', method: 'DELETE', key, accepts: [200, 204], signal } as const
  try {
    await takeForDone(await transport.send(request))
  } catch (error) {
    if (!(error instanceof StoreError && error.code === 'NoSuchKey')) throw error
  }
}

/** Drops parameters without a value. */
function given(query: Readonly<Record<string, string | undefined>>): Query {
  return Object.entries(query).flatMap(([name, value]) => (value ? [[name, value] as const] : []))
}
