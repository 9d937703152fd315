// Files whose bytes and names survive a power cut.

import { open, type FileHandle } from 'node:fs/promises'

/** Makes the names in a folder durable. Windows can't sync a folder and doesn't need to. */
export async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}

/** Writes all buffers at the file's position, even if the system accepts only a part at a time. */
export async function writeAll(file: FileHandle, buffers: readonly Buffer[]): Promise<void> {
  let rest = buffers
  while (rest.length > 0) {
    const { bytesWritten } = await file.writev(rest)
    rest = skipBytes(rest, bytesWritten)
  }
}

function skipBytes(buffers: readonly Buffer[], count: number): readonly Buffer[] {
  let left = count
  return buffers.flatMap((buffer) => {
    const skipped = Math.min(left, buffer.length)
    left -= skipped
    return skipped < buffer.length ? [buffer.subarray(skipped)] : []
  })
}
