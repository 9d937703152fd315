import type { Worker } from 'node:worker_threads'
import { startThread } from '../async/start-thread.ts'

interface Numbered {
  readonly id: number
}

/** From now on, memory number `memory` is `buffer`. */
export interface ShareRequest {
  readonly kind: 'share'
  readonly memory: number
  readonly buffer: SharedArrayBuffer
}

interface Waiting<Reply> {
  readonly resolve: (reply: Reply) => void
  readonly reject: (reason: unknown) => void
}

type WithoutId<Request> = Request extends unknown ? Omit<Request, 'id'> : never

/** Threads for small files produce little garbage; Node's default would give each three times as much room for it. */
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 6 } as const

/** A thread that answers numbered requests, in any order. When it ends, unanswered and all later requests fail. */
export class WorkerClient<Request extends Numbered, Reply extends Numbered> {
  readonly #worker: Worker
  readonly #waiting = new Map<number, Waiting<Reply>>()
  #lastId = 0
  #death: Error | null = null

  /** Starts the thread. `does` says what it does in the words of an error, such as `writes files`. */
  constructor(url: URL, workerData: unknown, does: string) {
    this.#worker = startThread(url, { workerData, resourceLimits: RESOURCE_LIMITS })
    this.#worker.on('message', (reply: Reply) => {
      this.#waiting.get(reply.id)?.resolve(reply)
      this.#waiting.delete(reply.id)
    })
    this.#worker.on('error', (reason) => {
      this.#die(reason instanceof Error ? reason : new Error(String(reason)))
    })
    this.#worker.on('exit', () => {
      this.#die(this.#death ?? new Error(`The thread that ${does} ended`))
    })
  }

  ask(request: WithoutId<Request>): Promise<Reply> {
    return new Promise((resolve, reject) => {
      if (this.#death !== null) return reject(this.#death)
      this.#lastId += 1
      this.#waiting.set(this.#lastId, { resolve, reject })
      this.#worker.postMessage({ ...request, id: this.#lastId })
    })
  }

  /** Shares memory once: sending it along with each small file would cost more than copying or reading the file. */
  share(memory: number, buffer: SharedArrayBuffer): void {
    if (this.#death !== null) return
    this.#worker.postMessage({ id: 0, kind: 'share', memory, buffer } satisfies ShareRequest & Numbered)
  }

  /** Whether the thread still has requests to answer. */
  get isAsked(): boolean {
    return this.#waiting.size > 0
  }

  async terminate(): Promise<void> {
    await this.#worker.terminate()
  }

  #die(reason: Error): void {
    this.#death = reason
    for (const { reject } of this.#waiting.values()) reject(reason)
    this.#waiting.clear()
  }
}
