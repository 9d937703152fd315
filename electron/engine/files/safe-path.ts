import { dirname, isAbsolute, join, relative, sep } from 'node:path'
import type { FileSystem } from '../core/deps.ts'
import { errnoCode } from '../../errno/errno.ts'
import { TransferError } from '../core/transfer-error.ts'
import { onTarget, orNull } from './file-errors.ts'

/**
 * Absolute path of `relativePath` (made of safe names) below the existing folder `root`. Creates the folders in
 * between, and tells `onMade` of each; never follows a link below `root`.
 * @throws TransferError `target-unwritable` when a link or a file is in the way, or the result would be outside.
 */
export async function resolveTarget(
  fileSystem: FileSystem,
  root: string,
  relativePath: string,
  onMade: (folder: string) => void = () => undefined,
): Promise<string> {
  const realRoot = await onTarget(root, () => fileSystem.realpath(root))
  const target = join(realRoot, relativePath)
  if (!isBelow(realRoot, target)) throw new TransferError('target-unwritable', `${relativePath} is outside the folder`)
  let folder = realRoot
  for (const segment of relative(realRoot, target).split(sep).slice(0, -1)) {
    folder = join(folder, segment)
    if (await onTarget(folder, () => requireFolder(fileSystem, folder))) onMade(folder)
  }
  return target
}

/** @returns whether it made the folder. */
async function requireFolder(fileSystem: FileSystem, path: string): Promise<boolean> {
  const before = await orNull(fileSystem.lstat(path))
  let isMade = before === null
  if (before === null) {
    await fileSystem.mkdir(path).catch((failure: unknown) => {
      if (errnoCode(failure) !== 'EEXIST') throw failure
      isMade = false
    })
  }
  const found = before ?? (await fileSystem.lstat(path))
  if (!found.isDirectory()) throw new TransferError('target-unwritable', `${path} is not a folder`)
  return isMade
}

/**
 * Makes sure that a file written to `path` ends up in the folder `root`, a real path, whatever links have been put in
 * the way since that was chosen. Call it right before a name is used.
 * @throws TransferError `target-unwritable`.
 */
export async function requireInside(fileSystem: FileSystem, root: string, path: string): Promise<void> {
  const folder = dirname(path)
  const real = await onTarget(folder, () => fileSystem.realpath(folder))
  if (real === root || isBelow(root, real)) return
  throw new TransferError('target-unwritable', `${folder} now leads to ${real}, outside ${root}`)
}

/** Whether a path leads into a folder, judged by its text alone: links are not followed. Pure. */
export function isBelow(root: string, path: string): boolean {
  const way = relative(root, path)
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}
