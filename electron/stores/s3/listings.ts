import type { ListedBucket } from '../../../shared/place/place.ts'
import { readBuckets } from '../messages/responses.ts'
import * as verbs from '../messages/verbs.ts'
import { childText, parseXml } from '../messages/xml.ts'
import type { ListMultipartUploadsRequest, ListObjectsRequest } from '../port/object-store.ts'
import type { StoreConnection } from '../port/store-connection.ts'
import { createS3Transport, type S3Transport } from './transport.ts'
import { xmlParser } from './xml-bodies.ts'

/** One page of ListMultipartUploads. Encoded keys are not requested, because Ceph encodes them without saying so. */
export function listMultipartUploads(transport: S3Transport, request: ListMultipartUploadsRequest) {
  return verbs.listMultipartUploads(transport, request, xmlParser('ListMultipartUploadsResult'))
}

/**
 * One page of ListObjects, the first version: its marker is a key, as the port expects, while the second version's
 * token is readable only to the service.
 */
export function listObjects(transport: S3Transport, request: ListObjectsRequest) {
  return verbs.listObjects(transport, request, xmlParser('ListBucketResult'), [['encoding-type', 'url']])
}

/** ListBuckets: the buckets of the connection's key, whatever bucket it names. Safe to repeat. Throws StoreError. */
export async function listBuckets(connection: StoreConnection, signal: AbortSignal): Promise<readonly ListedBucket[]> {
  const transport = createS3Transport({ ...connection, bucket: '' })
  try {
    return await listBucketsBy(transport, signal)
  } finally {
    await transport.close()
  }
}

/** Does the same with a transport that has no bucket. */
export async function listBucketsBy(transport: S3Transport, signal: AbortSignal): Promise<readonly ListedBucket[]> {
  const request = { operation: 'ListBuckets', method: 'GET', key: null, accepts: [200], signal } as const
  return readBuckets(await transport.send(request), parseBuckets)
}

/** Parses the only list with an element around it; buckets without a name are ignored. */
function parseBuckets(text: string): Record<string, unknown> | null {
  const root = parseXml(text.trimStart())
  if (root?.name !== 'ListAllMyBucketsResult') return null
  const buckets = root.children
    .filter(({ name }) => name === 'Buckets')
    .flatMap(({ children }) => children.filter(({ name }) => name === 'Bucket'))
    .map((bucket) => ({ Name: childText(bucket, 'Name'), CreationDate: childText(bucket, 'CreationDate') }))
  return { Buckets: buckets.filter(({ Name }) => Name) }
}
