// The write-ahead log of a database (SQLite, Database File Format, 4), read past what is damaged.

import { open, type FileHandle } from 'node:fs/promises'
import { isUnreadable } from '../../../errno/errno.ts'
import { PAGE_BYTES } from './empty-database.ts'

const HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24
const FRAME_BYTES = FRAME_HEADER_BYTES + PAGE_BYTES
/** The last byte of the magic number of a log whose checksums take words as big-endian. */
const BIG_ENDIAN_MAGIC = 0x83

/** A page as one transaction left it. */
interface Frame {
  /** The first is 1. */
  readonly page: number
  readonly content: Buffer
  /** How many pages the database has after the transaction that ends here; 0 for all frames but its last. */
  readonly pagesAfter: number
}

/** `torn`: something else than a whole frame, as after the last one. `unreadable`: the drive can't read it. */
type Read = Frame | 'torn' | 'unreadable'

/** What a transaction wrote, as far as it can be read. */
export interface Transaction {
  /** By page number. */
  readonly pages: ReadonlyMap<number, Buffer>
  /** How many pages the database has afterwards. */
  readonly pagesAfter: number
  /** Whether something before it is damaged. */
  readonly isBehindDamage: boolean
}

/**
 * Reads the transactions in a log in order; `unreadable` for each frame that the drive can't read. Behind what is torn
 * there may be one that failed and was overwritten in part, so there the first one counts only once another follows it.
 */
export async function* transactionsOf(path: string): AsyncGenerator<Transaction | 'unreadable'> {
  let pages = new Map<number, Buffer>()
  let unproven: Transaction | null = null
  let isProven = true
  let isBehindDamage = false
  for await (const frame of framesOf(path)) {
    if (frame === 'torn' || frame === 'unreadable') {
      if (frame === 'unreadable') yield frame
      pages = new Map()
      unproven = null
      isProven = frame === 'unreadable'
      isBehindDamage = true
      continue
    }
    if (unproven !== null) {
      yield unproven
      unproven = null
      isProven = true
    }
    pages.set(frame.page, frame.content)
    if (frame.pagesAfter === 0) continue
    const transaction = { pages, pagesAfter: frame.pagesAfter, isBehindDamage }
    pages = new Map()
    if (isProven) yield transaction
    else unproven = transaction
  }
}

/**
 * Reads the frames of a log in order. What is left over from before the log began anew is `torn`. The first frame after
 * one that is torn or unreadable counts as the same, because its checksum goes on from there.
 */
async function* framesOf(path: string): AsyncGenerator<Read> {
  const log = await open(path, 'r')
  try {
    const { size } = await log.stat()
    const header = await bytesAt(log, 0, HEADER_BYTES)
    const isBigEndian = header?.readUInt8(3) === BIG_ENDIAN_MAGIC
    const isHeaderSound = header !== null && isEqual(added(START, header, 0, 24, isBigEndian), sumsAt(header, 24))
    // A log that began anew has another salt in its header before it has a frame with that.
    let salts = isHeaderSound ? header.subarray(16, 24) : null
    let before: Sums | 'torn' | 'unreadable' = isHeaderSound ? sumsAt(header, 24) : 'torn'
    if (header === null) yield (before = 'unreadable')
    for (let at = HEADER_BYTES; at + FRAME_BYTES <= size; at += FRAME_BYTES) {
      const frame = await bytesAt(log, at, FRAME_BYTES)
      if (frame === null) {
        yield (before = 'unreadable')
        continue
      }
      salts ??= frame.subarray(8, 16)
      const isOfLog = frame.subarray(8, 16).equals(salts)
      if (!isOfLog || typeof before === 'string') yield isOfLog && before === 'unreadable' ? 'unreadable' : 'torn'
      else yield isEqual(sumsOf(frame, before, isBigEndian), sumsAt(frame, 16)) ? frameOf(frame) : 'torn'
      before = isOfLog ? sumsAt(frame, 16) : 'torn'
    }
  } finally {
    await log.close()
  }
}

function frameOf(bytes: Buffer): Frame {
  const content = bytes.subarray(FRAME_HEADER_BYTES)
  return { page: bytes.readUInt32BE(0), content, pagesAfter: bytes.readUInt32BE(4) }
}

/** Null for what the drive can't read. */
async function bytesAt(file: FileHandle, at: number, length: number): Promise<Buffer | null> {
  try {
    const bytes = Buffer.alloc(length)
    await file.read(bytes, 0, length, at)
    return bytes
  } catch (failure) {
    if (isUnreadable(failure)) return null
    throw failure
  }
}

/** A checksum (4.2). Each goes on from the one before. */
type Sums = readonly [number, number]
const START: Sums = [0, 0]

function sumsAt(bytes: Buffer, at: number): Sums {
  return [bytes.readUInt32BE(at), bytes.readUInt32BE(at + 4)]
}

function isEqual(one: Sums, other: Sums): boolean {
  return one[0] === other[0] && one[1] === other[1]
}

function sumsOf(frame: Buffer, before: Sums, isBigEndian: boolean): Sums {
  return added(added(before, frame, 0, 8, isBigEndian), frame, FRAME_HEADER_BYTES, FRAME_BYTES, isBigEndian)
}

function added([first, second]: Sums, bytes: Buffer, start: number, end: number, isBigEndian: boolean): Sums {
  const wordAt = (at: number): number => (isBigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at))
  for (let at = start; at < end; at += 8) {
    first = (first + wordAt(at) + second) >>> 0
    second = (second + wordAt(at + 4) + first) >>> 0
  }
  return [first, second]
}
