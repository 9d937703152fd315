import type * as fs from 'node:fs/promises'
import { errnoCode } from '../errno/errno.ts'

/** Windows refuses to open or to flush a folder; some network file systems answer EINVAL. */
const UNSYNCABLE = new Set(['EPERM', 'EACCES', 'EISDIR', 'EINVAL', 'ENOTSUP'])

/**
 * Makes names created in or removed from `path` durable. File systems that can't sync a folder are left alone. Throws the
 * file system's error if one that can fails.
 */
export async function syncDirectory(fileSystem: Pick<typeof fs, 'open'>, path: string): Promise<void> {
  try {
    const handle = await fileSystem.open(path, 'r')
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  } catch (failure) {
    if (!UNSYNCABLE.has(errnoCode(failure) ?? '')) throw failure
  }
}
