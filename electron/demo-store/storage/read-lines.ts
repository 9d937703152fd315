import { Buffer } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { MIB } from '../../../shared/limits.ts'

/** A line without its newline. */
export interface Line {
  readonly text: string
  /** Offset of the byte after the line and its newline. */
  readonly endBytes: number
  /** False for a last line without a newline. */
  readonly isWhole: boolean
}

const NEWLINE = 0x0a

/** Yields the lines of a file and where they end; yields nothing when the file is missing. */
export async function* readLines(path: string): AsyncGenerator<Line> {
  let begun: Buffer[] = []
  let endBytes = 0
  try {
    for await (const block of createReadStream(path, { highWaterMark: MIB }) as AsyncIterable<Buffer>) {
      let start = 0
      for (let end = block.indexOf(NEWLINE); end >= 0; end = block.indexOf(NEWLINE, start)) {
        const line = Buffer.concat([...begun, block.subarray(start, end)])
        begun = []
        start = end + 1
        endBytes += line.length + 1
        yield { text: line.toString('utf8'), endBytes, isWhole: true }
      }
      if (start < block.length) begun.push(block.subarray(start))
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  const rest = Buffer.concat(begun)
  if (rest.length > 0) yield { text: rest.toString('utf8'), endBytes: endBytes + rest.length, isWhole: false }
}
