// Entry of a hash thread, built to `out/hash-worker.js`, one small file that imports nothing but Node's own modules.

import { parentPort } from 'node:worker_threads'
import { crc32 } from '../../checksums/crc32.ts'
import { cancelWork, forEachBlock } from './canceled-work.ts'
import type {
  HashAnswer,
  HashMessage,
  HashReply,
  HashRequest,
  RangeRequest,
  StreamRequest,
  SumRequest,
} from './hash-messages.ts'
import { giveUpRange, md5OfRange } from './md5-of-range.ts'
import { endReading, readBlock } from './readings.ts'
import type { RunningDigest } from './reflected-crc.ts'
import { beginDigest } from './running-digest.ts'

const streams = new Map<number, RunningDigest>()

parentPort?.on('message', (message: HashMessage) => {
  if (message.kind === 'cancel') {
    cancelWork(message.id)
    giveUpRange(message.id)
    return
  }
  const { id, request } = message
  void answer(id, request)
    .catch(failed)
    .then((reply) => parentPort?.postMessage({ id, reply } satisfies HashAnswer))
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
      await endReading(request.reading)
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
