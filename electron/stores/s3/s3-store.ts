import { invalidArgument, type Query } from '../messages/address.ts'
import { readPutResult } from '../messages/responses.ts'
import { takeForDone } from '../messages/web-page.ts'
import type {
  HeadObjectRequest,
  ObjectStore,
  PutObjectRequest,
  PutResult,
  StoreCapabilities,
} from '../port/object-store.ts'
import type { StoreConnection } from '../port/store-connection.ts'
import { StoreError } from '../port/store-error.ts'
import { clockOf } from '../messages/server-clock.ts'
import { deleteObjects } from './delete-objects.ts'
import { linkTo } from './presigned-links.ts'
import { listMultipartUploads, listObjects } from './listings.ts'
import { multipartVerbs } from './multipart.ts'
import { ifAbsentHeader, metadataHeaders } from './object-headers.ts'
import { headPart, listObjectParts } from './object-parts.ts'
import type { ProviderFacts } from './providers.ts'
import { contentOf, headOf, sendGet, sendHead } from './get-object.ts'
import { createS3Transport, type S3Transport } from './transport.ts'

/**
 * A bucket of a service that speaks Amazon S3's API. Throws a StoreError InvalidArgument when the connection's endpoint
 * or bucket is no address.
 */
export function createS3Store(connection: StoreConnection): ObjectStore {
  if (connection.bucket === '') throw invalidArgument('There is no bucket')
  const transport = createS3Transport(connection)
  const { provider } = transport
  const headObject = async (request: HeadObjectRequest) => headOf(await sendHead(transport, request))

  async function put(
    operation: string,
    { key, body, contentMd5, contentType, onSent, signal }: PutObjectRequest,
    query: Query,
    extra: Readonly<Record<string, string>> = {},
  ): Promise<PutResult> {
    const headers = { 'content-md5': contentMd5, 'content-type': contentType, ...extra }
    const request = {
      operation,
      method: 'PUT',
      key,
      query,
      headers,
      body,
      onSent,
      accepts: [200, 201],
      signal,
    } as const
    return readPutResult(await transport.send(request))
  }

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
    putObject: ({ metadata, ifAbsent, ...request }) =>
      put('PutObject', request, [], {
        ...metadataHeaders(metadata),
        ...ifAbsentHeader(ifAbsent === true && provider.facts.ifAbsent.put),
      }),
    uploadPart: (request) =>
      put('UploadPart', request, [
        ['partNumber', String(request.partNumber)],
        ['uploadId', request.uploadId],
      ]),
    deleteObject: ({ key, signal }) => deleteObject(transport, key, signal),
    deleteObjects: (request) => deleteObjects(transport, request),
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
  const { ifMatch, etagIsMd5, multipartEtagIsMd5, ifAbsent, givesChecksums, listsObjectParts } = facts
  const limits = { minPartSizeBytes: minPartBytes - 1, maxPartCount }
  const checks = { etagIsMd5, multipartEtagIsMd5, givesChecksums, listsObjectParts }
  return { ifMatch, ifAbsent, metadata: true, ...checks, ...limits }
}

async function deleteObject(transport: S3Transport, key: string, signal: AbortSignal): Promise<void> {
  const request = { operation: 'DeleteObject', method: 'DELETE', key, accepts: [200, 204], signal } as const
  try {
    await takeForDone(await transport.send(request))
  } catch (error) {
    if (!(error instanceof StoreError && error.code === 'NoSuchKey')) throw error
  }
}
