import type { Verification } from '../../../shared/transfer/transfer.ts'
import type { DownloadRecord, ObjectIdentity } from '../core/records.ts'
import { proveContent } from '../integrity/content-verifier.ts'
import { dateOf, fits } from '../partial-file/publish.ts'
import { onTarget, orNull } from '../files/file-errors.ts'
import type { RunContext } from '../core/run.ts'

/**
 * For a download that skips what is identical: what tells that the target is this very version already, else null.
 * Where nothing can be proven, size and modified time must be those that a finished download gives.
 */
export async function provenCurrent(
  { record, deps, store, signal, report }: RunContext<DownloadRecord>,
  identity: ObjectIdentity,
): Promise<Verification | null> {
  const { targetPath, onConflict } = record
  if (onConflict !== 'skip-identical') return null
  const found = await onTarget(targetPath, () => orNull(deps.fileSystem.lstat(targetPath, { bigint: true })))
  if (found?.isFile() !== true || found.size !== BigInt(identity.sizeBytes)) return null
  report.stage('verifying')
  const { etagIsMd5 } = store.capabilities
  const proof = await proveContent(deps.hasher, targetPath, identity, etagIsMd5, signal)
  if (proof === null || (proof === 'size-only' && (dateOf(identity) === null || !fits(found, identity)))) return null
  report.size(identity.sizeBytes)
  report.confirmed(identity.sizeBytes, 'found')
  report.facts({ localPath: targetPath })
  report.log('The file is there already and equals the object')
  return proof
}
