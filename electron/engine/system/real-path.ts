import { realpath as walk } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { promisify } from 'node:util'
import { errnoCode } from '../../errno/errno.ts'

/**
 * The path without links. Windows can't resolve paths on RAM disks and some encrypted disks, which libuv reports as
 * EISDIR: then each folder on the way is looked at.
 */
export async function realPath(
  path: string,
  systemsOwn: (path: string) => Promise<string> = realpath,
): Promise<string> {
  try {
    return await systemsOwn(path)
  } catch (failure) {
    if (errnoCode(failure) !== 'EISDIR') throw failure
    return promisify(walk)(path)
  }
}
