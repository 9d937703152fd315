import { readObjectsPage, readUploadsPage } from '../messages/answers.ts'
import type { ListMultipartUploadsRequest, ListObjectsRequest } from '../port/object-store.ts'
import { xmlAnswer } from './xml-answers.ts'
import type { S3Transport } from './transport.ts'

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
  return readObjectsPage(await transport.send(request), { prefix, marker }, xmlAnswer('ListBucketResult'))
}

function given(query: Readonly<Record<string, string>>): (readonly [string, string])[] {
  return Object.entries(query).filter(([, value]) => value !== '')
}
