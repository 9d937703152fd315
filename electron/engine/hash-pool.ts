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
  readonly fail: (error: unknown) => void
}

interface Thread {
  readonly worker: Worker
  entry: Entry | null
}

/** Hashes ranges of files in worker threads, first come first served. Idle threads don't keep the process alive. */
export function createHasher(options: HasherOptions = {}): Hasher {
  const maxThreads = options.workers ?? Math.max(1, Math.min(4, availableParallelism() - 1))
  const workerUrl = options.workerUrl ?? builtWorkerUrl()
  const threads = new Set<Thread>()
  const queue: Entry[] = []

  function startThread(): Thread {
    const thread: Thread = { worker: new Worker(workerUrl), entry: null }
    thread.worker.on('message', (reply: HashReply) => {
      const entry = thread.entry
      thread.entry = null
      thread.worker.unref()
      entry?.settle(reply)
      dispatch()
    })
    const drop = (error: unknown): void => {
      threads.delete(thread)
      const entry = thread.entry
      thread.entry = null
      entry?.fail(error)
      dispatch()
    }
    thread.worker.on('error', drop)
    thread.worker.on('exit', () => drop(new Error('The hash thread ended')))
    threads.add(thread)
    return thread
  }

  function dispatch(): void {
    while (queue.length > 0) {
      const idle = [...threads].find((thread) => thread.entry === null)
      if (idle === undefined && threads.size >= maxThreads) return
      const entry = queue.shift()
      if (entry === undefined) return
      const thread = idle ?? startThread()
      thread.entry = entry
      thread.worker.ref()
      thread.worker.postMessage(entry.request)
    }
  }

  function cancel(entry: Entry): void {
    const position = queue.indexOf(entry)
    if (position >= 0) queue.splice(position, 1)
    const running = [...threads].find((thread) => thread.entry === entry)
    running?.worker.postMessage({ kind: 'cancel' } satisfies HashCancel)
  }

  function hash(request: HashRequest, signal: AbortSignal): Promise<HashReply> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason as Error)
        return
      }
      const entry: Entry = {
        request,
        settle(reply) {
          signal.removeEventListener('abort', abort)
          resolve(reply)
        },
        fail(error) {
          signal.removeEventListener('abort', abort)
          reject(error as Error)
        },
      }
      function abort(): void {
        cancel(entry)
        reject(signal.reason as Error)
      }
      signal.addEventListener('abort', abort, { once: true })
      queue.push(entry)
      dispatch()
    })
  }

  return {
    async md5(path, offset, length, signal) {
      const reply = await hash({ kind: 'hash', algorithm: 'md5', path, offset, length }, signal)
      if (reply.kind !== 'md5') throw failureOf(reply)
      return reply.value
    },
    async crc32(path, offset, length, signal) {
      const reply = await hash({ kind: 'hash', algorithm: 'crc32', path, offset, length }, signal)
      if (reply.kind !== 'crc32') throw failureOf(reply)
      return reply.value
    },
    async close() {
      for (const entry of queue.splice(0)) entry.fail(new Error('The hasher was closed'))
      await Promise.all([...threads].map((thread) => thread.worker.terminate()))
    },
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
