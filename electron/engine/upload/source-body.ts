import { rangeLength, type ByteRange } from '../../../shared/byte-range.ts'
import type { RequestBody } from '../../stores/port/object-store.ts'
import type { HashedBlock } from '../core/deps.ts'
import type { RunContext } from '../core/run.ts'
import { TransferError } from '../core/transfer-error.ts'
import type { Sending } from '../core/upload-line.ts'
import { readMemory, type BodyBlocks } from '../files/read-buffers.ts'
import type { SourceFile } from '../files/source-file.ts'
import { inSlices } from '../line/upload/line-send.ts'

/** A range of the file as the body of a request: its bytes are hashed in the memory from which they are sent. */
export interface SourceBody extends RequestBody {
  /** Hex MD5 of the bytes that are handed out; null until the last block is. */
  readonly md5: string | null
  /** The last bytes were handed out at least once: the service may have the whole body. */
  readonly mayBeWhole: boolean
  /** Why the file could not be read, as opposed to a failure of the connection. */
  readonly failure: TransferError | null
}

/**
 * Gives out the bytes of `range` when it is their turn, at the pace of the limiter, each read once: one block is sent
 * while the next one is read and hashed. A block is valid until the next one is asked for.
 */
export function sourceBody(
  source: SourceFile,
  range: ByteRange,
  { limiter, signal }: Pick<RunContext<never>, 'limiter' | 'signal'>,
  sending: Sending,
): SourceBody {
  let failure: TransferError | null = null
  let md5: string | null = null
  // An empty body is never opened.
  let mayBeWhole = rangeLength(range) === 0

  async function* open(): AsyncGenerator<Uint8Array> {
    md5 = null
    try {
      const blocks = await readMemory.reserve(signal)
      try {
        for await (const block of readAhead(source, range, blocks, signal)) {
          md5 = block.md5
          let leftBytes = block.bytes.length
          for await (const slice of inSlices(block.bytes, sending, limiter, signal)) {
            leftBytes -= slice.length
            mayBeWhole ||= md5 !== null && leftBytes === 0
            yield slice
          }
        }
      } finally {
        blocks.release()
      }
    } catch (error) {
      if (error instanceof TransferError) failure = error
      throw error
    }
  }

  return {
    sizeBytes: rangeLength(range),
    open,
    get md5() {
      return md5
    },
    get mayBeWhole() {
      return mayBeWhole
    },
    get failure() {
      return failure
    },
  }
}

async function* readAhead(
  source: SourceFile,
  range: ByteRange,
  blocks: BodyBlocks,
  signal: AbortSignal,
): AsyncGenerator<HashedBlock> {
  const reading = source.read(range)
  const taken = new Set<SharedArrayBuffer>()
  let asked = range.start
  const ask = (): Promise<HashedBlock> | null => {
    if (asked === range.end) return null
    const block = blocks.take()
    taken.add(block)
    asked = Math.min(range.end, asked + block.byteLength)
    const answer = reading.next(block, signal)
    // The answer is awaited later, or never.
    answer.catch(() => undefined)
    return answer
  }
  try {
    for (let next = ask(); next !== null;) {
      const block = await next
      next = ask()
      yield block
      taken.delete(block.bytes.buffer)
      blocks.give(block.bytes.buffer)
    }
  } finally {
    // If the body is stopped, a read may still be filling a block.
    void reading.end().then(() => taken.forEach((block) => blocks.give(block)))
  }
}
