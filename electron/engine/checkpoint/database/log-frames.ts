// The write-ahead log of a database (SQLite, Database File Format, 4), read past what is damaged.

import { open, type FileHandle } from 'node:fs/promises'
import { isUnreadable } from '../../../errno/errno.ts'
import { PAGE_BYTES } from './empty-database.ts'

const HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24
const FRAME_BYTES = FRAME_HEADER_BYTES + PAGE_BYTES
const MAGIC = 0x377f0682
/** How many frames are read at a time: a read takes longer than the sums of what it brings. */
const FRAMES_PER_READ = 64

/** A page as one transaction left it. */
export interface Frame {
  /** The first is 1. */
  readonly page: number
  readonly content: Buffer
  /** How many pages the database has after the transaction that ends here; 0 for all frames but its last. */
  readonly pagesAfter: number
}

/** The header of a log or a frame, as far as it can be read. */
export interface LogRead {
  /** 0 for the header, which only comes if it is damaged; 1 for the first frame. */
  readonly number: number
  /** Null for what is damaged, and for what is no frame of this log, as behind its last one. */
  readonly frame: Frame | null
  /** Whether it is the drive that can't read it. */
  readonly isUnreadable: boolean
}

/** What a log holds. */
export interface LogContent {
  /** How many frames there are up to the end of the last transaction that is known to have been confirmed. */
  readonly confirmedFrames: number
  /** Whether those frames and the header can all be read. */
  readonly isWhole: boolean
}

/**
 * Finds out how much of a log counts, and whether any of that is damaged. Behind damage there may be a transaction that
 * failed and was overwritten in part, or that a power cut ended. So there the first one counts only once another follows
 * it: SQLite begins none before the last one is on disk.
 *
 * For the same reason, damage to the very last transaction can't be told from a power cut, unless it is the drive that
 * can't read it. A file of the right length proves nothing: drives write the sectors of a transaction in any order, some
 * file systems record a length before the bytes, and a log that began anew is written over a longer one, so that a
 * sector that never came holds zeros, as pages do, too, or other content. Only a mark behind each transaction would tell,
 * which would take a second sync for each.
 */
export async function surveyLog(path: string): Promise<LogContent> {
  let confirmedFrames = 0
  let firstDamage = Infinity
  let canBeRead = true
  let isProven = true
  let unproven: number | null = null
  for await (const { number, frame, isUnreadable } of readLog(path)) {
    if (frame === null) {
      firstDamage = Math.min(firstDamage, number)
      if (isUnreadable) canBeRead = false
      // Frames go on from the sums in a damaged header, or not at all.
      else if (number > 0) isProven = false
      unproven = null
      continue
    }
    if (unproven !== null) {
      confirmedFrames = unproven
      isProven = true
      unproven = null
    }
    if (frame.pagesAfter === 0) continue
    if (isProven) confirmedFrames = number
    else unproven = number
  }
  return { confirmedFrames, isWhole: canBeRead && firstDamage >= confirmedFrames }
}

/**
 * Reads a log in order. What is left over from before the log began anew is no frame of it. Neither is the first frame
 * behind one that is damaged as a whole, because its sums go on from there.
 */
export async function* readLog(path: string): AsyncGenerator<LogRead> {
  const log = await open(path, 'r')
  try {
    const { size } = await log.stat()
    if (size < HEADER_BYTES) return
    const header = await bytesAt(log, 0, HEADER_BYTES)
    const named = header === null ? null : saltsInHeader(header)
    if (named === null) yield { number: 0, frame: null, isUnreadable: header === null }
    // A log that began anew has another salt in its header, on disk, before it has a frame with that.
    const salts = named ?? (await saltsInUse(log, size))
    let before = header === null ? [] : [pairAt(header, 24)]
    let number = 0
    for await (const bytes of framesOf(log, size)) {
      number += 1
      const isOfLog = bytes !== null && salts !== null && isEqual(pairAt(bytes, 8), salts)
      const isUnreadable = bytes === null || (isOfLog && before.length === 0)
      const frame = isOfLog && before.some((sums) => followsOn(bytes, sums)) ? frameOf(bytes) : null
      yield { number, frame, isUnreadable }
      before = bytes === null ? [] : possibleSums(bytes, frame === null ? before.slice(0, 1) : [])
    }
  } finally {
    await log.close()
  }
}

/** The sums that the next frame may go on from: those of a damaged frame may be what is damaged, so they are made anew. */
function possibleSums(bytes: Buffer, before: readonly Pair[]): Pair[] {
  return [pairAt(bytes, 16), ...before.map((sums) => sumsOf(bytes, sums))]
}

/** The salts of all frames that belong to a log; null if its header is damaged. */
function saltsInHeader(header: Buffer): Pair | null {
  // The last bit tells the order of words. The sums of zeros are zeros.
  const isLog = header.readUInt32BE(0) >>> 1 === MAGIC >>> 1
  return isLog && isEqual(added(START, header, 0, 24), pairAt(header, 24)) ? pairAt(header, 16) : null
}

/** The salts of a log whose header is damaged: those of the first two frames of which one goes on from the other. */
async function saltsInUse(log: FileHandle, size: number): Promise<Pair | null> {
  let before: Buffer | null = null
  for await (const bytes of framesOf(log, size)) {
    if (bytes !== null && before !== null) {
      const salts = pairAt(bytes, 8)
      if (isEqual(salts, pairAt(before, 8)) && followsOn(bytes, pairAt(before, 16))) return salts
    }
    before = bytes
  }
  return null
}

/** The frames in order, header and page; null for what the drive can't read. One that was cut short is left out. */
async function* framesOf(log: FileHandle, sizeBytes: number): AsyncGenerator<Buffer | null> {
  const count = Math.floor((sizeBytes - HEADER_BYTES) / FRAME_BYTES)
  for (let first = 0; first < count; first += FRAMES_PER_READ) {
    const some = Math.min(FRAMES_PER_READ, count - first)
    const start = HEADER_BYTES + first * FRAME_BYTES
    const together = await bytesAt(log, start, some * FRAME_BYTES)
    for (let at = 0; at < some * FRAME_BYTES; at += FRAME_BYTES)
      yield together?.subarray(at, at + FRAME_BYTES) ?? (await bytesAt(log, start + at, FRAME_BYTES))
  }
}

/** Whether a frame is sound, and was written right behind one with the sums `before`. Zeros would be, but for no page. */
function followsOn(bytes: Buffer, before: Pair): boolean {
  return bytes.readUInt32BE(0) > 0 && isEqual(sumsOf(bytes, before), pairAt(bytes, 16))
}

function frameOf(bytes: Buffer): Frame {
  const content = bytes.subarray(FRAME_HEADER_BYTES)
  return { page: bytes.readUInt32BE(0), content, pagesAfter: bytes.readUInt32BE(4) }
}

/** Null for what the drive can't read. What the file lacks is zeros. */
async function bytesAt(file: FileHandle, at: number, length: number): Promise<Buffer | null> {
  const bytes = Buffer.alloc(length)
  try {
    // Before a sector that can't be read, a read ends early; only the next one fails.
    for (let filled = 0; filled < length;) {
      const { bytesRead } = await file.read(bytes, filled, length - filled, at + filled)
      if (bytesRead === 0) break
      filled += bytesRead
    }
    return bytes
  } catch (failure) {
    if (isUnreadable(failure)) return null
    throw failure
  }
}

/** Two salts, or the two sums of a checksum (4.2), which goes on from the one before. */
type Pair = readonly [number, number]
const START: Pair = [0, 0]

function pairAt(bytes: Buffer, at: number): Pair {
  return [bytes.readUInt32BE(at), bytes.readUInt32BE(at + 4)]
}

function isEqual(one: Pair, other: Pair): boolean {
  return one[0] === other[0] && one[1] === other[1]
}

function sumsOf(frame: Buffer, before: Pair): Pair {
  return added(added(before, frame, 0, 8), frame, FRAME_HEADER_BYTES, FRAME_BYTES)
}

/**
 * SQLite takes words in the order of its machine, as a typed array does. The header names that order, too, but may be
 * damaged itself.
 */
function added([first, second]: Pair, bytes: Buffer, start: number, end: number): Pair {
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset + start, (end - start) / 4)
  for (let at = 0; at < words.length; at += 2) {
    first = (first + (words[at] as number) + second) >>> 0
    second = (second + (words[at + 1] as number) + first) >>> 0
  }
  return [first, second]
}
