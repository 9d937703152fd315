import { Buffer } from 'node:buffer'
import type { ServerResponse } from 'node:http'
import type { ByteRange } from '../../../shared/byte-range.ts'
import type { ContentRef } from '../storage/catalog-records.ts'
import type { ContentFiles } from '../storage/content-files.ts'

/** Large enough that a system call costs little compared to the bytes it moves. */
const READ_BLOCK_BYTES = 512 * 1024

/** A range of bytes of one content. */
export interface ContentSlice extends ByteRange {
  readonly contentId: string
}

/** Returns the slices that make up a range of an object; ranges may cross part borders. */
export function slicesOf(contents: readonly ContentRef[], range: ByteRange): readonly ContentSlice[] {
  const slices: ContentSlice[] = []
  let offset = 0
  for (const { contentId, sizeBytes } of contents) {
    const start = Math.max(range.start - offset, 0)
    const end = Math.min(range.end - offset, sizeBytes)
    if (start < end) slices.push({ contentId, start, end })
    offset += sizeBytes
    if (offset >= range.end) break
  }
  return slices
}

/**
 * Writes slices to a response, no faster than the client takes them; returns early when the client has hung up. Two
 * blocks take turns: one is read while the other is sent.
 */
export async function sendContent(
  response: ServerResponse,
  contents: ContentFiles,
  slices: readonly ContentSlice[],
): Promise<void> {
  const totalBytes = slices.reduce((sum, { start, end }) => sum + end - start, 0)
  const blockBytes = Math.min(READ_BLOCK_BYTES, totalBytes)
  let [block, otherBlock] = [Buffer.allocUnsafeSlow(blockBytes), Buffer.allocUnsafeSlow(blockBytes)]
  let sending = Promise.resolve(true)
  for (const { contentId, start, end } of slices) {
    const file = await contents.read(contentId)
    try {
      for (let position = start; position < end;) {
        const { bytesRead } = await file.read(block, 0, Math.min(blockBytes, end - position), position)
        if (bytesRead === 0) throw new Error(`Content ${contentId} is shorter than it should be`)
        if (!(await sending)) return
        sending = send(response, block.subarray(0, bytesRead))
        position += bytesRead
        ;[block, otherBlock] = [otherBlock, block]
      }
    } finally {
      await file.close()
    }
  }
  await sending
}

/**
 * Resolves to true when the bytes have left the block, and to false when they never will because the connection is
 * gone. It watches the connection itself, because a response queued behind another one on it is not notified.
 */
function send(response: ServerResponse, bytes: Buffer): Promise<boolean> {
  return new Promise((resolve) => {
    const { socket } = response.req
    if (socket.destroyed) return resolve(false)
    const onClose = (): void => resolve(false)
    socket.once('close', onClose)
    response.write(bytes, (error) => {
      socket.off('close', onClose)
      resolve(error === null || error === undefined)
    })
  })
}
