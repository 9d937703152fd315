import { createHash } from 'node:crypto'
import { parseJsonObject } from '../messages/error-responses.ts'
import { readCompleteResult } from '../messages/responses.ts'
import { abortMultipartUpload, completeRequest, createMultipartUpload, listParts } from '../messages/verbs.ts'
import type { CompletedPart, ObjectStore } from '../port/object-store.ts'
import { learnFromParts, type EtagTexts } from './etag-texts.ts'
import type { StorageTransport } from './transport.ts'

type MultipartVerbs = Pick<
  ObjectStore,
  'createMultipartUpload' | 'listParts' | 'completeMultipartUpload' | 'abortMultipartUpload'
>

/** The verbs of one multipart upload, except sending its parts. */
export function multipartVerbs(transport: StorageTransport, now: () => number, etags: EtagTexts): MultipartVerbs {
  return {
    createMultipartUpload: (request) => createMultipartUpload(transport, request),

    listParts: (request) => listParts(transport, request, (text) => learnFromParts(parseJsonObject(text), etags)),

    async completeMultipartUpload(request) {
      const body = completeBody(request.parts, etags)
      const response = await transport.send({
        ...completeRequest(request),
        isDocumented: true,
        headers: { 'content-md5': createHash('md5').update(body).digest('base64') },
        body,
      })
      return readCompleteResult(response, request.key, now())
    },

    abortMultipartUpload: (request) => abortMultipartUpload(transport, request),
  }
}

/** Builds the body of a Complete request, with ETags as the service wrote them (docs/dialect.md, Documented). */
function completeBody(parts: readonly CompletedPart[], etags: EtagTexts): Uint8Array {
  const listed = parts.map(({ partNumber, etag }) => ({ PartNumber: partNumber, ETag: etags.textOf(etag) }))
  return Buffer.from(JSON.stringify({ Parts: listed }))
}
