import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Dispatcher } from 'undici'
import { HEADERS_TIMEOUT_MS, IDLE_TIMEOUT_MS } from '../../../shared/limits.ts'
import type { RequestBody } from '../object-store.ts'
import type { Connection, ConnectionPool } from './connection-pool.ts'
import { networkError } from './network-error.ts'
import { createBodyQueue, type BodyQueue } from './body-queue.ts'

export interface HttpRequest {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** Request target, percent-encoded, sent byte for byte. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array | RequestBody | undefined
  readonly onSent?: ((bytes: number) => void) | undefined
  /** Longest silence before the head of the answer, after the body's last byte left; default 30 s. */
  readonly headersTimeoutMs?: number | undefined
  /** Longest silence within the answer's body; default 15 s. Time in which nobody reads it does not count. */
  readonly idleTimeoutMs?: number | undefined
}

export interface HttpResponse {
  readonly status: number
  /** By lower-case name; repeated ones joined by `, `. */
  readonly headers: ReadonlyMap<string, string>
  /** To be read to its end or left, once. */
  readonly body: AsyncIterableIterator<Uint8Array>
}

/** Blocks handed to the connection at a time: small enough for a live count of what was sent. */
const SLICE_BYTES = 64 * 1024

/**
 * One HTTP request and its answer. `build` is called when a connection is free, so that a signature is as fresh as it
 * can be. Throws a StoreError (network or tls) when there is no answer, `signal.reason` when aborted, and what the
 * request's body throws. An abort, also one while the body is read, ends the connection at once.
 */
export async function exchange(
  pool: ConnectionPool,
  build: () => HttpRequest,
  signal: AbortSignal,
): Promise<HttpResponse> {
  const connection = await pool.acquire(signal)
  if (signal.aborted) {
    pool.release(connection)
    throw signal.reason
  }
  return new Promise((resolve, reject) => {
    try {
      const request = build()
      const handler = new Exchange(pool, connection, request, signal, resolve, reject)
      connection.client.dispatch(handler.options(), handler)
    } catch (error) {
      pool.destroy(connection)
      throw error
    }
  })
}

class Exchange implements Dispatcher.DispatchHandler {
  readonly #pool: ConnectionPool
  readonly #connection: Connection
  readonly #request: HttpRequest
  readonly #signal: AbortSignal
  readonly #resolve: (response: HttpResponse) => void
  readonly #reject: (error: Error) => void
  readonly #queue: BodyQueue
  readonly #onAbort = () => this.#fail(this.#signal.reason as Error)
  #controller: Dispatcher.DispatchController | null = null
  /** False until the request is handed to a live connection. */
  #wasSent = false
  #isOver = false

  constructor(
    pool: ConnectionPool,
    connection: Connection,
    request: HttpRequest,
    signal: AbortSignal,
    resolve: (response: HttpResponse) => void,
    reject: (error: Error) => void,
  ) {
    this.#pool = pool
    this.#connection = connection
    this.#request = request
    this.#signal = signal
    this.#resolve = resolve
    this.#reject = reject
    this.#queue = createBodyQueue(() => this.#fail(new Error('The answer was left')))
    signal.addEventListener('abort', this.#onAbort)
  }

  options(): Dispatcher.DispatchOptions {
    const { body, method, target, headers, headersTimeoutMs, idleTimeoutMs } = this.#request
    const options = {
      method,
      path: target,
      headersTimeout: headersTimeoutMs ?? HEADERS_TIMEOUT_MS,
      bodyTimeout: idleTimeoutMs ?? IDLE_TIMEOUT_MS,
    }
    if (body === undefined || body instanceof Uint8Array) return { ...options, headers, body: body ?? null }
    if (body.sizeBytes === 0) return { ...options, headers, body: null }
    return {
      ...options,
      headers: { ...headers, 'content-length': String(body.sizeBytes) },
      // undici takes async iterables, its types don't say so.
      body: this.#outgoing(body) as unknown as Uint8Array,
    }
  }

  onRequestStart(): void {
    this.#wasSent = true
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200 || this.#isOver) return
    this.#controller = controller
    this.#queue.attach(controller)
    this.#resolve({ status, headers: joinHeaders(headers), body: this.#queue.iterator })
  }

  onResponseData(_controller: Dispatcher.DispatchController, bytes: Buffer): void {
    if (!this.#isOver) this.#queue.push(bytes)
  }

  onResponseEnd(): void {
    if (this.#isOver) return
    this.#settle()
    this.#queue.end()
    // After an answer that came in the middle of its request, undici connects anew.
    this.#pool.release(this.#connection)
  }

  onResponseError(_controller: Dispatcher.DispatchController, cause: Error): void {
    // After a body that was told to stop, `cause` is the reason that it threw, which need not be an Error.
    if (!this.#isOver) this.#fail(networkError(cause, this.#wasSent))
  }

  #fail(error: Error): void {
    if (this.#isOver) return
    this.#settle()
    // undici ends the process when a connection that is to close is cut while its reading is held back.
    this.#controller?.resume()
    this.#pool.destroy(this.#connection)
    this.#reject(error)
    this.#queue.fail(error)
  }

  #settle(): void {
    this.#isOver = true
    this.#signal.removeEventListener('abort', this.#onAbort)
  }

  async *#outgoing(body: RequestBody): AsyncGenerator<Uint8Array> {
    let sentBytes = 0
    try {
      for await (const bytes of body.open()) {
        for (let start = 0; start < bytes.length; start += SLICE_BYTES) {
          const slice = bytes.subarray(start, start + SLICE_BYTES)
          if (sentBytes + slice.length > body.sizeBytes) throw wrongSize('more', body.sizeBytes)
          // Lets an early answer be read before the next write fails on the connection that it closed.
          await nextTurn()
          if (this.#isOver) return
          yield slice
          // Asked for the next one: the connection has taken this one.
          sentBytes += slice.length
          this.#request.onSent?.(slice.length)
        }
      }
      if (sentBytes < body.sizeBytes) throw wrongSize('fewer', body.sizeBytes)
    } catch (error) {
      this.#fail(error as Error)
      throw error
    }
  }
}

function wrongSize(how: 'more' | 'fewer', sizeBytes: number): Error {
  return Object.assign(new Error(`The body has ${how} bytes than its ${sizeBytes}`), { code: 'ESHORTREAD' })
}

function joinHeaders(headers: Record<string, string | string[] | undefined>): ReadonlyMap<string, string> {
  return new Map(Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]))
}
