import { lstat, stat } from 'node:fs/promises'
import type { TransferDirection, Verification } from '../../../shared/transfer/transfer.ts'
import { objectAt, proveIfReadable, provesContent } from '../../engine/index.ts'
import type { ObjectHead, ObjectStore } from '../../stores/port/object-store.ts'
import type { ObjectAddress } from '../connection.ts'
import type { Session } from '../session/session.ts'

/** Returns what proves that a local file and an object have the same bytes now, or null. */
export async function provenEqual(
  session: Session,
  address: ObjectAddress,
  path: string,
  direction: TransferDirection,
): Promise<Verification | null> {
  return (await findProvenEqual(session, address, [path], direction))?.verification ?? null
}

/**
 * Finds the first of several local files that provably has the bytes of an object now, with the proof; null when none
 * does. For a download, a symbolic link doesn't count as a file.
 */
export async function findProvenEqual(
  session: Session,
  address: ObjectAddress,
  paths: readonly string[],
  direction: TransferDirection,
): Promise<{ readonly path: string; readonly verification: Verification } | null> {
  const store = session.connection.open(address.location)
  const head = await headOrNull(session, store, address.key)
  const { deps, signal } = session
  for (const path of head === null ? [] : paths) {
    const facts = await (direction === 'download' ? lstat(path) : stat(path))
    if (!facts.isFile() || head?.sizeBytes !== facts.size) continue
    const identity = { sizeBytes: facts.size, etag: head.etag, lastModified: head.lastModified }
    const subject = { key: address.key, identity, digests: head.digests }
    const proof = await proveIfReadable({ store, deps, signal }, path, subject)
    if (provesContent(proof)) return { path, verification: proof.verification }
  }
  return null
}

/** Returns null if there is no object, or none that we may see: services may grant writing without reading. */
export async function headOrNull(session: Session, store: ObjectStore, key: string): Promise<ObjectHead | null> {
  const { deps, retryContext } = session
  return objectAt({ ...retryContext, deps, store }, key)
}
