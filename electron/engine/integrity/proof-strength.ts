import type { Proof } from '../../../shared/transfer/transfer.ts'

/** Whether the content was compared, not the size alone. */
export function provesContent(proof: Proof | null): proof is Proof {
  return proof !== null && proof.verification !== 'size-only' && proof.verification !== 'unproven'
}

/** Whether a hash of the whole file agreed: no bytes can be made up for it, and it was read from the disk. */
export function provesByHash(proof: Proof | null): boolean {
  const verification = proof?.verification
  return verification === 'etag-md5' || verification === 'etag-multipart' || verification === 'digest'
}
