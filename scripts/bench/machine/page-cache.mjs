import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'

const BLOCK_BYTES = 1024 * 1024

/**
 * Fills as much of the page cache as a download needs, and empties it again, so that every client starts with available
 * memory: a virtual machine that lends out unused memory takes up to two seconds per GiB to get it back.
 */
export async function touchPageCache(folder, sizeBytes) {
  const path = join(folder, 'touched')
  const file = await open(path, 'w')
  const block = Buffer.alloc(BLOCK_BYTES)
  for (let written = 0; written < sizeBytes; written += BLOCK_BYTES) await file.write(block)
  await file.close()
  await rm(path)
}
