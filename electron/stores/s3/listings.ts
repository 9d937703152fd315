import { readBuckets, readObjectsPage, readUploadsPage } from '../answers.ts'
import type { BucketList, ListMultipartUploadsRequest, ListObjectsRequest } from '../object-store.ts'
import type { StoreConnection } from '../store-connection.ts'
import { bucketsAnswer, xmlAnswer } from './answers.ts'
import { createS3Transport, type S3Transport } from './transport.ts'

/** One page of ListMultipartUploads. Keys are not asked for encoded: Ceph encodes them then and does not say so. */
export async function listMultipartUploads(
  transport: S3Transport,
  { prefix = '', keyMarker = '', uploadIdMarker = '', signal }: ListMultipartUploadsRequest,
) {
  const query = given({ prefix, 'key-marker': keyMarker, 'upload-id-marker': uploadIdMarker })
  const request = { operation: 'ListMultipartUploads', method: 'GET', key: null, accepts: [200], signal } as const
  const response = await transport.send({ ...request, query: [['uploads', ''], ...query] })
  return readUploadsPage(response, keyMarker, uploadIdMarker, xmlAnswer('ListMultipartUploadsResult'))
}

/**
 * One page of ListObjects, the first version: its marker is a key, as the port has it, where the second version's
 * token is only the service's to read.
 */
export async function listObjects(
  transport: S3Transport,
  { prefix = '', delimiter = '', marker = '', maxKeys, signal }: ListObjectsRequest,
) {
  const query = given({ 'encoding-type': 'url', prefix, delimiter, marker, 'max-keys': maxKeys?.toString() ?? '' })
  const request = { operation: 'ListObjects', method: 'GET', key: null, query, accepts: [200], signal } as const
  return readObjectsPage(await transport.send(request), marker, xmlAnswer('ListBucketResult'))
}

/** ListBuckets: all of them in one answer, as no page size is asked for. */
export async function listBuckets(connection: StoreConnection, signal: AbortSignal): Promise<BucketList> {
  const transport = createS3Transport({ ...connection, bucket: '' })
  try {
    const request = { operation: 'ListBuckets', method: 'GET', key: null, accepts: [200], signal } as const
    return await readBuckets(await transport.send(request), bucketsAnswer)
  } finally {
    await transport.close()
  }
}

function given(query: Readonly<Record<string, string>>): (readonly [string, string])[] {
  return Object.entries(query).filter(([, value]) => value !== '')
}
