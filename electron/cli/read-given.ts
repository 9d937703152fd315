import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { formatBytes } from '../../shared/format/format-bytes.ts'
import { unlessAborted } from '../async/unless-aborted.ts'
import { systemWords } from './command-error.ts'
import { UsageError } from './usage-error.ts'

/** More bytes than any list has, and fewer than a string can hold. */
const MAX_BYTES = 256_000_000

/**
 * Reads the text of a file, or with `-` of standard input. Throws UsageError, which says that `what` can't be read, or
 * the reason that `signal` is aborted with, even while nobody writes to standard input.
 */
export async function readGiven(path: string, what: string, signal: AbortSignal): Promise<string> {
  signal.throwIfAborted()
  const stream = path === '-' ? process.stdin : createReadStream(path)
  try {
    return await unlessAborted(textOf(stream), signal)
  } catch (failure) {
    if (signal.aborted) throw failure
    const named = path === '-' ? 'standard input' : path
    throw new UsageError(`Can’t read ${what}${named}: ${systemWords(failure)}.`)
  } finally {
    stream.destroy()
  }
}

async function textOf(stream: Readable): Promise<string> {
  const blocks: Buffer[] = []
  let sizeBytes = 0
  for await (const block of stream as AsyncIterable<Buffer>) {
    sizeBytes += block.length
    if (sizeBytes > MAX_BYTES) throw new Error(`it is larger than ${formatBytes(MAX_BYTES)}`)
    blocks.push(block)
  }
  return Buffer.concat(blocks).toString()
}
