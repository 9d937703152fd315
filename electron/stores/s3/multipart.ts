import { readCompleteResult } from '../messages/responses.ts'
import { abortMultipartUpload, completeRequest, createMultipartUpload, listParts } from '../messages/verbs.ts'
import { escapeXml } from '../messages/xml.ts'
import type { ObjectStore } from '../port/object-store.ts'
import { ifAbsentHeader, metadataHeaders } from './object-headers.ts'
import type { S3Transport } from './transport.ts'
import { xmlParser, xmlRequest } from './xml-bodies.ts'

type MultipartVerbs = Pick<
  ObjectStore,
  'createMultipartUpload' | 'listParts' | 'completeMultipartUpload' | 'abortMultipartUpload'
>

/** The verbs of one multipart upload, except sending its parts. */
export function multipartVerbs(
  transport: S3Transport,
  now: () => number,
  headObject: ObjectStore['headObject'],
): MultipartVerbs {
  return {
    createMultipartUpload: (request) =>
      createMultipartUpload(
        transport,
        request,
        keyless('InitiateMultipartUploadResult'),
        metadataHeaders(request.metadata),
      ),

    listParts: (request) => listParts(transport, request, xmlParser('ListPartsResult')),

    async completeMultipartUpload(request) {
      const { key, parts, sizeBytes, ifAbsent, signal } = request
      const { facts } = transport.provider
      const entries = parts.map(
        ({ partNumber, etag }) =>
          `<Part><PartNumber>${partNumber}</PartNumber><ETag>"${escapeXml(etag)}"</ETag></Part>`,
      )
      const { body, headers } = xmlRequest('CompleteMultipartUpload', entries.join(''))
      const response = await transport.send({
        ...completeRequest(request),
        headers: {
          ...headers,
          'x-amz-mp-object-size': facts.checksSizeAtComplete ? sizeBytes?.toString() : undefined,
          ...ifAbsentHeader(ifAbsent === true && facts.ifAbsent.complete),
        },
        body,
      })
      // Ceph up to version 18 reports success with an empty ETag.
      const findEtag = () =>
        headObject({ key, signal })
          .then(({ etag }) => etag)
          .catch(() => null)
      return readCompleteResult(response, key, now(), keyless('CompleteMultipartUploadResult'), findEtag)
    },

    abortMultipartUpload: (request) => abortMultipartUpload(transport, request),
  }
}

/** Ignores the key in these responses, because services differ in how they write its unusual characters. */
export function keyless(root: string) {
  const parse = xmlParser(root)
  return (text: string) => {
    const members = parse(text)
    if (members !== null) delete members['Key']
    return members
  }
}
