import { open } from 'node:fs/promises'
import { isUnreadable } from '../../../errno/errno.ts'
import { PAGE_BYTES } from './empty-database.ts'

/** Copies a file to a new one, for its owner alone, and syncs that. What the drive can't read becomes zeros. */
export async function copyReadable(from: string, to: string): Promise<void> {
  const source = await open(from, 'r')
  const copy = await open(to, 'wx', 0o600)
  try {
    const { size } = await source.stat()
    await copy.truncate(size)
    for (let at = 0; at < size; at += PAGE_BYTES) {
      const block = Buffer.alloc(Math.min(PAGE_BYTES, size - at))
      try {
        await source.read(block, 0, block.length, at)
      } catch (failure) {
        if (!isUnreadable(failure)) throw failure
        continue
      }
      await copy.write(block, 0, block.length, at)
    }
    await copy.sync()
  } finally {
    await source.close()
    await copy.close()
  }
}
