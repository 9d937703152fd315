/* eslint-disable no-restricted-syntax -- blocks are read by waiting for the disk: nobody else needs this thread meanwhile */
import { createHash, type Hash } from 'node:crypto'
import { closeSync, openSync, readSync } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { parentPort } from 'node:worker_threads'
import { crc32 } from 'node:zlib'

/**
 * Entry of a hash thread, built to `out/hash-worker.js`. It imports nothing but Node's own modules, so that it stays one
 * small file. One request at a time: the pool sends the next when this one is answered.
 */
export type HashRequest = RangeRequest | StreamRequest | DigestRequest | ReadRequest | LeaveRequest

/** Hashes a range by itself. */
export interface RangeRequest {
  readonly kind: 'range'
  readonly algorithm: 'md5' | 'crc32'
  readonly path: string
  readonly offset: number
  readonly length: number
}

/** Adds a range to the hash of a stream, which lives here until its digest is asked for. */
export interface StreamRequest {
  readonly kind: 'stream'
  readonly stream: number
  readonly algorithm: 'md5' | 'sha256'
  readonly path: string
  readonly offset: number
  readonly length: number
}

/** Ends a stream. */
export interface DigestRequest {
  readonly kind: 'digest'
  readonly stream: number
}

/** Fills `block` with the next bytes of a reading, which lives here until its last block. */
export interface ReadRequest {
  readonly kind: 'read'
  readonly reading: number
  readonly path: string
  readonly offset: number
  readonly length: number
  readonly isLast: boolean
  /** Moves here, and back with the answer. */
  readonly block: ArrayBuffer
}

/** Ends a reading before its last block. */
export interface LeaveRequest {
  readonly kind: 'leave'
  readonly reading: number
}

/** Stops the range being hashed; it is answered all the same. A stream that was stopped is of no use any more. */
export interface HashCancel {
  readonly kind: 'cancel'
}

/** A number for a CRC-32, hex for a digest, null for a range that went into a stream. `block`: what was read. */
export type HashReply =
  | { readonly kind: 'done'; readonly value: string | number | null; readonly block?: ArrayBuffer }
  | { readonly kind: 'failed'; readonly message: string; readonly code: string | null }
  | { readonly kind: 'canceled' }

const BLOCK_BYTES = 1024 * 1024

/** Two blocks for the life of the thread: one is read while the other is hashed. */
const blocks = [Buffer.allocUnsafeSlow(BLOCK_BYTES), Buffer.allocUnsafeSlow(BLOCK_BYTES)] as const
const streams = new Map<number, Hash>()
const readings = new Map<number, { readonly file: number; readonly hash: Hash }>()
let canceled = false

parentPort?.on('message', (message: HashRequest | HashCancel) => {
  if (message.kind === 'cancel') {
    canceled = true
    return
  }
  canceled = false
  void answer(message).then((reply) => {
    const moved = reply.kind === 'done' && reply.block !== undefined ? [reply.block] : []
    parentPort?.postMessage(reply, moved)
  })
})

async function answer(request: HashRequest): Promise<HashReply> {
  try {
    switch (request.kind) {
      case 'digest':
        return { kind: 'done', value: takeStream(request.stream)?.digest('hex') ?? null }
      case 'stream':
        return await hashInto(streamOf(request), request, null)
      case 'range':
        return request.algorithm === 'crc32'
          ? await sumRange(request)
          : await hashInto(createHash('md5'), request, (hash) => hash.digest('hex'))
      case 'read':
        return readBlock(request)
      case 'leave':
        leaveReading(request.reading)
        return { kind: 'done', value: null }
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null
    return { kind: 'failed', message: error instanceof Error ? error.message : String(error), code }
  }
}

async function hashInto(
  hash: Hash,
  range: RangeRequest | StreamRequest,
  finish: ((hash: Hash) => string) | null,
): Promise<HashReply> {
  for await (const block of readBlocks(range)) {
    if (canceled) return { kind: 'canceled' }
    hash.update(block)
  }
  return { kind: 'done', value: finish?.(hash) ?? null }
}

async function sumRange(range: RangeRequest): Promise<HashReply> {
  let sum = 0
  for await (const block of readBlocks(range)) {
    if (canceled) return { kind: 'canceled' }
    sum = crc32(block, sum)
  }
  return { kind: 'done', value: sum }
}

function streamOf({ stream, algorithm }: StreamRequest): Hash {
  const hash = streams.get(stream) ?? createHash(algorithm)
  streams.set(stream, hash)
  return hash
}

function takeStream(stream: number): Hash | undefined {
  const hash = streams.get(stream)
  streams.delete(stream)
  return hash
}

/** An awaited read would cost two changes of thread a block. */
function readBlock(request: ReadRequest): HashReply {
  const { reading, path, offset, length, block, isLast } = request
  try {
    const known = readings.get(reading)
    const { file, hash } = known ?? { file: openSync(path, 'r'), hash: createHash('md5') }
    if (known === undefined) readings.set(reading, { file, hash })
    for (let filled = 0; filled < length;) {
      const bytesRead = readSync(
        file,
        new Uint8Array(block, filled, length - filled),
        0,
        length - filled,
        offset + filled,
      )
      if (bytesRead === 0) throw shortRead()
      filled += bytesRead
    }
    hash.update(new Uint8Array(block, 0, length))
    if (!isLast) return { kind: 'done', value: null, block }
    leaveReading(reading)
    return { kind: 'done', value: hash.digest('hex'), block }
  } catch (error) {
    leaveReading(reading)
    throw error
  }
}

function leaveReading(reading: number): void {
  const known = readings.get(reading)
  readings.delete(reading)
  if (known !== undefined) closeSync(known.file)
}

function shortRead(): Error {
  return Object.assign(new Error('The file is shorter than expected'), { code: 'ESHORTREAD' })
}

/** Reads one block ahead of the one that is handed out. */
async function* readBlocks({ path, offset, length }: RangeRequest | StreamRequest): AsyncGenerator<Buffer> {
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
    if (bytesRead === 0) throw shortRead()
    filled += bytesRead
  }
  return block
}
