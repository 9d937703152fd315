/* eslint-disable no-restricted-syntax -- files are opened by waiting for the disk: nothing else needs this thread meanwhile */
import { createHash, type Hash } from 'node:crypto'
import { closeSync, openSync } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort } from 'node:worker_threads'
import { allocateBlocks } from '../../checksums/block-memory.ts'
import { crc32 } from '../../checksums/crc32.ts'
import type { DigestAlgorithm } from '../core/deps.ts'
import { createMd5Lanes, hasMd5Lanes, md5Digest, startMd5, type Md5Stream } from './md5-lanes.ts'
import { createMd5Turns, readFully, shortRead, type Md5Job, type Md5Turns } from './md5-turns.ts'
import type { RunningDigest } from './reflected-crc.ts'
import { beginDigest } from './running-digest.ts'

/**
 * Entry of a hash thread, built to `out/hash-worker.js`, one small file that imports nothing but Node's own modules.
 * What goes into an MD5 of its own (`md5`, `read`) may be asked for side by side; of the rest the pool sends the next
 * when one is answered.
 */
export type HashRequest =
  Md5Request | RangeRequest | SumRequest | StreamRequest | DigestRequest | ReadRequest | LeaveRequest

/** The MD5 of a range by itself. */
export interface Md5Request {
  readonly kind: 'md5'
  readonly path: string
  readonly offset: number
  readonly length: number
}

/** Another digest of a range by itself. */
export interface RangeRequest {
  readonly kind: 'digest-range'
  readonly algorithm: DigestAlgorithm
  readonly path: string
  readonly offset: number
  readonly length: number
}

/** The CRC-32 of a range. */
export interface SumRequest {
  readonly kind: 'crc32'
  readonly path: string
  readonly offset: number
  readonly length: number
}

/** Adds a range to the hash of a stream, which lives here until its digest is asked for. */
export interface StreamRequest {
  readonly kind: 'stream'
  readonly stream: number
  readonly algorithm: DigestAlgorithm
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
  /** A multiple of 64 unless `isLast`. */
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

/** Stops the work on a request; it is answered all the same. A stream that was stopped is of no use any more. */
export interface HashCancel {
  readonly kind: 'cancel'
  readonly id: number
}

/** What the pool sends: a request, and the number that its answer carries. */
export type HashMessage = HashCancel | { readonly kind: 'ask'; readonly id: number; readonly request: HashRequest }

/** A number for a CRC-32, hex for a digest, null for a range that went into a stream. `block`: what was read. */
export type HashReply =
  | { readonly kind: 'done'; readonly value: string | number | null; readonly block?: ArrayBuffer }
  | { readonly kind: 'failed'; readonly message: string; readonly code: string | null }
  | { readonly kind: 'canceled' }

export interface HashAnswer {
  readonly id: number
  readonly reply: HashReply
}

const BLOCK_BYTES = 1024 * 1024

/** Two blocks for a range, for the life of the thread: one is read while the other is hashed. */
type BlockPair = readonly [Uint8Array, Uint8Array]
const spare: BlockPair[] = []
const streams = new Map<number, RunningDigest>()
const readings = new Map<number, Reading>()
/** MD5s of ranges on their way, by the number of the request; null: alone, or not begun. */
const ranges = new Map<number, Md5Job | null>()

interface Reading {
  readonly file: number
  /** OpenSSL's for a reading that began without company, which is quicker by itself. */
  readonly stream: Md5Stream | Hash
  /** Settles when what was asked for so far is read. */
  latest: Promise<unknown>
  /** When the latest block was asked for, milliseconds of the monotonic clock. */
  askedAtMs: number | null
}

/** A job waits no longer than this for those of other streams, milliseconds. */
const MAX_WAIT_MS = 20
/** The first of a stream waits this long, milliseconds. */
const FIRST_WAIT_MS = 2
/** For so long after the last time that there were several streams there are likely to be several, milliseconds. */
const COMPANY_MS = 200
let hadCompanyAtMs = -Infinity

/** What is read block by block, by the number of the request. */
const working = new Map<number, { isCanceled: boolean }>()
let turns: Md5Turns | null = null

parentPort?.on('message', (message: HashMessage) => {
  if (message.kind === 'cancel') {
    const work = working.get(message.id)
    if (work !== undefined) work.isCanceled = true
    const job = ranges.get(message.id) ?? null
    if (job !== null) turns?.giveUp(job)
    return
  }
  const { id, request } = message
  void answer(id, request)
    .catch(failed)
    .then((reply) => {
      const moved = reply.kind === 'done' && reply.block !== undefined ? [reply.block] : []
      parentPort?.postMessage({ id, reply } satisfies HashAnswer, moved)
    })
})

function failed(error: unknown): HashReply {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null
  return { kind: 'failed', message: error instanceof Error ? error.message : String(error), code }
}

async function answer(id: number, request: HashRequest): Promise<HashReply> {
  switch (request.kind) {
    case 'digest':
      return { kind: 'done', value: takeStream(request.stream)?.digest('hex') ?? null }
    case 'stream':
      return await addToStream(id, request)
    case 'crc32':
      return await sumRange(id, request)
    case 'digest-range':
      return await digestRange(id, request)
    case 'md5':
      return await md5OfRange(id, request)
    case 'read':
      return await readBlock(request)
    case 'leave':
      await readings.get(request.reading)?.latest.catch(() => undefined)
      leaveReading(request.reading)
      return { kind: 'done', value: null }
  }
}

async function addToStream(id: number, request: StreamRequest): Promise<HashReply> {
  const hash = streamOf(request)
  const isWhole = await forEachBlock(id, request, (block) => hash.update(block))
  return isWhole ? { kind: 'done', value: null } : { kind: 'canceled' }
}

async function sumRange(id: number, range: SumRequest): Promise<HashReply> {
  let sum = 0
  const isWhole = await forEachBlock(id, range, (block) => (sum = crc32(block, sum)))
  return isWhole ? { kind: 'done', value: sum } : { kind: 'canceled' }
}

async function digestRange(id: number, range: RangeRequest): Promise<HashReply> {
  const digest = beginDigest(range.algorithm)
  const isWhole = await forEachBlock(id, range, (block) => digest.update(block))
  return isWhole ? { kind: 'done', value: digest.digest('hex') } : { kind: 'canceled' }
}

/** @returns false when it was canceled. */
async function forEachBlock(
  id: number,
  range: Md5Request | RangeRequest | SumRequest | StreamRequest,
  use: (block: Uint8Array) => void,
): Promise<boolean> {
  const work = { isCanceled: false }
  working.set(id, work)
  try {
    for await (const block of readBlocks(range)) {
      if (work.isCanceled) return false
      use(block)
    }
    return true
  } finally {
    working.delete(id)
  }
}

function streamOf({ stream, algorithm }: StreamRequest): RunningDigest {
  const hash = streams.get(stream) ?? beginDigest(algorithm)
  streams.set(stream, hash)
  return hash
}

function takeStream(stream: number): RunningDigest | undefined {
  const hash = streams.get(stream)
  streams.delete(stream)
  return hash
}

async function md5OfRange(id: number, range: Md5Request): Promise<HashReply> {
  ranges.set(id, null)
  noteCompany()
  try {
    // Those that are asked for together come one after the other.
    if (isAlone(openStreams()) && !(await waited(id, FIRST_WAIT_MS))) return { kind: 'canceled' }
    return isAlone(openStreams()) ? await md5Alone(id, range) : await md5InTurns(id, range)
  } finally {
    ranges.delete(id)
  }
}

/** @returns false when the request was canceled meanwhile. */
async function waited(id: number, ms: number): Promise<boolean> {
  const work = { isCanceled: false }
  working.set(id, work)
  await sleep(ms)
  working.delete(id)
  return !work.isCanceled
}

async function md5Alone(id: number, range: Md5Request): Promise<HashReply> {
  const hash = createHash('md5')
  const isWhole = await forEachBlock(id, range, (block) => hash.update(block))
  return isWhole ? { kind: 'done', value: hash.digest('hex') } : { kind: 'canceled' }
}

async function md5InTurns(id: number, { path, offset, length }: Md5Request): Promise<HashReply> {
  const file = openSync(path, 'r')
  try {
    const stream = startMd5()
    const range = { file, start: offset, end: offset + length, stream }
    const job = { ...range, isLast: true, copy: null, mayWaitMs: FIRST_WAIT_MS }
    ranges.set(id, job)
    const isWhole = await hashed(job)
    return isWhole ? { kind: 'done', value: md5Digest(stream) } : { kind: 'canceled' }
  } finally {
    closeSync(file)
  }
}

async function readBlock(request: ReadRequest): Promise<HashReply> {
  const { reading, path, offset, length, block, isLast } = request
  if (!isLast && length % 64 !== 0) throw new RangeError('A reading goes on at a whole block of its hash')
  const open = readings.get(reading) ?? beginReading(reading, path)
  const { file, stream } = open
  const mayWaitMs = mayWaitOf(open)
  const bytes = new Uint8Array(block, 0, length)
  const latest = open.latest.then(async () => {
    if ('update' in stream) hashAlone(stream, file, bytes, offset)
    else await hashed({ file, start: offset, end: offset + length, stream, isLast, copy: bytes, mayWaitMs })
  })
  open.latest = latest
  try {
    await latest
  } catch (error) {
    leaveReading(reading)
    throw error
  }
  if (!isLast) return { kind: 'done', value: null, block }
  leaveReading(reading)
  return { kind: 'done', value: 'update' in stream ? stream.digest('hex') : md5Digest(stream), block }
}

function beginReading(reading: number, path: string): Reading {
  const file = openSync(path, 'r')
  const stream = isAlone(openStreams() + 1) ? createHash('md5') : startMd5()
  const begun = { file, stream, latest: Promise.resolve(), askedAtMs: null }
  readings.set(reading, begun)
  noteCompany()
  return begun
}

function hashAlone(hash: Hash, file: number, bytes: Uint8Array, position: number): void {
  readFully(file, bytes, position)
  hash.update(bytes)
}

/**
 * Streams that come one after the other are quicker by themselves; of those side by side all may end at once.
 * `company`: streams that are open, this one included.
 */
function isAlone(company: number): boolean {
  return !hasMd5Lanes() || (company === 1 && performance.now() - hadCompanyAtMs > COMPANY_MS)
}

function openStreams(): number {
  return readings.size + ranges.size
}

function noteCompany(): void {
  if (openStreams() > 1) hadCompanyAtMs = performance.now()
}

/**
 * A block is needed when the one before it is sent, which takes about as long as it took from block to block so far.
 */
function mayWaitOf(reading: Reading): number {
  const nowMs = performance.now()
  const { askedAtMs } = reading
  reading.askedAtMs = nowMs
  return askedAtMs === null ? FIRST_WAIT_MS : Math.min(MAX_WAIT_MS, (nowMs - askedAtMs) / 2)
}

function hashed(job: Md5Job): Promise<boolean> {
  turns ??= createMd5Turns(createMd5Lanes())
  return turns.add(job, openStreams())
}

function leaveReading(reading: number): void {
  const known = readings.get(reading)
  readings.delete(reading)
  if (known !== undefined) closeSync(known.file)
}

/** Reads one block ahead of the one that is handed out. */
async function* readBlocks({
  path,
  offset,
  length,
}: Md5Request | RangeRequest | SumRequest | StreamRequest): AsyncGenerator<Uint8Array> {
  const file = await open(path, 'r')
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
    const { bytesRead } = await file.read(block, filled, block.length - filled, position + filled)
    if (bytesRead === 0) throw shortRead()
    filled += bytesRead
  }
  return block
}
