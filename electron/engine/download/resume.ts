import { dirname } from 'node:path'
import { rangeLength } from '../../../shared/byte-range.ts'
import { forEachLimit } from '../async/for-each-limit.ts'
import { totalLength } from '../core/byte-ranges.ts'
import type { CheckpointStore } from '../core/checkpoint-store.ts'
import { errnoCode, isUnreadable } from '../../errno/errno.ts'
import type { DownloadRecord, ObjectIdentity, RangeRecord } from '../core/records.ts'
import type { RootedContext, RunContext } from '../core/run.ts'
import { onTarget } from '../files/file-errors.ts'
import { requireInside } from '../files/safe-path.ts'
import { syncDirectory } from '../../durable/sync-directory.ts'
import { ClaimSet, disjointClaims, recordClaims } from '../partial-file/claims.ts'
import { discardDownload, PartialFile, partialPathOf } from '../partial-file/partial-file.ts'
import { readSidecar } from '../partial-file/sidecar.ts'
import { copyBorrowed, isBorrowing } from './borrowed-bytes.ts'

/** Even after a clean stop this many claims, the furthest, are checked. */
const SAMPLED_CLAIMS = 4

/** Claims checked at a time; the hasher has no more threads than that. */
const CHECKS_AT_A_TIME = 4

/** What an earlier run left for this one to continue. */
export interface Kept {
  readonly file: PartialFile
  readonly identity: ObjectIdentity
  readonly claims: ClaimSet
}

/** Opens the partial file of an earlier run and checks what it should hold. Returns null when nothing can be used. */
export async function openKept(context: RootedContext): Promise<Kept | null> {
  const { deps, record, report } = context
  const { identity, partialPath } = record
  if (identity === null || identity.isWeak === true) return null
  if (partialPath === null) return isBorrowing(record) ? await openWithBorrowed(context, identity) : null
  const { claims, surplus } = disjointClaims(await deps.checkpoints.ranges(record.id))
  if (surplus.length > 0) await deps.checkpoints.removeRanges(record.id, surplus)
  const noted = await notedRanges(context, partialPath, identity)
  if (claims.length === 0 && noted.length === 0 && !isBorrowing(record)) return null
  // A missing folder may be a drive that comes back: the claims stay, and the person is told.
  await requireInside(deps.fileSystem, record.root, partialPath)
  const file = await PartialFile.open(deps.fileSystem, partialPath)
  if (file === null) {
    report.log('The partial file is gone; starting the download over')
    return null
  }
  try {
    const sound = new ClaimSet(await keepSound(context, file, claims))
    await believeNoted(context, file, sound, noted)
    await copyBorrowed(context, file, sound)
    return { file, identity, claims: sound }
  } catch (failure) {
    await file.close()
    throw failure
  }
}

/** Creates a partial file of our own with the bytes of a borrowed one. */
async function openWithBorrowed(context: RootedContext, identity: ObjectIdentity): Promise<Kept> {
  const file = await createPartial(context, identity)
  try {
    const claims = new ClaimSet()
    await copyBorrowed(context, file, claims)
    return { file, identity, claims }
  } catch (failure) {
    await file.close()
    throw failure
  }
}

/** The ranges of this very version that the sidecar says were written, synced or not. */
async function notedRanges(
  { deps, record }: RunContext<DownloadRecord>,
  partialPath: string,
  identity: ObjectIdentity,
): Promise<readonly RangeRecord[]> {
  // The sidecar only saves work, so one that can't be read counts as missing.
  const content = await readSidecar(deps.fileSystem, partialPath, deps.sidecarKey).catch(() => null)
  if (content === null || !isSameIdentity(content.identity, identity)) return []
  // While the file has borrowed bytes its sidecar is unsigned; the proof of the whole object decides about all of them.
  return content.isOurs || isBorrowing(record) ? content.written : []
}

/**
 * Adds to `claims` the ranges that were written but not yet claimed when the process ended, if their bytes are still
 * there. The bytes are synced first.
 */
async function believeNoted(
  context: RunContext<DownloadRecord>,
  file: PartialFile,
  claims: ClaimSet,
  noted: readonly RangeRecord[],
): Promise<void> {
  const { deps, record, report } = context
  const suspects = disjointClaims(noted.filter((range) => !claims.overlaps(range))).claims
  if (suspects.length === 0) return
  const damaged = await findDamaged(context, file, suspects)
  const found: RangeRecord[] = []
  for (const range of suspects) {
    // An earlier sync of these bytes may have failed: only rewritten bytes are certain to be synced.
    if (!damaged.has(range) && (await file.rewrite(range)) === range.crc32) found.push(range)
  }
  if (found.length === 0) return
  report.log(`Found ${totalLength(found)} bytes that were written just before the last stop`)
  await file.sync()
  await recordClaims(deps.checkpoints, record.id, claims, found)
}

/** Creates an empty partial file for a version, after removing whatever an earlier one left. */
export async function createPartial(context: RootedContext, identity: ObjectIdentity | null): Promise<PartialFile> {
  const { deps, record } = context
  const { fileSystem, checkpoints } = deps
  const partialPath = partialPathOf(record)
  await requireInside(fileSystem, record.root, partialPath)
  // Claims are removed before the bytes, and the new name is recorded before the file exists: no stop leaves an unknown
  // file.
  await checkpoints.removeRanges(record.id, 'all')
  await onTarget(partialPath, () => discardDownload(record, fileSystem))
  const { root, borrowedFrom } = record
  await checkpoints.update(record.id, {
    root,
    identity,
    partialPath,
    publishing: null,
    isRelinked: false,
    borrowedFrom,
  })
  const file = await PartialFile.create(fileSystem, partialPath)
  try {
    await syncDirectory(fileSystem, dirname(partialPath))
    return file
  } catch (failure) {
    await file.close()
    await fileSystem.unlink(partialPath).catch(() => undefined)
    throw failure
  }
}

/** Drops claims whose bytes are not what was written. Checks all of them after an unclean stop, else the last few. */
async function keepSound(
  context: RunContext<DownloadRecord>,
  file: PartialFile,
  claims: readonly RangeRecord[],
): Promise<readonly RangeRecord[]> {
  const { deps, record, report } = context
  const checksAll = deps.checkpoints.afterUncleanStop && !wasChecked(deps.checkpoints, record.id)
  const suspects = checksAll ? claims : claims.slice(-SAMPLED_CLAIMS)
  report.log(`Checking ${totalLength(suspects)} of the ${totalLength(claims)} bytes already downloaded`)
  const damaged = await findDamaged(context, file, suspects)
  if (damaged.size > 0) {
    const bytes = totalLength([...damaged])
    report.log(`${bytes} bytes can’t be read, or differ from what was written; downloading them again`)
    const starts = [...damaged].map((claim) => claim.start)
    await deps.checkpoints.removeRanges(record.id, starts)
  }
  noteChecked(deps.checkpoints, record.id)
  return claims.filter((claim) => !damaged.has(claim))
}

/**
 * Returns those of `claims` whose bytes are not what was written, or lie on a sector that can't be read: the drive
 * replaces it when it is written again. A drive that can't be written either may come back with all of its bytes:
 * throws TransferError `target-unwritable` then, or what is waited out.
 */
export async function findDamaged(
  context: RunContext<DownloadRecord>,
  file: PartialFile,
  claims: readonly RangeRecord[],
): Promise<ReadonlySet<RangeRecord>> {
  const damaged = new Set<RangeRecord>()
  let writable: Promise<void> | null = null
  await forEachLimit(claims, CHECKS_AT_A_TIME, async (claim) => {
    let sum = await sumOf(context, file.path, claim)
    if (sum === 'unreadable') {
      await (writable ??= file.seal(new Date(context.deps.clock.nowMs())))
      // The connection of the drive may have failed for a moment.
      sum = await sumOf(context, file.path, claim)
    }
    if (sum !== claim.crc32) damaged.add(claim)
  })
  return damaged
}

async function sumOf(
  { deps, signal }: RunContext<DownloadRecord>,
  path: string,
  claim: RangeRecord,
): Promise<number | 'unreadable' | 'cut'> {
  try {
    return await deps.hasher.crc32(path, claim.start, rangeLength(claim), signal)
  } catch (failure) {
    if (isUnreadable(failure)) return 'unreadable'
    // The file ends before the claim does.
    if (errnoCode(failure) === 'ESHORTREAD') return 'cut'
    throw failure
  }
}

function isSameIdentity(a: ObjectIdentity, b: ObjectIdentity): boolean {
  return a.sizeBytes === b.sizeBytes && a.etag === b.etag && a.lastModified === b.lastModified
}

/** Downloads whose claims this process has checked; it wrote all later claims itself. */
const checked = new WeakMap<CheckpointStore, Set<string>>()

function wasChecked(checkpoints: CheckpointStore, id: string): boolean {
  return checked.get(checkpoints)?.has(id) ?? false
}

function noteChecked(checkpoints: CheckpointStore, id: string): void {
  const ids = checked.get(checkpoints) ?? new Set()
  checked.set(checkpoints, ids.add(id))
}
