import { MAX_PART_COUNT, MIN_PART_SIZE_BYTES } from '../../../shared/limits.ts'
import { readPutResult } from '../messages/responses.ts'
import { deleteObject, listMultipartUploads, listObjects, sendObject, sendPart } from '../messages/verbs.ts'
import { clockOf } from '../messages/server-clock.ts'
import type { ObjectStore } from '../port/object-store.ts'
import type { StoreConnection } from '../port/store-connection.ts'
import { createEtagTexts } from './etag-texts.ts'
import { multipartVerbs } from './multipart.ts'
import { getObject, headVerb } from './objects.ts'
import { linkTo } from './presigned-links.ts'
import { createStorageTransport } from './transport.ts'

/**
 * A bucket of a service that speaks the storage dialect (docs/dialect.md). Throws a StoreError InvalidArgument when the
 * connection's endpoint or bucket forms no address.
 */
export function createStorageStore(connection: StoreConnection): ObjectStore {
  const transport = createStorageTransport(connection)
  const etags = createEtagTexts()
  const headObject = headVerb(transport)
  return {
    bucket: connection.bucket,
    endpoint: connection.endpoint,
    host: transport.host,
    capabilities: {
      ifMatch: false,
      etagIsMd5: true,
      listsUploadsByPrefix: true,
      minPartSizeBytes: MIN_PART_SIZE_BYTES,
      maxPartCount: MAX_PART_COUNT,
    },
    getObject: (request) => getObject(transport, request),
    headObject,
    putObject: async (request) => readPutResult(await sendObject(transport, request)),
    async uploadPart(request) {
      const response = await sendPart(transport, request)
      etags.learn(response.headers.get('etag'))
      return readPutResult(response)
    },
    deleteObject: (request) => deleteObject(transport, request),
    ...multipartVerbs(transport, connection.now ?? Date.now, etags),
    listMultipartUploads: (request) => listMultipartUploads(transport, request),
    listObjects: (request) => listObjects(transport, request),
    linkTo: async ({ expiresSeconds, ...request }) => {
      const now = clockOf(await headObject(request), connection)
      return linkTo({ ...connection, now }, request.key, expiresSeconds)
    },
    close: () => transport.close(),
    dropConnections: () => transport.dropConnections(),
  }
}
