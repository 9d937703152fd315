import type { Worker } from 'node:worker_threads'
import { lacksDescriptor } from '../../errno/descriptors.ts'
import { errnoCode } from '../../errno/errno.ts'
import { startThread } from '../async/start-thread.ts'
import type { HashAnswer, HashMessage, HashReply, HashRequest } from './hash-messages.ts'

/** A request waiting for a thread, or being answered by one. */
interface Entry {
  readonly id: number
  readonly request: HashRequest
  /** Requests of a stream go to the thread that has the stream. */
  readonly pin: Pin | null
  readonly settle: (reply: HashReply) => void
  readonly fail: (error: Error) => void
}

/** The thread of a stream, chosen with its first range. */
export interface Pin {
  thread: Thread | null
}

interface Thread {
  readonly worker: Worker
  /** The requests that it is answering, by number. */
  readonly entries: Map<number, Entry>
}

/** A thread answers up to `MAX_SIDE_BY_SIDE` requests of these kinds at a time, which is quicker than one by one. */
const SIDE_BY_SIDE = new Set<HashRequest['kind']>(['md5', 'read', 'leave'])
const MAX_SIDE_BY_SIDE = 16

/** A thread needs some descriptors to start. If there are none, they are waited for: so long, so many times. */
const START_AGAIN_MS = 100
const MAX_VAIN_STARTS = 600

/** Threads that answer requests, first come first served. Idle ones don't keep the process alive. */
export class HashThreads {
  readonly #maxThreads: number
  readonly #workerUrl: URL
  readonly #threads = new Set<Thread>()
  readonly #queue: Entry[] = []
  #asked = 0
  /** Threads that could not start, since one last answered. */
  #vainStarts = 0
  /** Set while no thread is started because the last one could not. */
  #pause: NodeJS.Timeout | null = null

  constructor(maxThreads: number, workerUrl: URL) {
    this.#maxThreads = maxThreads
    this.#workerUrl = workerUrl
  }

  /**
   * Throws what the request fails with, file errors with the code that Node gives them, and the reason of `signal`. A
   * block that was given up may still be filled. Requests for a pinned thread that has ended fail.
   */
  async ask(request: HashRequest, pin: Pin | null, signal: AbortSignal): Promise<string | number | null> {
    const reply = await this.#reply(request, pin, signal)
    if (reply.kind !== 'done') throw failureOf(reply)
    return reply.value
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

  /**
   * Ends the threads, whatever they are doing: all their requests fail. One that hangs in the file system ends once that
   * answers, and is not waited for.
   */
  async close(): Promise<void> {
    for (const entry of this.#queue.splice(0)) entry.fail(new Error('The hasher was closed'))
    if (this.#pause !== null) clearTimeout(this.#pause)
    const ending = [...this.#threads].map(async ({ worker, entries }) => {
      const ended = worker.terminate()
      if (entries.size === 0) await ended
    })
    await Promise.all(ending)
  }

  /** First come, first served; a request for a busy thread lets others pass. */
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
      send(thread, { kind: 'ask', id, request })
    }
  }

  /** Fills threads before it starts another: hashing side by side costs less. */
  #threadFor({ request, pin }: Entry): Thread | null {
    if (pin?.thread) return hasRoom(pin.thread, request) ? pin.thread : null
    const roomy = [...this.#threads].find((thread) => hasRoom(thread, request))
    if (roomy !== undefined) return roomy
    return this.#threads.size < this.#maxThreads && this.#pause === null ? this.#startThread() : null
  }

  #startThread(): Thread {
    const thread: Thread = { worker: startThread(this.#workerUrl), entries: new Map() }
    thread.worker.on('message', ({ id, reply }: HashAnswer) => {
      const entry = thread.entries.get(id)
      thread.entries.delete(id)
      this.#vainStarts = 0
      if (thread.entries.size === 0) thread.worker.unref()
      entry?.settle(reply)
      this.#dispatch()
    })
    thread.worker.on('error', (error) => {
      if (couldNotStart(error) && this.#vainStarts < MAX_VAIN_STARTS) this.#postpone(thread)
      else this.#drop(thread, error)
    })
    thread.worker.on('exit', () => {
      this.#drop(thread, new Error('The hash thread ended'))
    })
    this.#threads.add(thread)
    return thread
  }

  /** Gives the requests of a thread that could not start to others, or to one that is started later. */
  #postpone(thread: Thread): void {
    const asked = [...thread.entries.values()]
    this.#threads.delete(thread)
    thread.entries.clear()
    this.#queue.unshift(...asked)
    for (const { pin } of this.#queue) if (pin?.thread === thread) pin.thread = null
    this.#vainStarts += 1
    this.#pause ??= setTimeout(() => {
      this.#pause = null
      this.#dispatch()
    }, START_AGAIN_MS)
  }

  /** Fails the requests that a dead thread had and those that only it could answer; the rest go to other threads. */
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
    if (running !== undefined) send(running, { kind: 'cancel', id: entry.id })
  }
}

/** Whether Node had no descriptors for a thread, in the words of libuv, or for the thread's file. */
function couldNotStart(error: unknown): boolean {
  if (lacksDescriptor(error)) return true
  return errnoCode(error) === 'ERR_WORKER_INIT_FAILED' && /\b(?:EMFILE|ENFILE)\b/.test(String(error))
}

function send({ worker }: Thread, message: HashMessage): void {
  worker.postMessage(message)
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
