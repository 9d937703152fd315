import type { Verification } from '../../../shared/transfer/transfer.ts'

/** Whether the content was compared, not the size alone. */
export function provesContent(verification: Verification | null): verification is Verification {
  return verification !== null && verification !== 'size-only' && verification !== 'unproven'
}

/** Whether a hash of the whole file agreed: no bytes can be made up for it, and it was read from the disk. */
export function provesByHash(verification: Verification | null): boolean {
  return verification === 'etag-md5' || verification === 'etag-multipart' || verification === 'digest'
}
