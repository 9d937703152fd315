import { setMaxListeners } from 'node:events'
import { availableParallelism } from 'node:os'
import type { HashedRead, Hasher, HashStream } from '../core/deps.ts'
import type { HashRequest, ReadRequest } from './hash-messages.ts'
import { HashThreads, type Pin } from './hash-threads.ts'
import { VolumeThreads, type DeviceOf, type Threads } from './volume-threads.ts'

export interface HasherOptions {
  /** Threads per volume, 1 or more, started when first needed. If left out: one less than the processors, 4 at most. */
  readonly workers?: number
  /** Where the built `hash-worker.js` is. */
  readonly workerUrl: URL
  readonly deviceOf: DeviceOf
}

/** For requests that nobody gives up; any number of them may wait. */
const NEVER = new AbortController().signal
setMaxListeners(0, NEVER)

/** Hashes files in worker threads; each volume has threads of its own. */
export function createHasher({ workers, workerUrl, deviceOf }: HasherOptions): Hasher {
  const maxThreads = workers ?? Math.max(1, Math.min(4, availableParallelism() - 1))
  const volumes = new VolumeThreads(() => new HashThreads(maxThreads, workerUrl), deviceOf)
  let streamsOpened = 0
  let readingsBegun = 0
  return {
    md5: async (path, offset, length, signal) =>
      String(await volumes.of(path).ask({ kind: 'md5', path, offset, length }, null, signal)),
    digest: async (algorithm, path, offset, length, signal) => {
      const range = { path, offset, length }
      const request = algorithm === 'md5' ? ({ kind: 'md5' } as const) : ({ kind: 'digest-range', algorithm } as const)
      return String(await volumes.of(path).ask({ ...request, ...range }, null, signal))
    },
    crc32: async (path, offset, length, signal) =>
      Number(await volumes.of(path).ask({ kind: 'crc32', path, offset, length }, null, signal)),
    read(path, offset, length) {
      readingsBegun += 1
      return beginReading(volumes.of(path), { reading: readingsBegun, path, offset, length })
    },
    open(path, algorithm) {
      streamsOpened += 1
      return openStream(volumes.of(path), { kind: 'stream', stream: streamsOpened, algorithm, path })
    },
    close: () => volumes.close(),
  }
}

type ReadingFacts = Pick<ReadRequest, 'reading' | 'path' | 'offset' | 'length'>

function beginReading(threads: Threads, { reading, path, offset, length }: ReadingFacts): HashedRead {
  const pin: Pin = { thread: null }
  const end = offset + length
  let at = offset
  let isOver = false
  return {
    async next(block, signal) {
      const request = {
        kind: 'read',
        reading,
        path,
        offset: at,
        length: Math.min(block.byteLength, end - at),
        block,
      } as const
      at += request.length
      const isLast = at === end
      const md5 = await threads.ask({ ...request, isLast }, pin, signal)
      // Only an answer ends the reading: a request that was given up may not have reached the thread that reads.
      isOver ||= isLast
      return { bytes: new Uint8Array(block, 0, request.length), md5: isLast ? String(md5) : null }
    },
    async end() {
      if (isOver || pin.thread === null) return
      // A thread that has ended fills no block.
      await threads.ask({ kind: 'leave', reading }, pin, NEVER).catch(() => undefined)
    },
  }
}

type StreamFacts = Omit<Extract<HashRequest, { kind: 'stream' }>, 'offset' | 'length'>

function openStream(threads: Threads, facts: StreamFacts): HashStream {
  const pin: Pin = { thread: null }
  let offset = 0
  return {
    async append(length, signal) {
      const from = offset
      offset += length
      await threads.ask({ ...facts, offset: from, length }, pin, signal)
    },
    async digest() {
      // Nothing was hashed yet, and no thread knows the stream.
      if (pin.thread === null) await threads.ask({ ...facts, offset: 0, length: 0 }, pin, NEVER)
      return String(await threads.ask({ kind: 'digest', stream: facts.stream }, pin, NEVER))
    },
    end() {
      if (pin.thread === null) return
      threads.ask({ kind: 'digest', stream: facts.stream }, pin, NEVER).catch(() => undefined)
    },
  }
}
