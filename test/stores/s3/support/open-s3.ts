import type { StoreConnection } from '../../../../electron/stores/index.ts'
import type { ObjectStore } from '../../../../electron/stores/port/object-store.ts'
import { CREDENTIALS, openStore } from '../../support/open-store.ts'

/** A store that speaks S3 for bucket `demo` at `endpoint`, path style; closed when the test is over. */
export function openS3(endpoint: string, changes: Partial<StoreConnection> = {}): ObjectStore {
  const own = { dialect: 's3', signature: 'hmac-sha256', region: 'eu-test-1', credentials: CREDENTIALS } as const
  return openStore(endpoint, { ...own, ...changes })
}

/** The parts of an Authorization header. */
export function proofOf(authorization: string | undefined) {
  const match = /^AWS4-HMAC-SHA256 Credential=(.*), SignedHeaders=(.*), Signature=([\da-f]{64})$/.exec(
    authorization ?? '',
  )
  return { credential: match?.[1], signedHeaders: match?.[2], signature: match?.[3] }
}
