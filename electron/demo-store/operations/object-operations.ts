import type { ServerResponse } from 'node:http'
import type { StoredObject } from '../storage/catalog-records.ts'
import { checkMd5, promisedMd5 } from '../http/content-md5.ts'
import { respondWithoutBody, quoted, type Exchange } from '../http/exchange.ts'
import { formatHttpDate, parseHttpDate } from '../http/http-date.ts'
import { parseRangeHeader } from '../http/range-header.ts'
import { receiveContent } from '../http/receive-content.ts'
import { sendContent, slicesOf } from '../http/send-content.ts'
import { ServiceError } from '../http/service-error.ts'

const DEFAULT_CONTENT_TYPE = 'application/octet-stream'

/**
 * GetObject (docs/dialect.md, Documented). If the object is replaced or deleted meanwhile, the old bytes still go out.
 */
export async function getObject(exchange: Exchange): Promise<void> {
  const { request, response, storage } = exchange
  const object = findObject(exchange)
  if (isUnmodified(exchange, object)) return respondNotModified(response, object)
  const range = parseRangeHeader(request.headers.range, object.sizeBytes)
  const { start, end } = range ?? { start: 0, end: object.sizeBytes }
  setObjectHeaders(response, object)
  response.setHeader('Content-Length', end - start)
  if (range !== null) {
    response.statusCode = 206
    response.setHeader('Accept-Ranges', 'bytes')
    response.setHeader('Content-Range', `bytes ${start}-${end - 1}/${object.sizeBytes}`)
  }
  const slices = slicesOf(object.contents, { start, end })
  const release = storage.contents.hold(slices.map(({ contentId }) => contentId))
  try {
    await sendContent(response, storage.contents, slices)
    response.end()
  } finally {
    release()
  }
}

/** HeadObject; ignores Range (docs/dialect.md, Semantics). */
export function headObject(exchange: Exchange): void {
  const { response } = exchange
  const object = findObject(exchange)
  if (isUnmodified(exchange, object)) return respondNotModified(response, object)
  setObjectHeaders(response, object)
  respondWithoutBody(response, 200, { 'Content-Length': object.sizeBytes })
}

/** PutObject; the object appears, or is replaced, once its bytes are durable. */
export async function putObject(exchange: Exchange): Promise<void> {
  const { request, response, storage, target, now } = exchange
  const promised = promisedMd5(request.headers['content-md5'])
  const { contentId, sizeBytes, md5 } = await receiveContent(exchange.openBody(), storage.contents, (content) =>
    checkMd5(promised, content.md5),
  )
  const object: StoredObject = {
    key: target.key,
    etag: md5.toString('hex'),
    contentType: contentTypeOf(exchange),
    lastModifiedMs: now(),
    sizeBytes,
    contents: [{ contentId, sizeBytes }],
  }
  await storage.commitContent({ type: 'object-put', bucket: target.bucket, object }, contentId)
  respondWithoutBody(response, 200, { ETag: quoted(object.etag), 'Content-Length': 0 })
}

/** DeleteObject; a missing key is not an error. */
export async function deleteObject({ response, storage, target: { bucket, key } }: Exchange): Promise<void> {
  if (storage.catalog.object(bucket, key) !== undefined) await storage.commit({ type: 'object-deleted', bucket, key })
  respondWithoutBody(response, 204)
}

/** Returns the content type that a PutObject or CreateMultipartUpload gives its object. */
export function contentTypeOf({ request }: Exchange): string {
  const given = request.headers['content-type']
  return given === undefined || given === '' ? DEFAULT_CONTENT_TYPE : given
}

function findObject({ storage, target: { bucket, key } }: Exchange): StoredObject {
  const object = storage.catalog.object(bucket, key)
  if (object === undefined) throw new ServiceError('NoSuchKey', 'There is no object with this name.')
  return object
}

/** Compares If-Modified-Since in whole seconds; an unreadable one counts as none (docs/dialect.md, Semantics). */
function isUnmodified({ request, now }: Exchange, object: StoredObject): boolean {
  const sinceMs = parseHttpDate(request.headers['if-modified-since'] ?? '', now())
  return sinceMs !== null && Math.floor(object.lastModifiedMs / 1000) <= Math.floor(sinceMs / 1000)
}

function setObjectHeaders(response: ServerResponse, object: StoredObject): void {
  response.setHeader('x-storage-object-type', 'Normal')
  response.setHeader('Last-Modified', formatHttpDate(object.lastModifiedMs))
  response.setHeader('ETag', quoted(object.etag))
  response.setHeader('Content-Type', object.contentType)
}

function respondNotModified(response: ServerResponse, object: StoredObject): void {
  respondWithoutBody(response, 304, {
    'Last-Modified': formatHttpDate(object.lastModifiedMs),
    ETag: quoted(object.etag),
  })
}
