import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'

const BLOCK_BYTES = 4 * 1024 * 1024

/** Writes a file of random bytes and returns its SHA-256, hex. */
export async function writeRandomFile(path: string, sizeBytes: number): Promise<string> {
  const hash = createHash('sha256')
  const file = await open(path, 'w')
  try {
    for (let written = 0; written < sizeBytes;) {
      const block = randomBytes(Math.min(BLOCK_BYTES, sizeBytes - written))
      hash.update(block)
      await file.write(block)
      written += block.length
    }
  } finally {
    await file.close()
  }
  return hash.digest('hex')
}

/** Makes a file of zeros, which takes no time and no room on the disk. */
export async function makeHollowFile(path: string, sizeBytes: number): Promise<void> {
  const file = await open(path, 'w')
  try {
    await file.truncate(sizeBytes)
  } finally {
    await file.close()
  }
}

/** SHA-256 of a file, hex. */
export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const block of createReadStream(path, { highWaterMark: BLOCK_BYTES })) hash.update(block as Buffer)
  return hash.digest('hex')
}
