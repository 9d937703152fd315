import type { ObjectStore } from '../../../electron/stores/port/object-store.ts'
import { createStorageStore } from '../../../electron/stores/storage/storage-store.ts'

/** A bucket of a service that asks for no key. The caller closes it. */
export function anonymousStore(endpoint: string, bucket: string): ObjectStore {
  return createStorageStore({
    endpoint,
    bucket,
    dialect: 'storage',
    pathStyle: true,
    scheme: 'STORAGE',
    signature: 'none',
    region: '',
    credentials: null,
  })
}
