import type { FileHandle } from 'node:fs/promises'

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
