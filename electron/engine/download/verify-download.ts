// What proves that a whole partial file equals the object, and what becomes of bytes that don't.

import type { Proof } from '../../../shared/transfer/transfer.ts'
import { totalLength } from '../core/byte-ranges.ts'
import { isUnreadable } from '../../errno/errno.ts'
import type { ObjectIdentity } from '../core/records.ts'
import { TransferError } from '../core/transfer-error.ts'
import { onTarget } from '../files/file-errors.ts'
import { provesByHash, provesContent } from '../integrity/proof-strength.ts'
import { proveContent } from '../integrity/prove-content.ts'
import { withRetry } from '../retry/create-retry-policy.ts'
import { BorrowedUnproven, isBorrowing } from './borrowed-bytes.ts'
import type { DownloadRun } from './download-run.ts'
import { findDamaged } from './resume.ts'
import { PART_ETAGS_MADE_UP } from './service-notes.ts'

/**
 * Returns what proves the content. If nothing proves it, the file may have been damaged here: bytes that no longer fit
 * their claims are fetched again by `fetch`, once. If the content then still doesn't fit what the service says, all of
 * it is fetched once more: some services give ETags that look like an MD5 but aren't (Swift's for a dynamic large
 * object is made of its segments' ETags), make up multipart ETags, or give the checksum of what was stored but send a
 * converted copy. Throws TransferError `final-mismatch`, and BorrowedUnproven.
 */
export async function verifyDownload(
  run: DownloadRun,
  identity: ObjectIdentity,
  fetch: () => Promise<ObjectIdentity>,
): Promise<Proof> {
  const { report } = run.context
  report.stage('verifying')
  const first = await proveReadable(run, identity, fetch)
  if (isBorrowing(run.context.record) && !provesByHash(first)) throw new BorrowedUnproven()
  // Without a hash nothing has read the file since its bytes came, and those of an earlier run may have changed by now.
  // With `parts-untold` the file was read, but no guess at the parts fits, which is also what damage looks like.
  const isUnread = !provesByHash(first) && (run.isResumed || first?.lack === 'parts-untold')
  const settled = await withoutDoubt(run, first)
  if (settled !== null && !isUnread) return settled
  const isDamaged = await dropDamaged(run)
  if (settled !== null && !isDamaged) return settled
  if (isDamaged) {
    await fetchDropped(run, fetch)
    const second = await withoutDoubt(run, await prove(run, identity))
    if (second !== null) return second
  }
  const proveAgain = run.proof === null ? proveByAnotherResponse : proveBySecondRead
  const third = await proveAgain(run, identity, fetch)
  if (third !== null) return third
  const { path } = run.file
  const detail = `${path} does not match ETag ${identity.etag ?? 'none'}, a checksum or its expected size`
  throw new TransferError('final-mismatch', detail)
}

/**
 * Returns null when the service told how the object was cut but its ETag does not fit that, unless this service is
 * known to make up its ETags: then the bytes may be wrong, too.
 */
async function withoutDoubt({ context, proof }: DownloadRun, proven: Proof | null): Promise<Proof | null> {
  const isOpen = proven?.lack === 'parts-differ' && proof?.contradiction != null
  return isOpen && !(await PART_ETAGS_MADE_UP.has(context.deps, context.record.location)) ? null : proven
}

/** Returns null when the second read brings other bytes, or a HEAD tells another size or version. */
async function proveBySecondRead(
  run: DownloadRun,
  identity: ObjectIdentity,
  fetch: () => Promise<unknown>,
): Promise<Proof | null> {
  const { context, claims, proof, retryPolicy } = run
  const { report, store, record, signal } = context
  const before = proof?.contradiction ?? null
  if (proof === null || before === null) return null
  beginSecondRead(run, before.lack)
  await claims.dropClaims(claims.claims)
  await proof.restart()
  await fetch()
  report.stage('verifying')
  const proven = await prove(run, identity)
  if (provesContent(proven)) return proven
  if (proof.contradiction?.digest !== before.digest) return null
  const told = await withRetry(retryPolicy, () => store.headObject({ key: record.key, signal }))
  if (told.sizeBytes !== identity.sizeBytes || told.etag !== identity.etag) return null
  if (proven !== null) await PART_ETAGS_MADE_UP.note(context.deps, record.location)
  return provenBySizeOnly(run, before.lack)
}

/**
 * Does the same when each read is a single response and only its bytes tell one version from another. All that the
 * bytes can contradict is the ETag, if there is one.
 */
async function proveByAnotherResponse(
  run: DownloadRun,
  identity: ObjectIdentity,
  fetch: () => Promise<ObjectIdentity>,
): Promise<Proof | null> {
  const { deps, record, report, signal } = run.context
  const digest = (): Promise<string> => deps.hasher.digest('md5', run.file.path, 0, identity.sizeBytes, signal)
  const before = await digest()
  beginSecondRead(run, 'etag-differs')
  await deps.checkpoints.removeRanges(record.id, 'all')
  const { sizeBytes, etag, lastModified } = await fetch()
  report.stage('verifying')
  if (sizeBytes !== identity.sizeBytes || etag !== identity.etag || lastModified !== identity.lastModified) return null
  const proven = await prove(run, identity)
  if (provesContent(proven)) return proven
  if ((await digest()) !== before) return null
  return provenBySizeOnly(run, 'etag-differs')
}

const DIFFERS = { 'etag-differs': 'the ETag', 'checksum-differs': 'the checksum' } as const

function beginSecondRead({ context: { report } }: DownloadRun, lack: keyof typeof DIFFERS): void {
  report.log(`The content does not match ${DIFFERS[lack]}; downloading it once more to find out which is wrong`)
  report.stage('transferring')
}

/** The same bytes came twice, so it isn't damage that contradicts what the service says. */
function provenBySizeOnly({ context: { report } }: DownloadRun, lack: keyof typeof DIFFERS): Proof {
  report.log(`The same bytes arrived twice, so ${DIFFERS[lack]} does not belong to them; only the size was checked`)
  return { verification: 'size-only', lack }
}

/** Proves the content. If the drive can't read it any more, the claims that it can't read are fetched again first. */
async function proveReadable(run: DownloadRun, identity: ObjectIdentity, fetch: () => Promise<unknown>) {
  try {
    return await prove(run, identity)
  } catch (failure) {
    if (!isUnreadable(failure)) throw failure
    if (await dropDamaged(run)) await fetchDropped(run, fetch)
    return await prove(run, identity)
  }
}

async function fetchDropped({ context: { report } }: DownloadRun, fetch: () => Promise<unknown>): Promise<void> {
  report.stage('transferring')
  await fetch()
  report.stage('verifying')
}

async function prove(run: DownloadRun, identity: ObjectIdentity) {
  const { context, file, claims, proof, retryPolicy } = run
  const { deps, signal, record } = context
  const { size } = await onTarget(file.path, () => deps.fileSystem.stat(file.path))
  if (size !== identity.sizeBytes) return null
  const subject = { key: record.key, identity }
  const proven = await (proof === null ? proveContent(context, file.path, subject) : proof.prove(claims.claims, signal))
  // Reading the file may have taken long.
  retryPolicy.moved()
  return proven
}

/** Drops the claims whose bytes are damaged. @returns whether anything must be fetched again. */
async function dropDamaged({ context, file, claims, proof, retryPolicy }: DownloadRun): Promise<boolean> {
  if (proof === null) return false
  const damaged = [...(await findDamaged(context, file, claims.claims))]
  retryPolicy.moved()
  if (damaged.length === 0) return false
  await claims.dropClaims(damaged)
  await proof.restart()
  const bytes = totalLength(damaged)
  const what = 'of the file can’t be read, or differ from what was written to it'
  context.report.log(`${bytes} bytes ${what}; downloading them again`)
  return true
}
