import { dirname } from 'node:path'
import { errnoCode } from '../core/errno.ts'
import type { FileSystem } from '../core/deps.ts'
import { TransferError } from '../core/transfer-error.ts'

/**
 * Makes the folder `path`, and any missing ones above it, unless it is there already. Node's `recursive` loops forever
 * where a file system refuses a new name with ENOENT, as /proc and automounted folders do, and reports a read-only
 * volume as ENOENT.
 * @throws TransferError `target-unwritable` when a file has the name, otherwise what the file system throws.
 */
export async function makeFolders(
  fileSystem: Pick<FileSystem, 'mkdir' | 'stat'>,
  path: string,
  mode = 0o777,
): Promise<void> {
  const isMissingAbove = await makeFolder(fileSystem, path, mode)
  if (!isMissingAbove) return
  await makeFolders(fileSystem, dirname(path), mode)
  if (await makeFolder(fileSystem, path, mode)) throw new TransferError('target-unwritable', `${path} can’t be created`)
}

/** @returns whether nothing was made because the folder above is missing. */
async function makeFolder(
  fileSystem: Pick<FileSystem, 'mkdir' | 'stat'>,
  path: string,
  mode: number,
): Promise<boolean> {
  try {
    await fileSystem.mkdir(path, { mode })
    return false
  } catch (failure) {
    const code = errnoCode(failure)
    if (code === 'ENOENT') return dirname(path) !== path
    const found = await fileSystem.stat(path).catch(() => null)
    if (found?.isDirectory() === true) return false
    if (code === 'EEXIST') throw new TransferError('target-unwritable', `${path} is not a folder`, { cause: failure })
    throw failure
  }
}
