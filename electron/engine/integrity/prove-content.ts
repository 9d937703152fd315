import type { Proof } from '../../../shared/transfer/transfer.ts'
import { isSystemError } from '../../errno/errno.ts'
import { ContentProof } from './content-proof.ts'
import { planProof, type ProofContext, type ProvenObject } from './plan-proof.ts'

/**
 * Returns what proves that the file at `path` equals the object, or null if the object contradicts it. `size-only`:
 * nothing can be proven; `unproven`: nor is that size known to be the object's. Throws the file system's error, and
 * `signal.reason` when aborted.
 */
export async function proveContent(context: ProofContext, path: string, object: ProvenObject): Promise<Proof | null> {
  const { identity } = object
  const proof = new ContentProof(context.deps.hasher, path, identity.sizeBytes)
  try {
    proof.aim((signal) => planProof({ ...context, signal }, object))
    const proven = await proof.prove([], context.signal)
    return proven?.verification === 'size-only' && identity.isOpenEnded === true ? { verification: 'unproven' } : proven
  } finally {
    await proof.stop()
  }
}

/** The same for a file of somebody else: one that can't be read is not known to equal the object, so it gives null. */
export async function proveIfReadable(
  context: ProofContext,
  path: string,
  object: ProvenObject,
): Promise<Proof | null> {
  try {
    return await proveContent(context, path, object)
  } catch (failure) {
    context.signal.throwIfAborted()
    if (isSystemError(failure)) return null
    throw failure
  }
}
