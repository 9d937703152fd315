import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { formatBytes } from '../../shared/format-bytes.ts'
import { unlessAborted } from '../async/unless-aborted.ts'
import { systemWords } from './command-error.ts'
import { UsageError } from './usage-error.ts'

/** More than any list has, and less than a text may have (bytes). */
const MAX_BYTES = 256_000_000

/**
 * The text that a person names: of a file, or with `-` what comes on standard input. Throws UsageError, which says
 * `what` can't be read, and what `signal` is aborted with, even while nobody writes.
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
