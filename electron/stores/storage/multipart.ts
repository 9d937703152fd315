import { createHash } from 'node:crypto'
import { COMPLETE_TIMEOUT_BASE_MS, COMPLETE_TIMEOUT_PER_PART_MS } from '../../../shared/limits.ts'
import { parseJsonObject } from '../messages/error-responses.ts'
import { takeForDone } from '../messages/web-page.ts'
import type {
  CompletedPart,
  CompleteMultipartUploadRequest,
  CreateMultipartUploadRequest,
  ListPartsRequest,
  ObjectStore,
  UploadAddress,
} from '../port/object-store.ts'
import { readCompleteResult, readCreateResult, readPartsPage } from '../messages/responses.ts'
import { learnFromParts, type EtagTexts } from './etag-texts.ts'
import type { Transport } from './transport.ts'

type MultipartVerbs = Pick<
  ObjectStore,
  'createMultipartUpload' | 'listParts' | 'completeMultipartUpload' | 'abortMultipartUpload'
>

/** The verbs of one multipart upload but for sending its parts. */
export function multipartVerbs(transport: Transport, now: () => number, etags: EtagTexts): MultipartVerbs {
  return {
    async createMultipartUpload({ key, contentType, signal }: CreateMultipartUploadRequest) {
      const response = await transport.send({
        operation: 'CreateMultipartUpload',
        method: 'POST',
        key,
        query: [['uploads', '']],
        contentType,
        accepts: [200],
        signal,
      })
      return readCreateResult(response, key)
    },

    async listParts({ key, uploadId, partNumberMarker, maxParts, signal }: ListPartsRequest) {
      const response = await transport.send({
        operation: 'ListParts',
        method: 'GET',
        key,
        query: [
          ['uploadId', uploadId],
          ...(maxParts === undefined ? [] : [['max-parts', String(maxParts)] as const]),
          ...(partNumberMarker === undefined ? [] : [['part-number-marker', String(partNumberMarker)] as const]),
        ],
        accepts: [200],
        signal,
      })
      return readPartsPage(response, partNumberMarker ?? 0, (text) => learnFromParts(parseJsonObject(text), etags))
    },

    async completeMultipartUpload({ key, uploadId, parts, signal }: CompleteMultipartUploadRequest) {
      const body = completeBody(parts, etags)
      const timeoutMs = COMPLETE_TIMEOUT_BASE_MS + COMPLETE_TIMEOUT_PER_PART_MS * parts.length
      const response = await transport.send({
        operation: 'CompleteMultipartUpload',
        isDocumented: true,
        method: 'POST',
        key,
        query: [['uploadId', uploadId]],
        body,
        contentMd5: createHash('md5').update(body).digest('base64'),
        headersTimeoutMs: timeoutMs,
        idleTimeoutMs: timeoutMs,
        accepts: [200],
        signal,
      })
      return readCompleteResult(response, key, now())
    },

    async abortMultipartUpload({ key, uploadId, signal }: UploadAddress) {
      const response = await transport.send({
        operation: 'AbortMultipartUpload',
        method: 'DELETE',
        key,
        query: [['uploadId', uploadId]],
        accepts: [200, 204],
        signal,
      })
      await takeForDone(response)
    },
  }
}

/** Body of a Complete request; ETags as the service gave them (docs/dialect.md, Documented). */
function completeBody(parts: readonly CompletedPart[], etags: EtagTexts): Uint8Array {
  const listed = parts.map(({ partNumber, etag }) => ({ PartNumber: partNumber, ETag: etags.textOf(etag) }))
  return Buffer.from(JSON.stringify({ Parts: listed }))
}
