import { MIB } from '../../../shared/limits.ts'
import { isNoSpace } from '../../errno/errno.ts'
import { StateUnwritable } from '../core/checkpoint-store.ts'
import type { FileSystem } from '../core/deps.ts'
import { SpaceLacking } from '../core/transfer-error.ts'
import { onTarget } from './file-errors.ts'

/**
 * How many bytes the volume of `folder` lacks for `neededBytes` more, including a margin for everything else; 0 when it
 * has enough. Throws what `onTarget` does.
 */
export async function missingSpace(
  fileSystem: Pick<FileSystem, 'statfs'>,
  folder: string,
  neededBytes: number,
): Promise<number> {
  const { bavail, bsize, blocks } = await onTarget(folder, () => fileSystem.statfs(folder))
  // Some network file systems don't tell their size.
  if (blocks === 0) return 0
  return Math.max(0, neededBytes + marginFor(neededBytes) - bavail * bsize)
}

/**
 * The failure of a write to a full volume, with how many bytes that lacks for `neededBytes` more if the volume tells;
 * every other failure as it is. Never throws.
 */
export async function withLack(
  fileSystem: Pick<FileSystem, 'statfs'>,
  folder: string,
  neededBytes: number,
  failure: unknown,
): Promise<unknown> {
  // The list of transfers may be on another volume.
  const isOfTarget = isNoSpace(failure) && !(failure instanceof SpaceLacking || failure instanceof StateUnwritable)
  if (!isOfTarget) return failure
  const lackingBytes = await missingSpace(fileSystem, folder, neededBytes).catch(() => 0)
  return lackingBytes === 0 ? failure : new SpaceLacking(lackingBytes, failure)
}

/** Room left for everything else, including the list of transfers: a sixteenth of what is to come, at most 256 MiB. */
function marginFor(neededBytes: number): number {
  return Math.min(256 * MIB, Math.floor(neededBytes / 16))
}
