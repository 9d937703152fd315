import { dirname } from 'node:path'
import { errnoCode } from '../../errno/errno.ts'
import type { FileSystem } from '../core/deps.ts'
import { TransferError } from '../core/transfer-error.ts'

/**
 * Makes the folder `path`, and any missing ones above it, unless it is there already. Node's `recursive` loops forever
 * where a file system refuses a new name with ENOENT, as /proc and automounted folders do, and reports a read-only
 * volume as ENOENT.
 * @returns the folders that it made, the highest first.
 * @throws TransferError `target-unwritable` when a file has the name, otherwise what the file system throws.
 */
export async function makeFolders(
  fileSystem: Pick<FileSystem, 'mkdir' | 'stat'>,
  path: string,
  mode = 0o777,
): Promise<readonly string[]> {
  const result = await makeFolder(fileSystem, path, mode)
  if (result !== 'missing-above') return result === 'made' ? [path] : []
  const above = await makeFolders(fileSystem, dirname(path), mode)
  const second = await makeFolder(fileSystem, path, mode)
  if (second === 'missing-above') throw new TransferError('target-unwritable', `${path} can’t be created`)
  return second === 'made' ? [...above, path] : above
}

async function makeFolder(
  fileSystem: Pick<FileSystem, 'mkdir' | 'stat'>,
  path: string,
  mode: number,
): Promise<'made' | 'there' | 'missing-above'> {
  try {
    await fileSystem.mkdir(path, { mode })
    return 'made'
  } catch (failure) {
    const code = errnoCode(failure)
    if (code === 'ENOENT' && dirname(path) !== path) return 'missing-above'
    if (code === 'ENOENT') return 'there'
    const found = await fileSystem.stat(path).catch(() => null)
    if (found?.isDirectory() === true) return 'there'
    if (code === 'EEXIST') throw new TransferError('target-unwritable', `${path} is not a folder`, { cause: failure })
    throw failure
  }
}
