import { dirname } from 'node:path'
import { rangeLength } from '../../shared/byte-range.ts'
import { totalLength } from './byte-ranges.ts'
import type { CheckpointStore, DownloadRecord, ObjectIdentity, RangeRecord } from './checkpoint/checkpoint.ts'
import { disjointClaims } from './download-claims.ts'
import { discardDownload, PartialFile, partialPathOf, syncDirectory, writeSidecar } from './download-partial.ts'
import { onTarget } from './file-failure.ts'
import { errnoCode } from './retry.ts'
import type { RunContext } from './run.ts'

/** After a clean stop this many of the claims, the furthest, are checked all the same. */
const SAMPLED_CLAIMS = 4

/** What an earlier run left and this one goes on with. */
export interface Kept {
  readonly file: PartialFile
  readonly identity: ObjectIdentity
  readonly claims: readonly RangeRecord[]
}

/** Opens the partial file of an earlier run and checks what it is said to hold; null when there is nothing of use. */
export async function openKept(context: RunContext<DownloadRecord>): Promise<Kept | null> {
  const { deps, record, report } = context
  const { identity, partialPath } = record
  if (identity === null || partialPath === null || identity.isWeak === true) return null
  const { claims, surplus } = disjointClaims(await deps.checkpoints.ranges(record.id))
  if (surplus.length > 0) await deps.checkpoints.removeRanges(record.id, surplus)
  if (claims.length === 0) return null
  // A missing folder may be a drive that will be back: then the claims stay and the person is told.
  await onTarget(dirname(partialPath), () => deps.fileSystem.stat(dirname(partialPath)))
  const file = await PartialFile.open(deps.fileSystem, partialPath)
  if (file === null) {
    report.log('The partial file is gone; the download starts again')
    return null
  }
  try {
    return { file, identity, claims: await keepSound(context, partialPath, claims) }
  } catch (failure) {
    await file.close()
    throw failure
  }
}

/** Creates an empty partial file for a version, after whatever an earlier one left is gone. */
export async function createPartial(
  context: RunContext<DownloadRecord>,
  identity: ObjectIdentity | null,
): Promise<PartialFile> {
  const { deps, record } = context
  const { fileSystem, checkpoints } = deps
  const partialPath = partialPathOf(record)
  // Claims go before the bytes do, and the new name is known before the file is: no stop leaves an unknown file.
  await checkpoints.removeRanges(record.id, 'all')
  await onTarget(partialPath, () => discardDownload(record, fileSystem))
  await checkpoints.update(record.id, { identity, partialPath, publishing: null, isRelinked: false })
  const file = await PartialFile.create(fileSystem, partialPath)
  try {
    if (identity !== null) await writeSidecar(fileSystem, record, partialPath, identity)
    await syncDirectory(fileSystem, dirname(partialPath))
    return file
  } catch (failure) {
    await file.close()
    throw failure
  }
}

/** Drops the claims whose bytes are not what was written. After an unclean stop all are checked, else the last few. */
async function keepSound(
  context: RunContext<DownloadRecord>,
  path: string,
  claims: readonly RangeRecord[],
): Promise<readonly RangeRecord[]> {
  const { deps, record, report } = context
  const checksAll = deps.checkpoints.afterUncleanStop && !wasChecked(deps.checkpoints, record.id)
  const suspects = checksAll ? claims : claims.slice(-SAMPLED_CLAIMS)
  report.log(`Checking ${totalLength(suspects)} of ${totalLength(claims)} bytes that are already here`)
  const damaged = new Set<RangeRecord>()
  for (const claim of suspects) {
    if (!(await isSound(context, path, claim))) damaged.add(claim)
  }
  if (damaged.size > 0) {
    report.log(`${totalLength([...damaged])} bytes are not what was written; they are fetched again`)
    const starts = [...damaged].map((claim) => claim.start)
    await deps.checkpoints.removeRanges(record.id, starts)
  }
  noteChecked(deps.checkpoints, record.id)
  return claims.filter((claim) => !damaged.has(claim))
}

async function isSound(context: RunContext<DownloadRecord>, path: string, claim: RangeRecord): Promise<boolean> {
  const { deps, signal } = context
  try {
    return (await deps.hasher.crc32(path, claim.start, rangeLength(claim), signal)) === claim.crc32
  } catch (failure) {
    // The file ends before the claim does.
    if (errnoCode(failure) === 'ESHORTREAD') return false
    throw failure
  }
}

/** Downloads whose claims this process has checked: it wrote all later ones itself. */
const checked = new WeakMap<CheckpointStore, Set<string>>()

function wasChecked(checkpoints: CheckpointStore, id: string): boolean {
  return checked.get(checkpoints)?.has(id) ?? false
}

function noteChecked(checkpoints: CheckpointStore, id: string): void {
  const ids = checked.get(checkpoints) ?? new Set()
  checked.set(checkpoints, ids.add(id))
}
