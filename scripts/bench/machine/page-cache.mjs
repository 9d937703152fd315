import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'

const BLOCK_BYTES = 1024 * 1024

/**
 * Fills as much of the page cache as a download needs, and empties it again, so that every client starts with memory
 * that is there: a virtual machine that lends what it does not use takes up to two seconds a GiB to get it back.
 */
export async function touchPageCache(folder, sizeBytes) {
  const path = join(folder, 'touched')
  const file = await open(path, 'w')
  const block = Buffer.alloc(BLOCK_BYTES)
  for (let written = 0; written < sizeBytes; written += BLOCK_BYTES) await file.write(block)
  await file.close()
  await rm(path)
}
