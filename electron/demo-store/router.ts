import type { Exchange } from './http/exchange.ts'
import { listBuckets, listObjects, listParts, listUploads } from './operations/listing-operations.ts'
import { deleteObject, getObject, headObject, putObject } from './operations/object-operations.ts'
import type { RequestTarget } from './http/request-target.ts'
import { ServiceError } from './http/service-error.ts'
import { abortUpload, completeUpload, createUpload, uploadPart } from './operations/upload-operations.ts'

export type Operation = (exchange: Exchange) => void | Promise<void>

const SERVICE_OPERATIONS: Readonly<Record<string, Operation>> = { 'GET ': listBuckets }
/** By method and sorted sub-resources (docs/dialect.md, Requests). Other parameters don't choose the operation. */
const BUCKET_OPERATIONS: Readonly<Record<string, Operation>> = {
  'GET ': listObjects,
  'GET uploads': listUploads,
}
const OBJECT_OPERATIONS: Readonly<Record<string, Operation>> = {
  'GET ': getObject,
  'HEAD ': headObject,
  'PUT ': putObject,
  'DELETE ': deleteObject,
  'POST uploads': createUpload,
  'PUT partNumber,uploadId': uploadPart,
  'GET uploadId': listParts,
  'POST uploadId': completeUpload,
  'DELETE uploadId': abortUpload,
}

/**
 * Returns the operation that a request names. Throws MethodNotAllowed, or InvalidArgument when it has the wrong set of
 * sub-resources.
 */
export function route(method: string, { bucket, key, query }: RequestTarget): Operation {
  const operations = bucket === '' ? SERVICE_OPERATIONS : key === '' ? BUCKET_OPERATIONS : OBJECT_OPERATIONS
  const subresources = ['partNumber', 'uploadId', 'uploads'].filter((name) => query.has(name))
  const operation = operations[`${method} ${subresources.join(',')}`]
  if (operation !== undefined) return operation
  if (!Object.keys(operations).some((name) => name.startsWith(`${method} `))) {
    throw new ServiceError('MethodNotAllowed', `${method} is not supported here.`)
  }
  // Never falls back to the plain operation: "PUT ?partNumber=1" must not replace the object.
  throw new ServiceError('InvalidArgument', `${method} takes a different set of uploads, uploadId and partNumber.`)
}
