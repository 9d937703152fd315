import type { ListedBucket } from '../../../shared/place/place.ts'
import { readObjectsPage, readUploadsPage } from '../messages/responses.ts'
import { readMessage } from '../messages/error-responses.ts'
import { badMessage } from '../messages/web-page.ts'
import type { ListMultipartUploadsRequest, ListObjectsRequest } from '../port/object-store.ts'
import type { StoreConnection } from '../port/store-connection.ts'
import { createS3Transport, type S3Transport } from './transport.ts'
import { xmlParser } from './xml-responses.ts'
import { parseXml, type XmlElement } from '../messages/xml.ts'

/** One page of ListMultipartUploads. Keys are not asked for encoded: Ceph encodes them then and does not say so. */
export async function listMultipartUploads(
  transport: S3Transport,
  { prefix = '', keyMarker = '', uploadIdMarker = '', signal }: ListMultipartUploadsRequest,
) {
  const query = given({ prefix, 'key-marker': keyMarker, 'upload-id-marker': uploadIdMarker })
  const request = { operation: 'ListMultipartUploads', method: 'GET', key: null, accepts: [200], signal } as const
  const response = await transport.send({ ...request, query: [['uploads', ''], ...query] })
  return readUploadsPage(response, keyMarker, uploadIdMarker, xmlParser('ListMultipartUploadsResult'))
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
  return readObjectsPage(await transport.send(request), { prefix, marker }, xmlParser('ListBucketResult'))
}

function given(query: Readonly<Record<string, string>>): (readonly [string, string])[] {
  return Object.entries(query).filter(([, value]) => value !== '')
}

/** A name and a date for each of 10,000 buckets, which is what Amazon gives without pages, fits. */
const MAX_RESPONSE_BYTES = 8 * 1024 * 1024

/** ListBuckets: the buckets of the connection's key, whatever bucket it names. Safe to repeat. Throws StoreError. */
export async function listBuckets(connection: StoreConnection, signal: AbortSignal): Promise<readonly ListedBucket[]> {
  const transport = createS3Transport({ ...connection, bucket: '' })
  try {
    return await listBucketsBy(transport, signal)
  } finally {
    await transport.close()
  }
}

/** The same by a transport of no bucket. */
export async function listBucketsBy(transport: S3Transport, signal: AbortSignal): Promise<readonly ListedBucket[]> {
  const request = { operation: 'ListBuckets', method: 'GET', key: null, accepts: [200], signal } as const
  const response = await transport.send(request)
  const root = parseXml((await readMessage(response, MAX_RESPONSE_BYTES)).trimStart())
  if (root?.name !== 'ListAllMyBucketsResult') throw badMessage(response, 'a body of another shape')
  const buckets = childrenOf(root, 'Buckets').flatMap((list) => childrenOf(list, 'Bucket'))
  return buckets.flatMap((bucket) => {
    const [name] = childrenOf(bucket, 'Name')
    const [created] = childrenOf(bucket, 'CreationDate')
    return name === undefined || name.text === '' ? [] : [{ name: name.text, createdAt: created?.text ?? null }]
  })
}

function childrenOf({ children }: XmlElement, name: string): readonly XmlElement[] {
  return children.filter((child) => child.name === name)
}
