import type { ListedBucket } from '../../../shared/place/place.ts'
import { serviceAddressOf } from '../messages/address.ts'
import { readBuckets, readObjectsPage, readUploadsPage } from '../messages/responses.ts'
import type { ListMultipartUploadsRequest, ListObjectsRequest, ObjectStore } from '../port/object-store.ts'
import type { StoreConnection } from '../port/store-connection.ts'
import { createTransport, type Transport } from './transport.ts'

/** The verbs that look through a bucket. */
export function listingVerbs(transport: Transport): Pick<ObjectStore, 'listMultipartUploads' | 'listObjects'> {
  return {
    async listMultipartUploads({ prefix, keyMarker, uploadIdMarker, signal }: ListMultipartUploadsRequest) {
      const response = await transport.send({
        operation: 'ListMultipartUploads',
        method: 'GET',
        key: null,
        query: [
          ['uploads', ''],
          ...given('prefix', prefix),
          ...given('key-marker', keyMarker),
          ...given('upload-id-marker', uploadIdMarker),
        ],
        accepts: [200],
        signal,
      })
      return readUploadsPage(response, keyMarker ?? '', uploadIdMarker ?? '')
    },

    async listObjects(request: ListObjectsRequest) {
      const { prefix, delimiter, marker, maxKeys, signal } = request
      const response = await transport.send({
        operation: 'ListObjects',
        method: 'GET',
        key: null,
        query: [
          ...given('prefix', prefix),
          ...given('delimiter', delimiter),
          ...given('marker', marker),
          ...given('max-keys', maxKeys?.toString()),
        ],
        accepts: [200],
        signal,
      })
      return readObjectsPage(response, request)
    },
  }
}

/**
 * ListBuckets: `GET /` at the service's own host, signed over the resource `/`. It is not documented (docs/dialect.md);
 * this is the shape that its family of services has.
 */
export async function listBuckets(connection: StoreConnection, signal: AbortSignal): Promise<readonly ListedBucket[]> {
  const transport = createTransport({ ...connection, bucket: '' }, serviceAddressOf(connection))
  try {
    return await readBuckets(
      await transport.send({ operation: 'ListBuckets', method: 'GET', key: null, accepts: [200], signal }),
    )
  } finally {
    await transport.close()
  }
}

function given(name: string, value: string | undefined): (readonly [string, string])[] {
  return value === undefined || value === '' ? [] : [[name, value]]
}
