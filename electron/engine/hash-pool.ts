import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Hasher } from './deps.ts'
import type { HashCancel, HashReply, HashRequest } from './hash-worker.ts'

export interface HasherOptions {
  /** Threads, 1 or more; started when first needed. Left out: one less than the processors, 4 at most. */
  readonly workers?: number
  /** Where the built `hash-worker.js` is; left out: beside the built file that this one is part of. */
  readonly workerUrl?: URL
}

/** A range waiting for a thread, or being hashed by one. */
interface Entry {
  readonly request: HashRequest
  readonly settle: (reply: HashReply) => void
  readonly fail: (error: Error) => void
}

interface Thread {
  readonly worker: Worker
  entry: Entry | null
}

/** Hashes ranges of files in worker threads, first come first served. Idle threads don't keep the process alive. */
export function createHasher(options: HasherOptions = {}): Hasher {
  const maxThreads = options.workers ?? Math.max(1, Math.min(4, availableParallelism() - 1))
  const threads = new HashThreads(maxThreads, options.workerUrl ?? builtWorkerUrl())
  return {
    async md5(path, offset, length, signal) {
      const reply = await threads.hash({ kind: 'hash', algorithm: 'md5', path, offset, length }, signal)
      if (reply.kind !== 'md5') throw failureOf(reply)
      return reply.value
    },
    async crc32(path, offset, length, signal) {
      const reply = await threads.hash({ kind: 'hash', algorithm: 'crc32', path, offset, length }, signal)
      if (reply.kind !== 'crc32') throw failureOf(reply)
      return reply.value
    },
    close: () => threads.close(),
  }
}

class HashThreads {
  readonly #maxThreads: number
  readonly #workerUrl: URL
  readonly #threads = new Set<Thread>()
  readonly #queue: Entry[] = []

  constructor(maxThreads: number, workerUrl: URL) {
    this.#maxThreads = maxThreads
    this.#workerUrl = workerUrl
  }

  hash(request: HashRequest, signal: AbortSignal): Promise<HashReply> {
    return new Promise((resolve, reject) => {
      const abort = (): void => {
        this.#cancel(entry)
        reject(signal.reason as Error)
      }
      const entry: Entry = {
        request,
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
      signal.addEventListener('abort', abort, { once: true })
      this.#queue.push(entry)
      this.#dispatch()
    })
  }

  async close(): Promise<void> {
    for (const entry of this.#queue.splice(0)) entry.fail(new Error('The hasher was closed'))
    await Promise.all([...this.#threads].map((thread) => thread.worker.terminate()))
  }

  #dispatch(): void {
    while (this.#queue.length > 0) {
      const idle = [...this.#threads].find((thread) => thread.entry === null)
      if (idle === undefined && this.#threads.size >= this.#maxThreads) return
      const entry = this.#queue.shift()
      if (entry === undefined) return
      const thread = idle ?? this.#startThread()
      thread.entry = entry
      thread.worker.ref()
      thread.worker.postMessage(entry.request)
    }
  }

  #startThread(): Thread {
    const thread: Thread = { worker: new Worker(this.#workerUrl), entry: null }
    thread.worker.on('message', (reply: HashReply) => {
      const { entry } = thread
      thread.entry = null
      thread.worker.unref()
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

  /** A thread that died fails what it had; what waits goes to another. */
  #drop(thread: Thread, error: unknown): void {
    const { entry } = thread
    this.#threads.delete(thread)
    thread.entry = null
    entry?.fail(error instanceof Error ? error : new Error(String(error)))
    this.#dispatch()
  }

  #cancel(entry: Entry): void {
    const position = this.#queue.indexOf(entry)
    if (position >= 0) this.#queue.splice(position, 1)
    const running = [...this.#threads].find((thread) => thread.entry === entry)
    running?.worker.postMessage({ kind: 'cancel' } satisfies HashCancel)
  }
}

function failureOf(reply: HashReply): Error {
  if (reply.kind !== 'failed') return new Error(`The hash thread answered ${reply.kind}`)
  const error = new Error(reply.message)
  return reply.code === null ? error : Object.assign(error, { code: reply.code })
}

/** In a package the file lies beside the archive: a thread can't be started from inside it. */
function builtWorkerUrl(): URL {
  const url = new URL('./hash-worker.js', import.meta.url)
  return new URL(url.href.replace('app.asar/', 'app.asar.unpacked/'))
}
