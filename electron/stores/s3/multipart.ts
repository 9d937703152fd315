import { createHash } from 'node:crypto'
import { COMPLETE_TIMEOUT_BASE_MS, COMPLETE_TIMEOUT_PER_PART_MS } from '../../../shared/limits.ts'
import { readCompleteResult, readCreateResult, readPartsPage } from '../messages/responses.ts'
import { takeForDone } from '../messages/web-page.ts'
import type { CompletedPart, ObjectStore } from '../port/object-store.ts'
import { xmlParser } from './xml-responses.ts'
import { ifAbsentHeader, metadataHeaders } from './object-headers.ts'
import type { S3Transport } from './transport.ts'
import { escapeXml } from '../messages/xml.ts'

type MultipartVerbs = Pick<
  ObjectStore,
  'createMultipartUpload' | 'listParts' | 'completeMultipartUpload' | 'abortMultipartUpload'
>

/** The verbs of one multipart upload but for sending its parts. */
export function multipartVerbs(
  transport: S3Transport,
  now: () => number,
  headObject: ObjectStore['headObject'],
): MultipartVerbs {
  return {
    ...openUploadVerbs(transport),

    async completeMultipartUpload({ key, uploadId, parts, sizeBytes, ifAbsent, signal }) {
      const body = completeBody(parts)
      const timeoutMs = COMPLETE_TIMEOUT_BASE_MS + COMPLETE_TIMEOUT_PER_PART_MS * parts.length
      const response = await transport.send({
        operation: 'CompleteMultipartUpload',
        method: 'POST',
        key,
        query: [['uploadId', uploadId]],
        headers: {
          'content-type': 'application/xml',
          'content-md5': createHash('md5').update(body).digest('base64'),
          'x-amz-mp-object-size': transport.provider.facts.checksSizeAtComplete ? sizeBytes?.toString() : undefined,
          ...ifAbsentHeader(ifAbsent === true && transport.provider.facts.ifAbsent.complete),
        },
        body,
        headersTimeoutMs: timeoutMs,
        idleTimeoutMs: timeoutMs,
        accepts: [200],
        signal,
      })
      // Ceph up to 18 says that it is done with an empty ETag.
      const findEtag = () =>
        headObject({ key, signal })
          .then(({ etag }) => etag)
          .catch(() => null)
      return readCompleteResult(response, key, now(), keyless('CompleteMultipartUploadResult'), findEtag)
    },
  }
}

function openUploadVerbs(transport: S3Transport): Omit<MultipartVerbs, 'completeMultipartUpload'> {
  return {
    async createMultipartUpload({ key, contentType, metadata, signal }) {
      const response = await transport.send({
        operation: 'CreateMultipartUpload',
        method: 'POST',
        key,
        query: [['uploads', '']],
        headers: { 'content-type': contentType, ...metadataHeaders(metadata) },
        accepts: [200],
        signal,
      })
      return readCreateResult(response, key, keyless('InitiateMultipartUploadResult'))
    },

    async listParts({ key, uploadId, partNumberMarker = 0, maxParts, signal }) {
      const response = await transport.send({
        operation: 'ListParts',
        method: 'GET',
        key,
        query: [
          ['uploadId', uploadId],
          ...(maxParts === undefined ? [] : [['max-parts', String(maxParts)] as const]),
          ...(partNumberMarker === 0 ? [] : [['part-number-marker', String(partNumberMarker)] as const]),
        ],
        accepts: [200],
        signal,
      })
      return readPartsPage(response, partNumberMarker, xmlParser('ListPartsResult'))
    },

    async abortMultipartUpload({ key, uploadId, signal }) {
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

/** Services differ in how they write odd characters of a key into these responses, which say nothing else about it. */
function keyless(root: string) {
  const parse = xmlParser(root)
  return (text: string) => {
    const members = parse(text)
    if (members !== null) delete members['Key']
    return members
  }
}

function completeBody(parts: readonly CompletedPart[]): Uint8Array {
  const entries = parts.map(
    ({ partNumber, etag }) => `<Part><PartNumber>${partNumber}</PartNumber><ETag>"${escapeXml(etag)}"</ETag></Part>`,
  )
  const namespace = 'http://s3.amazonaws.com/doc/2006-03-01/'
  return Buffer.from(`<CompleteMultipartUpload xmlns="${namespace}">${entries.join('')}</CompleteMultipartUpload>`)
}
