import { createHash } from 'node:crypto'
import { open, type FileHandle } from 'node:fs/promises'
import { parentPort } from 'node:worker_threads'
import { crc32 } from 'node:zlib'

/**
 * Entry of a hash thread, built to `out/hash-worker.js`. It imports nothing but Node's own modules, so that it stays one
 * small file. One range at a time: the pool sends the next when this one is answered.
 */
export interface HashRequest {
  readonly kind: 'hash'
  readonly algorithm: 'md5' | 'crc32'
  readonly path: string
  readonly offset: number
  readonly length: number
}

/** Stops the range being hashed; it is answered all the same. */
export interface HashCancel {
  readonly kind: 'cancel'
}

export type HashReply =
  | { readonly kind: 'md5'; readonly value: string }
  | { readonly kind: 'crc32'; readonly value: number }
  | { readonly kind: 'failed'; readonly message: string; readonly code: string | null }
  | { readonly kind: 'canceled' }

const BLOCK_BYTES = 1024 * 1024

/** Two blocks for the life of the thread: one is read while the other is hashed. */
const blocks = [Buffer.allocUnsafeSlow(BLOCK_BYTES), Buffer.allocUnsafeSlow(BLOCK_BYTES)] as const
let canceled = false

parentPort?.on('message', (message: HashRequest | HashCancel) => {
  if (message.kind === 'cancel') {
    canceled = true
    return
  }
  canceled = false
  void hashRange(message).then((reply) => parentPort?.postMessage(reply))
})

async function hashRange(request: HashRequest): Promise<HashReply> {
  const md5 = request.algorithm === 'md5' ? createHash('md5') : null
  let crc = 0
  try {
    for await (const block of readBlocks(request)) {
      if (canceled) return { kind: 'canceled' }
      if (md5 === null) crc = crc32(block, crc)
      else md5.update(block)
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null
    return { kind: 'failed', message: error instanceof Error ? error.message : String(error), code }
  }
  return md5 === null ? { kind: 'crc32', value: crc } : { kind: 'md5', value: md5.digest('hex') }
}

/** Reads one block ahead of the one that is handed out. */
async function* readBlocks({ path, offset, length }: HashRequest): AsyncGenerator<Buffer> {
  const file = await open(path, 'r')
  const end = offset + length
  let ahead: Promise<Buffer> | null = null
  try {
    for (let index = 0, at = offset; at < end; index += 1, at += BLOCK_BYTES) {
      const block: Buffer = await (ahead ?? readFully(file, blockAt(index, end - at), at))
      const next = at + BLOCK_BYTES
      ahead = next < end ? readFully(file, blockAt(index + 1, end - next), next) : null
      yield block
    }
  } finally {
    await ahead?.catch(() => undefined)
    await file.close()
  }
}

function blockAt(index: number, remaining: number): Buffer {
  return blocks[index % 2 === 0 ? 0 : 1].subarray(0, Math.min(BLOCK_BYTES, remaining))
}

async function readFully(file: FileHandle, block: Buffer, position: number): Promise<Buffer> {
  for (let filled = 0; filled < block.length;) {
    const { bytesRead } = await file.read(block, filled, block.length - filled, position + filled)
    if (bytesRead === 0) throw Object.assign(new Error('The file is shorter than expected'), { code: 'ESHORTREAD' })
    filled += bytesRead
  }
  return block
}
