import { setMaxListeners } from 'node:events'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { assert } from '../../../shared/assert.ts'
import type { HashedRead, Hasher, HashStream } from '../core/deps.ts'
import type { HashAnswer, HashMessage, HashReply, HashRequest, ReadRequest } from './hash-messages.ts'

export interface HasherOptions {
  /** Threads, 1 or more; started when first needed. Left out: one less than the processors, 4 at most. */
  readonly workers?: number
  /** Where the built `hash-worker.js` is. */
  readonly workerUrl: URL
}

/** A request waiting for a thread, or being answered by one. */
interface Entry {
  readonly id: number
  readonly request: HashRequest
  /** What goes into a stream goes to the thread that has it. */
  readonly pin: Pin | null
  readonly settle: (reply: HashReply) => void
  readonly fail: (error: Error) => void
}

/** The thread of a stream, chosen with its first range. */
interface Pin {
  thread: Thread | null
}

interface Thread {
  readonly worker: Worker
  /** What it is answering, by number. */
  readonly entries: Map<number, Entry>
}

/** Requests of these kinds are answered side by side, which is quicker than one after the other; so many at a time. */
const SIDE_BY_SIDE = new Set<HashRequest['kind']>(['md5', 'read', 'leave'])
const MAX_SIDE_BY_SIDE = 16

/** Any number of requests that nobody gives up may wait. */
const NEVER = new AbortController().signal
setMaxListeners(0, NEVER)

/** Hashes files in worker threads, first come first served. Idle threads don't keep the process alive. */
export function createHasher({ workers, workerUrl }: HasherOptions): Hasher {
  const maxThreads = workers ?? Math.max(1, Math.min(4, availableParallelism() - 1))
  const threads = new HashThreads(maxThreads, workerUrl)
  let streamsOpened = 0
  let readingsBegun = 0
  return {
    md5: async (path, offset, length, signal) =>
      String(await threads.ask({ kind: 'md5', path, offset, length }, null, signal)),
    digest: async (algorithm, path, offset, length, signal) => {
      const range = { path, offset, length }
      const request = algorithm === 'md5' ? ({ kind: 'md5' } as const) : ({ kind: 'digest-range', algorithm } as const)
      return String(await threads.ask({ ...request, ...range }, null, signal))
    },
    crc32: async (path, offset, length, signal) =>
      Number(await threads.ask({ kind: 'crc32', path, offset, length }, null, signal)),
    read(path, offset, length) {
      readingsBegun += 1
      return beginReading(threads, { reading: readingsBegun, path, offset, length })
    },
    open(path, algorithm) {
      streamsOpened += 1
      return openStream(threads, { kind: 'stream', stream: streamsOpened, algorithm, path })
    },
    close: () => threads.close(),
  }
}

type ReadingFacts = Pick<ReadRequest, 'reading' | 'path' | 'offset' | 'length'>

function beginReading(threads: HashThreads, { reading, path, offset, length }: ReadingFacts): HashedRead {
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
      const reply = await threads.request({ ...request, isLast }, pin, signal)
      // A last block that was asked for and given up may never have reached the thread, which still has the file open.
      isOver ||= isLast
      assert(reply.block !== undefined, 'a block that is lent comes back')
      return { bytes: new Uint8Array(reply.block, 0, request.length), md5: isLast ? String(reply.value) : null }
    },
    end() {
      if (isOver || pin.thread === null) return
      threads.ask({ kind: 'leave', reading }, pin, NEVER).catch(() => undefined)
    },
  }
}

type StreamFacts = Omit<Extract<HashRequest, { kind: 'stream' }>, 'offset' | 'length'>

function openStream(threads: HashThreads, facts: StreamFacts): HashStream {
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

class HashThreads {
  readonly #maxThreads: number
  readonly #workerUrl: URL
  readonly #threads = new Set<Thread>()
  readonly #queue: Entry[] = []
  #asked = 0

  constructor(maxThreads: number, workerUrl: URL) {
    this.#maxThreads = maxThreads
    this.#workerUrl = workerUrl
  }

  async ask(request: HashRequest, pin: Pin | null, signal: AbortSignal): Promise<string | number | null> {
    return (await this.request(request, pin, signal)).value
  }

  async request(
    request: HashRequest,
    pin: Pin | null,
    signal: AbortSignal,
  ): Promise<Extract<HashReply, { kind: 'done' }>> {
    const reply = await this.#reply(request, pin, signal)
    if (reply.kind !== 'done') throw failureOf(reply)
    return reply
  }

  #reply(request: HashRequest, pin: Pin | null, signal: AbortSignal): Promise<HashReply> {
    return new Promise((resolve, reject) => {
      const abort = (): void => {
        this.#cancel(entry)
        reject(signal.reason as Error)
      }
      this.#asked += 1
      const entry: Entry = {
        id: this.#asked,
        request,
        pin,
        settle(reply) {
          signal.removeEventListener('abort', abort)
          resolve(reply)
        },
        fail(error) {
          signal.removeEventListener('abort', abort)
          reject(error)
        },
      }
      if (signal.aborted) {
        reject(signal.reason as Error)
        return
      }
      if (pin?.thread && !this.#threads.has(pin.thread)) {
        reject(new Error('The hash thread ended'))
        return
      }
      signal.addEventListener('abort', abort, { once: true })
      this.#queue.push(entry)
      this.#dispatch()
    })
  }

  async close(): Promise<void> {
    for (const entry of this.#queue.splice(0)) entry.fail(new Error('The hasher was closed'))
    await Promise.all([...this.#threads].map((thread) => thread.worker.terminate()))
  }

  /** First come first served; what is for a thread that is busy lets others pass. */
  #dispatch(): void {
    for (let index = 0; index < this.#queue.length;) {
      const entry = this.#queue[index]
      const thread = entry === undefined ? null : this.#threadFor(entry)
      if (entry === undefined || thread === null) {
        index += 1
        continue
      }
      this.#queue.splice(index, 1)
      const { id, request, pin } = entry
      thread.entries.set(id, entry)
      if (pin !== null) pin.thread = thread
      thread.worker.ref()
      send(thread, { kind: 'ask', id, request }, request.kind === 'read' ? [request.block] : [])
    }
  }

  /** Threads are filled before another is started: what is hashed side by side costs less. */
  #threadFor({ request, pin }: Entry): Thread | null {
    if (pin?.thread) return hasRoom(pin.thread, request) ? pin.thread : null
    const roomy = [...this.#threads].find((thread) => hasRoom(thread, request))
    if (roomy !== undefined) return roomy
    return this.#threads.size < this.#maxThreads ? this.#startThread() : null
  }

  #startThread(): Thread {
    const thread: Thread = { worker: new Worker(this.#workerUrl), entries: new Map() }
    thread.worker.on('message', ({ id, reply }: HashAnswer) => {
      const entry = thread.entries.get(id)
      thread.entries.delete(id)
      if (thread.entries.size === 0) thread.worker.unref()
      entry?.settle(reply)
      this.#dispatch()
    })
    thread.worker.on('error', (error) => {
      this.#drop(thread, error)
    })
    thread.worker.on('exit', () => {
      this.#drop(thread, new Error('The hash thread ended'))
    })
    this.#threads.add(thread)
    return thread
  }

  /** A thread that died fails what it had and what only it could do; the rest goes to another. */
  #drop(thread: Thread, error: unknown): void {
    const lost = [...thread.entries.values()]
    const failure = error instanceof Error ? error : new Error(String(error))
    this.#threads.delete(thread)
    thread.entries.clear()
    for (const entry of lost) entry.fail(failure)
    for (const orphan of this.#queue.filter(({ pin }) => pin?.thread === thread)) {
      this.#queue.splice(this.#queue.indexOf(orphan), 1)
      orphan.fail(failure)
    }
    this.#dispatch()
  }

  #cancel(entry: Entry): void {
    const position = this.#queue.indexOf(entry)
    if (position >= 0) this.#queue.splice(position, 1)
    const running = [...this.#threads].find((thread) => thread.entries.has(entry.id))
    if (running !== undefined) send(running, { kind: 'cancel', id: entry.id }, [])
  }
}

function send({ worker }: Thread, message: HashMessage, moved: ArrayBuffer[]): void {
  worker.postMessage(message, moved)
}

function hasRoom({ entries }: Thread, { kind }: HashRequest): boolean {
  const isSideBySide = SIDE_BY_SIDE.has(kind)
  const alike = [...entries.values()].filter(({ request }) => SIDE_BY_SIDE.has(request.kind) === isSideBySide)
  return alike.length < (isSideBySide ? MAX_SIDE_BY_SIDE : 1)
}

function failureOf(reply: Exclude<HashReply, { kind: 'done' }>): Error {
  if (reply.kind === 'canceled') return new Error('The hash was canceled')
  const error = new Error(reply.message)
  return reply.code === null ? error : Object.assign(error, { code: reply.code })
}
