/* eslint-disable no-restricted-syntax -- files are opened by waiting for the disk: nothing else needs this thread meanwhile */
// Reads files for other threads, block by block, and hashes them on the way.

import { createHash, type Hash } from 'node:crypto'
import { closeSync, openSync } from 'node:fs'
import { blockUntilFree } from '../../errno/descriptors.ts'
import type { HashReply, ReadRequest } from './hash-messages.ts'
import { FIRST_WAIT_MS, hashInTurns, isAlone, join, leave } from './md5-company.ts'
import { md5Digest, startMd5, type Md5Stream } from './md5-lanes.ts'
import { readFully } from './md5-turns.ts'

interface Reading {
  readonly file: number
  /** OpenSSL's hash for a reading that began without company: by itself that is quicker. */
  readonly stream: Md5Stream | Hash
  /** Settles when everything asked for so far is read. */
  latest: Promise<unknown>
  /** When the latest block was asked for, milliseconds of the monotonic clock. */
  askedAtMs: number | null
}

/** A job waits no longer than this for those of other streams, milliseconds. */
const MAX_WAIT_MS = 20

/**
 * How long a reading waits for a descriptor, milliseconds: the others of this thread can't go on meanwhile, and have
 * descriptors, too.
 */
const OPEN_PATIENCE_MS = 10_000

const readings = new Map<number, Reading>()

/** Fills the block of a request with the next bytes of its reading; the last answer has the MD5 of all of them. */
export async function readBlock(request: ReadRequest): Promise<HashReply> {
  const { reading, path, offset, length, block, isLast } = request
  if (!isLast && length % 64 !== 0) throw new RangeError('Only the last piece may end within a block')
  const open = readings.get(reading) ?? beginReading(reading, path)
  const { file, stream } = open
  const mayWaitMs = mayWaitOf(open)
  const bytes = new Uint8Array(block, 0, length)
  const latest = open.latest.then(async () => {
    if ('update' in stream) hashAlone(stream, file, bytes, offset)
    else await hashInTurns({ file, start: offset, end: offset + length, stream, isLast, copy: bytes, mayWaitMs })
  })
  open.latest = latest
  try {
    await latest
  } catch (error) {
    leaveReading(reading)
    throw error
  }
  if (!isLast) return { kind: 'done', value: null }
  leaveReading(reading)
  return { kind: 'done', value: 'update' in stream ? stream.digest('hex') : md5Digest(stream) }
}

function beginReading(reading: number, path: string): Reading {
  const file = blockUntilFree(() => openSync(path, 'r'), OPEN_PATIENCE_MS)
  join()
  const stream = isAlone() ? createHash('md5') : startMd5()
  const begun = { file, stream, latest: Promise.resolve(), askedAtMs: null }
  readings.set(reading, begun)
  return begun
}

function hashAlone(hash: Hash, file: number, bytes: Uint8Array, position: number): void {
  readFully(file, bytes, position)
  hash.update(bytes)
}

/** Ends a reading before its last block. */
export async function endReading(reading: number): Promise<void> {
  await readings.get(reading)?.latest.catch(() => undefined)
  leaveReading(reading)
}

function leaveReading(reading: number): void {
  const known = readings.get(reading)
  readings.delete(reading)
  if (known === undefined) return
  leave()
  closeSync(known.file)
}

/**
 * How long a block may wait for others. It is needed once the block before it is sent, which takes about as long as the
 * time between the last two blocks.
 */
function mayWaitOf(reading: Reading): number {
  const nowMs = performance.now()
  const { askedAtMs } = reading
  reading.askedAtMs = nowMs
  return askedAtMs === null ? FIRST_WAIT_MS : Math.min(MAX_WAIT_MS, (nowMs - askedAtMs) / 2)
}
