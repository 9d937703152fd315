import { MIB } from '../../../shared/limits.ts'
import { isNoSpace } from '../../errno/errno.ts'
import { StateUnwritable } from '../core/checkpoint-store.ts'
import type { FileSystem } from '../core/deps.ts'
import { SpaceLacking, TransferError } from '../core/transfer-error.ts'
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
  if (!isShortage(failure)) return failure
  const lackingBytes = await missingSpace(fileSystem, folder, neededBytes).catch(() => 0)
  return lackingBytes === 0 ? failure : new SpaceLacking(lackingBytes, failure)
}

/** Whether a file that is being written met a full volume. The list of transfers may be on another one. Pure. */
export function isShortage(failure: unknown): boolean {
  return isNoSpace(failure) && !(failure instanceof SpaceLacking || failure instanceof StateUnwritable)
}

/** MSDOS_SUPER_MAGIC (statfs(2)): FAT12 to FAT32, not exFAT. */
const FAT_TYPE = 0x4d44
const MOST_FAT_BYTES = 2 ** 32 - 1

/**
 * Throws TransferError `file-too-large` if the volume of `folder` is known to take no file of this size: otherwise that
 * would show when most of the file is there. Linux alone tells.
 */
export async function requireTakes(
  fileSystem: Pick<FileSystem, 'statfs'>,
  folder: string,
  sizeBytes: number,
): Promise<void> {
  if (sizeBytes <= MOST_FAT_BYTES || process.platform !== 'linux') return
  const { type } = await onTarget(folder, () => fileSystem.statfs(folder))
  if (type === FAT_TYPE) throw new TransferError('file-too-large', `${folder} is on a FAT volume`)
}

/** Room left for everything else, including the list of transfers: a sixteenth of what is to come, at most 256 MiB. */
function marginFor(neededBytes: number): number {
  return Math.min(256 * MIB, Math.floor(neededBytes / 16))
}
