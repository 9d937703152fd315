import { MAX_PART_COUNT, MIN_PART_SIZE_BYTES } from '../../../shared/limits.ts'
import type { HttpResponse } from '../http/exchange.ts'
import type { Query } from '../messages/address.ts'
import { readPutResult } from '../messages/responses.ts'
import { takeForDone } from '../messages/web-page.ts'
import { clockOf } from '../messages/server-clock.ts'
import type { ObjectStore, PutObjectRequest } from '../port/object-store.ts'
import type { StoreConnection } from '../port/store-connection.ts'
import { StoreError } from '../port/store-error.ts'
import { createEtagTexts } from './etag-texts.ts'
import { listingVerbs } from './listings.ts'
import { multipartVerbs } from './multipart.ts'
import { getObject, headVerb } from './objects.ts'
import { linkTo } from './presigned-links.ts'
import { createTransport, type Transport } from './transport.ts'

/**
 * A bucket of a service that speaks the storage dialect (docs/dialect.md). Throws a StoreError
 * InvalidArgument when the connection's endpoint or bucket is no address.
 */
export function createStorageStore(connection: StoreConnection): ObjectStore {
  const transport = createTransport(connection)
  const etags = createEtagTexts()
  const headObject = headVerb(transport)
  return {
    bucket: connection.bucket,
    endpoint: connection.endpoint,
    host: transport.host,
    capabilities: {
      ifMatch: false,
      etagIsMd5: true,
      minPartSizeBytes: MIN_PART_SIZE_BYTES,
      maxPartCount: MAX_PART_COUNT,
    },
    getObject: (request) => getObject(transport, request),
    headObject,
    putObject: async (request) => readPutResult(await put(transport, 'PutObject', request, [])),
    async uploadPart(request) {
      const response = await put(transport, 'UploadPart', request, [
        ['partNumber', String(request.partNumber)],
        ['uploadId', request.uploadId],
      ])
      etags.learn(response.headers.get('etag'))
      return readPutResult(response)
    },
    deleteObject: ({ key, signal }) => deleteObject(transport, key, signal),
    ...multipartVerbs(transport, connection.now ?? Date.now, etags),
    ...listingVerbs(transport),
    linkTo: async ({ expiresSeconds, ...request }) => {
      const now = clockOf(await headObject(request), connection)
      return linkTo({ ...connection, now }, request.key, expiresSeconds)
    },
    close: () => transport.close(),
    dropConnections: () => transport.dropConnections(),
  }
}

function put(
  transport: Transport,
  operation: string,
  { key, body, contentMd5, contentType, onSent, signal }: PutObjectRequest,
  query: Query,
): Promise<HttpResponse> {
  return transport.send({
    operation,
    method: 'PUT',
    key,
    query,
    body,
    contentMd5,
    contentType,
    onSent,
    accepts: [200, 201],
    signal,
  })
}

async function deleteObject(transport: Transport, key: string, signal: AbortSignal): Promise<void> {
  try {
    await takeForDone(
      await transport.send({ operation: 'DeleteObject', method: 'DELETE', key, accepts: [200, 204], signal }),
    )
  } catch (error) {
    if (!(error instanceof StoreError && error.code === 'NoSuchKey')) throw error
  }
}
