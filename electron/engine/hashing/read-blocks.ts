import { open, type FileHandle } from 'node:fs/promises'
import { Turns } from '../../../shared/turns.ts'
import { allocateBlocks } from '../../checksums/block-memory.ts'
import { onceFree } from '../../errno/descriptors.ts'
import type { FileRange } from './hash-messages.ts'
import { shortRead } from './md5-turns.ts'

const BLOCK_BYTES = 1024 * 1024

/** Two blocks for a range, kept for the life of the thread: one is read while the other is hashed. */
type BlockPair = readonly [Uint8Array, Uint8Array]
const spare: BlockPair[] = []

/**
 * Makes the calls of this thread one at a time: a call to a share that hangs keeps one of the four threads that Node
 * has for all files and host names.
 */
const calls = new Turns(1)

/** The blocks of a range, with one read ahead. Each is valid until the next but one is asked for. */
export async function* readBlocks({ path, offset, length }: FileRange): AsyncGenerator<Uint8Array> {
  const file = await onceFree(() => calls.take(() => open(path, 'r')))
  const pair = spare.pop() ?? (allocateBlocks(2, BLOCK_BYTES) as [Uint8Array, Uint8Array])
  const end = offset + length
  const blockAt = (index: number, at: number): Uint8Array =>
    pair[index % 2 === 0 ? 0 : 1].subarray(0, Math.min(BLOCK_BYTES, end - at))
  let ahead: Promise<Uint8Array> | null = null
  try {
    for (let index = 0, at = offset; at < end; index += 1, at += BLOCK_BYTES) {
      const block: Uint8Array = await (ahead ?? readAhead(file, blockAt(index, at), at))
      const next = at + BLOCK_BYTES
      ahead = next < end ? readAhead(file, blockAt(index + 1, next), next) : null
      yield block
    }
  } finally {
    await ahead?.catch(() => undefined)
    await file.close()
    spare.push(pair)
  }
}

async function readAhead(file: FileHandle, block: Uint8Array, position: number): Promise<Uint8Array> {
  for (let filled = 0; filled < block.length;) {
    const at = filled
    const { bytesRead } = await calls.take(() => file.read(block, at, block.length - at, position + at))
    if (bytesRead === 0) throw shortRead()
    filled += bytesRead
  }
  return block
}
