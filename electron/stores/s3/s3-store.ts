import { invalidArgument } from '../messages/address.ts'
import { readPutResult } from '../messages/responses.ts'
import { deleteObject, sendObject, sendPart } from '../messages/verbs.ts'
import type { HeadObjectRequest, ObjectStore, StoreCapabilities } from '../port/object-store.ts'
import type { StoreConnection } from '../port/store-connection.ts'
import { clockOf } from '../messages/server-clock.ts'
import { copyVerbs } from './copies.ts'
import { deleteObjects } from './delete-objects.ts'
import { linkTo } from './presigned-links.ts'
import { listMultipartUploads, listObjects } from './listings.ts'
import { multipartVerbs } from './multipart.ts'
import { ifAbsentHeader, metadataHeaders } from './object-headers.ts'
import { headPart, listObjectParts } from './object-parts.ts'
import type { ProviderFacts } from './providers.ts'
import { contentOf, headOf, sendGet, sendHead } from './objects.ts'
import { createS3Transport } from './transport.ts'

/**
 * A bucket of a service that speaks Amazon S3's API. Throws a StoreError InvalidArgument when the connection's endpoint
 * or bucket forms no address.
 */
export function createS3Store(connection: StoreConnection): ObjectStore {
  if (connection.bucket === '') throw invalidArgument('No bucket is given')
  const transport = createS3Transport(connection)
  const { provider } = transport
  const headObject = async (request: HeadObjectRequest) => headOf(await sendHead(transport, request))

  return {
    bucket: connection.bucket,
    endpoint: connection.endpoint,
    get host() {
      return transport.route.origin
    },
    get capabilities() {
      return capabilitiesOf(provider.facts)
    },
    getObject: async (request) => contentOf(await sendGet(transport, request)),
    headObject,
    headPart: (request) => headPart(transport, request),
    listObjectParts: (request) => listObjectParts(transport, request),
    async putObject(request) {
      const isConditional = request.ifAbsent === true && provider.facts.ifAbsent.put
      const headers = { ...metadataHeaders(request.metadata), ...ifAbsentHeader(isConditional) }
      return readPutResult(await sendObject(transport, request, headers))
    },
    uploadPart: async (request) => readPutResult(await sendPart(transport, request)),
    deleteObject: (request) => deleteObject(transport, request),
    deleteObjects: (request) => deleteObjects(transport, request),
    copies: copyVerbs(transport, connection),
    ...multipartVerbs(transport, connection.now ?? Date.now, headObject),
    listMultipartUploads: (request) => listMultipartUploads(transport, request),
    listObjects: (request) => listObjects(transport, request),
    linkTo: async ({ expiresSeconds, ...request }) => {
      const now = clockOf(await headObject(request), connection)
      return linkTo({ ...connection, now }, request.key, expiresSeconds, request.signal, transport.route)
    },
    close: () => transport.close(),
    dropConnections: () => transport.dropConnections(),
  }
}

function capabilitiesOf({ minPartBytes, maxPartCount, ...facts }: ProviderFacts): StoreCapabilities {
  const { ifMatch, ifAbsent, wantsContentMd5, listsUploadsByPrefix } = facts
  const { etagIsMd5, multipartEtagIsMd5, givesChecksums, listsObjectParts } = facts
  const limits = { minPartSizeBytes: minPartBytes - 1, maxPartCount }
  const checks = { etagIsMd5, multipartEtagIsMd5, givesChecksums, listsObjectParts }
  return { ifMatch, ifAbsent, wantsContentMd5, listsUploadsByPrefix, metadata: true, ...checks, ...limits }
}
