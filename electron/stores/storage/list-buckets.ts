import type { ListedBucket } from '../../../shared/place/place.ts'
import { serviceAddressOf } from '../messages/address.ts'
import { readBuckets } from '../messages/responses.ts'
import type { StoreConnection } from '../port/store-connection.ts'
import { createStorageTransport } from './transport.ts'

/**
 * ListBuckets: `GET /` at the service's own host, signed over the resource `/`. It is undocumented (docs/dialect.md);
 * this is the form that this family of services uses. Safe to repeat. Throws StoreError.
 */
export async function listBuckets(connection: StoreConnection, signal: AbortSignal): Promise<readonly ListedBucket[]> {
  const transport = createStorageTransport({ ...connection, bucket: '' }, serviceAddressOf(connection))
  try {
    return await readBuckets(
      await transport.send({ operation: 'ListBuckets', method: 'GET', key: null, accepts: [200], signal }),
    )
  } finally {
    await transport.close()
  }
}
