import { createHash, randomBytes } from 'node:crypto'
import { MAX_PART_COUNT, MIB } from '../../../shared/limits.ts'
import type { StoredUpload } from '../storage/catalog-records.ts'
import { checkMd5, promisedMd5 } from '../http/content-md5.ts'
import { chooseParts, multipartEtag, parsePartList } from './complete-request.ts'
import { respondWithoutBody, respondWithJson, quoted, readBody, type Exchange } from '../http/exchange.ts'
import { wholeNumber } from './listings.ts'
import { contentTypeOf } from './object-operations.ts'
import { receiveContent } from '../http/receive-content.ts'
import { locationOf } from '../http/request-target.ts'
import { ServiceError } from '../http/service-error.ts'

/** A list of 10,000 parts takes less than 1 MiB, or twice that as `aws s3api list-parts` prints it. */
const MAX_COMPLETE_BODY_BYTES = 4 * MIB

/** CreateMultipartUpload; an object may have any number of uploads at a time. */
export async function createUpload(exchange: Exchange): Promise<void> {
  const { response, storage, target, now } = exchange
  const { bucket, key } = target
  const initiatedMs = now()
  // Listings ascend by uploadId within a key; the leading time makes that the order of creation.
  const uploadId = initiatedMs.toString(16).padStart(12, '0') + randomBytes(12).toString('hex')
  const upload = { uploadId, bucket, key, contentType: contentTypeOf(exchange), initiatedMs }
  await storage.commit({ type: 'upload-created', upload })
  respondWithJson(response, { Bucket: bucket, Key: key, UploadId: uploadId })
}

/** UploadPart; sending a number again replaces that part. */
export async function uploadPart(exchange: Exchange): Promise<void> {
  const { request, response, storage, target, now } = exchange
  const partNumber = wholeNumber(target.query.get('partNumber')) ?? 0
  if (partNumber < 1 || partNumber > MAX_PART_COUNT) {
    throw new ServiceError('InvalidArgument', `Part numbers run from 1 to ${MAX_PART_COUNT}.`)
  }
  const { uploadId } = findUpload(exchange)
  const promised = promisedMd5(request.headers['content-md5'])
  const content = await receiveContent(exchange.openBody(), storage.contents, ({ md5 }) => checkMd5(promised, md5))
  const { contentId, sizeBytes } = content
  const part = { contentId, sizeBytes, md5: content.md5.toString('hex'), lastModifiedMs: now() }
  if (!(await storage.commitContent({ type: 'part-stored', uploadId, partNumber, part }, contentId)))
    throw noSuchUpload()
  respondWithoutBody(response, 200, { ETag: quoted(part.md5), 'Content-Length': 0 })
}

/**
 * CompleteMultipartUpload (docs/dialect.md, Documented). Nothing is copied: the object is the list of its parts. Once
 * the body has arrived, the completion runs to its end whether or not the client is still listening.
 */
export async function completeUpload(exchange: Exchange): Promise<void> {
  const { request, response, storage, target, now } = exchange
  const { uploadId } = findUpload(exchange)
  const promised = promisedMd5(request.headers['content-md5'])
  const tooLarge = new ServiceError('MalformedJSON', `The body is larger than ${MAX_COMPLETE_BODY_BYTES} bytes.`)
  const body = await readBody(exchange, MAX_COMPLETE_BODY_BYTES, tooLarge)
  checkMd5(promised, createHash('md5').update(body).digest())
  const entries = parsePartList(body)

  let etag: string
  let isApplied: boolean
  do {
    const parts = chooseParts(entries, findUpload(exchange).parts)
    etag = multipartEtag(parts)
    isApplied = await storage.commit({
      type: 'upload-completed',
      uploadId,
      etag,
      lastModifiedMs: now(),
      parts: parts.map(({ partNumber, contentId }) => [partNumber, contentId]),
    })
    // Refused when another request completed, aborted or changed the upload first: then it is checked again.
  } while (!isApplied)
  respondWithJson(response, {
    Location: locationOf(target),
    Bucket: target.bucket,
    Key: target.key,
    ETag: quoted(etag),
  })
}

/** AbortMultipartUpload; deletes the upload's parts. */
export async function abortUpload(exchange: Exchange): Promise<void> {
  const { uploadId } = findUpload(exchange)
  if (!(await exchange.storage.commit({ type: 'upload-aborted', uploadId }))) throw noSuchUpload()
  respondWithoutBody(exchange.response, 204)
}

/** Finds the upload that the query names. Throws NoSuchUpload, also for an upload of another object. */
export function findUpload({ storage, target: { bucket, key, query } }: Exchange): StoredUpload {
  const upload = storage.catalog.upload(query.get('uploadId') ?? '')
  if (upload?.bucket !== bucket || upload.key !== key) throw noSuchUpload()
  return upload
}

function noSuchUpload(): ServiceError {
  return new ServiceError(
    'NoSuchUpload',
    'This object has no such upload: it was completed or aborted, or never existed.',
  )
}
