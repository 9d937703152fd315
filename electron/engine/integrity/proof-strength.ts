import type { Proof } from '../../../shared/transfer/transfer.ts'

/** Whether the content was compared, not only the size. */
export function provesContent(proof: Proof | null): proof is Proof {
  return proof !== null && proof.verification !== 'size-only' && proof.verification !== 'unproven'
}

/** Whether a hash of the whole file agreed: other bytes can't be made up to fit it, and the file was read from disk. */
export function provesByHash(proof: Proof | null): boolean {
  const verification = proof?.verification
  return verification === 'etag-md5' || verification === 'etag-multipart' || verification === 'digest'
}
