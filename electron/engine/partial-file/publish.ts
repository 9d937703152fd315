import type { BigIntStats } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { assertNever } from '../../../shared/assert.ts'
import type { Proof } from '../../../shared/transfer/transfer.ts'
import { errnoCode } from '../../errno/errno.ts'
import type { DownloadRecord, ObjectIdentity, Publishing } from '../core/records.ts'
import type { RetryPolicy } from '../core/retry-policy.ts'
import type { RootedContext, RunContext } from '../core/run.ts'
import { TransferError } from '../core/transfer-error.ts'
import { unlessBusy, type Patience } from '../files/busy-files.ts'
import { onTarget, orNull } from '../files/file-errors.ts'
import { COARSEST_TIME_MS, fileTimeMs } from '../files/file-time.ts'
import { hasNumber, isSameFile, NO_LINK_CODES } from '../files/hard-links.ts'
import { longPathWords } from '../files/name-rules.ts'
import { numberedName } from '../files/safe-name.ts'
import { requireInside } from '../files/safe-path.ts'
import { isSpecialFile } from '../files/special-file.ts'
import { syncDirectory } from '../../durable/sync-directory.ts'
import { provesContent } from '../integrity/proof-strength.ts'
import { proveContent } from '../integrity/prove-content.ts'
import { withRetry } from '../retry/create-retry-policy.ts'
import { sidecarNamesOf, type PartialFile } from './partial-file.ts'
import { makePlaceholder, removePlaceholder } from './placeholder.ts'

type Context = RunContext<DownloadRecord>

/** A run whose partial file is whole and verified. */
interface VerifiedRun {
  readonly context: RootedContext
  readonly retryPolicy: RetryPolicy
  readonly file: PartialFile
}

/**
 * Gives the verified, open partial file of a run its final name and makes that durable. Never replaces a file that must
 * not be replaced, and is content with one that has the same bytes. Waits while the volume is full or read-only.
 * @throws TransferError `target-exists`, `target-unwritable`.
 */
export async function publish({ context, file, retryPolicy }: VerifiedRun, identity: ObjectIdentity): Promise<void> {
  const { fileSystem, markOrigin } = context.deps
  const { root, targetPath } = context.record
  await requireInside(fileSystem, root, targetPath)
  await markOrigin?.([file.path])
  await withRetry(retryPolicy, () => file.seal(dateOf(identity)))
  await file.close()
  const naming: Naming = { context, partialPath: file.path, publishing: context.record.publishing }
  const finalPath = await withRetry(retryPolicy, async () => {
    // The waits before this may have taken long.
    await requireInside(fileSystem, root, targetPath)
    return await giveName(naming)
  })
  await withRetry(retryPolicy, () => finish(context, finalPath))
}

/**
 * Finds out whether an earlier run had already published when it was stopped, and finishes what that run was doing.
 * @returns what proves the file, or null when the download still has to go on.
 */
export async function recoverPublished(context: Context): Promise<Proof | null> {
  const { deps, record, report } = context
  const { publishing, partialPath, identity } = record
  if (publishing === null || identity === null) return null
  const { finalPath } = publishing
  const final = await look(context, finalPath)
  if (final === null || !final.isFile()) return null
  const partial = partialPath === null ? null : await look(context, partialPath)
  const isOurs = partial === null ? isPublished(final, publishing, identity) : isSameFile(final, partial)
  if (!isOurs) return null
  report.stage('verifying')
  const proof = await proveContent(context, finalPath, { key: record.key, identity })
  if (proof === null) return null
  // Size and time alone would also fit a file that another download has put there since.
  const hasItsNumber = hasNumber(final) && publishing.fileId === String(final.ino)
  const isSurelyOurs = partial !== null || provesContent(proof) || hasItsNumber
  if (!isSurelyOurs) return null
  report.size(identity.sizeBytes)
  report.confirmed(identity.sizeBytes, 'found')
  report.log('The file already had its final name')
  if (partialPath !== null && partial !== null) await onTarget(partialPath, () => deps.fileSystem.unlink(partialPath))
  await finish(context, finalPath)
  return proof
}

/**
 * Makes the new name, and the removal of the sidecar's, durable. The record keeps the publishing until it says that the
 * download is completed: only that tells a run that follows a stop in between that the file is there.
 */
async function finish(context: Context, finalPath: string): Promise<void> {
  const { deps, record, report } = context
  const { partialPath } = record
  for (const path of partialPath === null ? [] : sidecarNamesOf(partialPath)) {
    await onTarget(path, () => orNull(deps.fileSystem.unlink(path)))
  }
  await onTarget(finalPath, () => syncDirectory(deps.fileSystem, dirname(finalPath)))
  await deps.checkpoints.update(record.id, { targetPath: finalPath, partialPath: null })
  report.facts({ localPath: finalPath })
  const tooLong = record.folderId === undefined ? longPathWords(finalPath) : null
  if (tooLong !== null) report.log(tooLong)
}

/** The state on the way to a final name. Each step can be tried again. */
interface Naming {
  readonly context: Context
  readonly partialPath: string
  /** The publishing as the checkpoint has it. */
  publishing: Publishing | null
}

async function giveName(naming: Naming): Promise<string> {
  const { context, partialPath, publishing } = naming
  const { targetPath, onConflict } = context.record
  await onTarget(targetPath, () => removePlaceholder(context.deps.fileSystem, publishing))
  switch (onConflict) {
    case 'replace':
      if (await onTarget(targetPath, () => isSpecialFile(context.deps.fileSystem, targetPath))) {
        throw new TransferError('target-exists', targetPath)
      }
      await intend(naming, targetPath)
      await onTarget(targetPath, () =>
        unlessBusy(() => context.deps.fileSystem.rename(partialPath, targetPath), patienceOf(context)),
      )
      return targetPath
    case 'fail':
      if ((await takeName(naming, targetPath)) || (await yieldToEqual(naming, targetPath))) return targetPath
      throw new TransferError('target-exists', targetPath)
    case 'keep-both':
    case 'skip-identical':
      for (let number = 0; ; number += 1) {
        const name = number === 0 ? basename(targetPath) : numberedName(basename(targetPath), number)
        const path = join(dirname(targetPath), name)
        if (await takeName(naming, path)) return path
      }
    default:
      return assertNever(onConflict)
  }
}

/** Gives the file the name if nothing has it. A hard link never replaces anything, not even a file made just now. */
async function takeName(naming: Naming, finalPath: string): Promise<boolean> {
  const { context, partialPath } = naming
  const { fileSystem } = context.deps
  return await onTarget(finalPath, async () => {
    const found = await look(context, finalPath)
    if (found === null) {
      await intend(naming, finalPath)
      try {
        await fileSystem.link(partialPath, finalPath)
      } catch (failure) {
        const code = errnoCode(failure) ?? ''
        if (code === 'EEXIST') return false
        if (NO_LINK_CODES.has(code)) return await takeByPlaceholder(naming, finalPath)
        throw failure
      }
    } else if (!isSameFile(found, await look(context, partialPath))) {
      return false
    }
    // File systems without a journal may keep the old name's removal, and not the new name, when the power goes.
    await syncDirectory(fileSystem, dirname(finalPath))
    await unlessBusy(() => fileSystem.unlink(partialPath), patienceOf(context))
    return true
  })
}

/**
 * Removes the partial file if a file with the same bytes has the name already, as when two commands download the same
 * object at once. @returns whether it did.
 */
async function yieldToEqual({ context, partialPath }: Naming, finalPath: string): Promise<boolean> {
  const { signal, deps, report } = context
  const [ours, theirs] = [await look(context, partialPath), await look(context, finalPath)]
  if (ours === null || theirs?.isFile() !== true || theirs.size !== ours.size) return false
  const hashOf = (path: string) => deps.hasher.digest('sha256', path, 0, Number(ours.size), signal)
  const [own, other] = await Promise.all([hashOf(partialPath), hashOf(finalPath)]).catch(() => {
    signal.throwIfAborted()
    // What can't be read is not known to be equal.
    return ['', null]
  })
  if (own !== other) return false
  report.log('A file with the same content already has the name')
  await onTarget(partialPath, () => unlessBusy(() => deps.fileSystem.unlink(partialPath), patienceOf(context)))
  return true
}

/** Takes the name without hard links: an empty file reserves it, then the partial file takes its place. */
async function takeByPlaceholder(naming: Naming, finalPath: string): Promise<boolean> {
  const { context, partialPath } = naming
  const { fileSystem } = context.deps
  await intend(naming, finalPath, { isPlaceholder: true })
  try {
    const placeholder = await makePlaceholder(fileSystem, finalPath)
    await intend(naming, finalPath, { isPlaceholder: true, placeholder })
  } catch (failure) {
    if (errnoCode(failure) !== 'EEXIST') throw failure
    // The name belongs to another program’s file, even if that is empty.
    await intend(naming, finalPath)
    return false
  }
  await unlessBusy(() => fileSystem.rename(partialPath, finalPath), patienceOf(context))
  return true
}

/** Records the name before the file gets it: whatever happens next, the next run knows where to look. */
async function intend(
  naming: Naming,
  finalPath: string,
  holder: Pick<Publishing, 'isPlaceholder' | 'placeholder'> = { isPlaceholder: false },
): Promise<void> {
  const { record, deps } = naming.context
  const file = await look(naming.context, naming.partialPath)
  const { fileId, modifiedMs } =
    file === null ? (naming.publishing ?? {}) : { fileId: String(file.ino), modifiedMs: Number(file.mtimeMs) }
  const publishing = { finalPath, ...holder, fileId, modifiedMs }
  await deps.checkpoints.update(record.id, { publishing })
  naming.publishing = publishing
}

function patienceOf({ deps, signal }: Context): Patience {
  const { clock } = deps
  return { monotonicMs: () => clock.monotonicMs(), sleep: (delayMs) => clock.sleep(delayMs, signal) }
}

async function look(context: Context, path: string): Promise<BigIntStats | null> {
  return await onTarget(path, () => orNull(context.deps.fileSystem.lstat(path, { bigint: true })))
}

/** Whether size and time are those that the file had when it was to get its name. */
function isPublished(final: BigIntStats, { modifiedMs }: Publishing, identity: ObjectIdentity): boolean {
  if (modifiedMs === undefined) return fits(final, identity)
  return final.size === BigInt(identity.sizeBytes) && hasTime(final, modifiedMs)
}

/** Whether size and time are those of the object. */
export function fits(final: BigIntStats, identity: ObjectIdentity): boolean {
  const date = dateOf(identity)
  if (final.size !== BigInt(identity.sizeBytes)) return false
  return date === null || hasTime(final, date.getTime())
}

/** Whether a file has this time (milliseconds since the epoch), as coarsely as file systems keep times. */
function hasTime(file: BigIntStats, timeMs: number): boolean {
  const apartMs = Number(file.mtimeMs) - Math.floor(timeMs / 1000) * 1000
  return apartMs > -COARSEST_TIME_MS && apartMs < 1000
}

/** When the object was modified, as its file shows it; null when unknown. */
export function dateOf({ lastModified }: ObjectIdentity): Date | null {
  const timeMs = fileTimeMs(lastModified)
  return timeMs === null ? null : new Date(timeMs)
}
