import { MIB } from '../../../shared/limits.ts'
import type { FileSystem } from '../core/deps.ts'
import { onTarget } from './file-errors.ts'

/**
 * How many bytes the volume of `folder` lacks for `neededBytes` more, room for everybody else included; 0: none. Throws
 * what `onTarget` does.
 */
export async function missingSpace(
  fileSystem: Pick<FileSystem, 'statfs'>,
  folder: string,
  neededBytes: number,
): Promise<number> {
  const { bavail, bsize, blocks } = await onTarget(folder, () => fileSystem.statfs(folder))
  // Some network file systems tell nothing about their size.
  if (blocks === 0) return 0
  return Math.max(0, neededBytes + marginFor(neededBytes) - bavail * bsize)
}

/** As a full disk is told by the file system. */
export function noSpace(lacking: number): Error {
  return Object.assign(new Error(`${lacking} bytes lack`), { code: 'ENOSPC' })
}

/** Room left for everybody else, the list of transfers included: a sixteenth of what is to come, 256 MiB at most. */
function marginFor(neededBytes: number): number {
  return Math.min(256 * MIB, Math.floor(neededBytes / 16))
}
