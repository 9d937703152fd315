import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { WRITE_BLOCK_BYTES } from '../../../shared/limits.ts'
import type { ContentFiles } from '../storage/content-files.ts'
import { writeAll } from '../storage/write-all.ts'

export interface ReceivedContent {
  readonly contentId: string
  readonly sizeBytes: number
  readonly md5: Buffer
}

/**
 * Stores a request's body as a new content whose bytes are durable. A body that ends early, and any failure in `check`,
 * leave nothing behind. The request itself stays open, so a response can still be sent.
 */
export async function receiveContent(
  body: Readable,
  contents: ContentFiles,
  check: (content: ReceivedContent) => void,
): Promise<ReceivedContent> {
  const { contentId, file } = await contents.create()
  try {
    const content = { contentId, ...(await writeBody(body, file).finally(() => file.close())) }
    check(content)
    return content
  } catch (error) {
    contents.discard([contentId])
    throw error
  }
}

/** Gathers what arrives into blocks; while one is written, the next is received and hashed. */
async function writeBody(
  body: Readable,
  file: FileHandle,
): Promise<{ readonly sizeBytes: number; readonly md5: Buffer }> {
  const hash = createHash('md5')
  let gathered: Buffer[] = []
  let gatheredBytes = 0
  let sizeBytes = 0
  let writing: Promise<void> = Promise.resolve()
  for await (const received of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    hash.update(received)
    gathered.push(received)
    gatheredBytes += received.length
    sizeBytes += received.length
    if (gatheredBytes < WRITE_BLOCK_BYTES) continue
    await writing
    writing = writeAll(file, gathered)
    // A failure is handled at the next await, which may be a while from now.
    writing.catch(() => undefined)
    gathered = []
    gatheredBytes = 0
  }
  await writing
  await writeAll(file, gathered)
  await file.datasync()
  return { sizeBytes, md5: hash.digest() }
}
