import type { ListMultipartUploadsRequest, ListObjectsRequest, ObjectStore } from '../object-store.ts'
import { readObjectsPage, readUploadsPage } from '../answers.ts'
import type { Transport } from './transport.ts'

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

    async listObjects({ prefix, delimiter, marker, maxKeys, signal }: ListObjectsRequest) {
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
      return readObjectsPage(response, marker ?? '')
    },
  }
}

function given(name: string, value: string | undefined): (readonly [string, string])[] {
  return value === undefined || value === '' ? [] : [[name, value]]
}
