import { setMaxListeners } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  BODY_TIMEOUT_MS,
  CONNECT_TIMEOUT_MS,
  HEADERS_TIMEOUT_MS,
  IDLE_TIMEOUT_MS,
  SILENCE_TOLD_MS,
  TRICKLE_BYTES,
  TRICKLE_TIMEOUT_MS,
} from '../../../shared/limits.ts'
import type { RequestBody } from '../port/object-store.ts'
import { STORE_ERROR, StoreError } from '../port/store-error.ts'
import { ResponseReader } from './wire/response-reader.ts'
import { BodyBlocks, type BodySource } from './wire/body-blocks.ts'
import type { Connection, ConnectionUser } from './connection.ts'
import { MAX_IDLE_MS, TICK_MS, type ConnectionPool } from './connection-pool.ts'
import { keepAliveMs } from './wire/head-parser.ts'
import type { HttpRequest, HttpResponse } from './wire/http-types.ts'
import { ConnectionError, networkError } from './wire/network-error.ts'
import { formatRequestHead } from './wire/request-head.ts'
import { SMALL_RESPONSE_BYTES } from './reuse-policy.ts'
import { signInNeeded } from './tunnel.ts'

export type { HttpRequest, HttpResponse } from './wire/http-types.ts'

/** How much goes to the connection at a time: large slices save calls on a fast one, small ones keep the count live. */
const MIN_SLICE_BYTES = 64 * 1024
const MAX_SLICE_BYTES = 1024 * 1024
const QUICK_MS = 20

/**
 * Performs one HTTP request and returns its response. Calls `build` when a connection is free, to keep the signature as
 * fresh as possible, and again when a kept connection turns out to be dead and the request is safe to repeat. Throws a
 * StoreError (network or tls) when no response comes, `signal.reason` when aborted, and whatever the request's body
 * throws. An abort, even while the body is read, ends the connection at once. Only an upload that the system has
 * already accepted as a whole still goes on the wire: it may arrive, and be found when the transfer goes on.
 */
export async function exchange(
  pool: ConnectionPool,
  build: () => HttpRequest,
  signal: AbortSignal,
): Promise<HttpResponse> {
  // One signal may end many requests, and Node reports more than ten listeners as a leak.
  setMaxListeners(0, signal)
  const response = await tryOnce(pool, await pool.acquire(signal), build, signal)
  if (response !== null) return response
  const second = await tryOnce(pool, await pool.acquire(signal, true), build, signal)
  if (second === null) throw new Error('A new connection can’t have been closed before its first request')
  return second
}

/** Resolves to null when the connection had been closed before the request arrived and the request may be repeated. */
function tryOnce(
  pool: ConnectionPool,
  connection: Connection,
  build: () => HttpRequest,
  signal: AbortSignal,
): Promise<HttpResponse | null> {
  return new Promise((resolve, reject) => {
    try {
      signal.throwIfAborted()
      connection.use(new Exchange(pool, connection, build(), signal, resolve, reject))
    } catch (error) {
      pool.release(connection)
      throw error
    }
  })
}

class Exchange implements ConnectionUser, BodySource {
  readonly #pool: ConnectionPool
  readonly #connection: Connection
  readonly #request: HttpRequest
  readonly #head: string
  readonly #signal: AbortSignal
  readonly #resolve: (response: HttpResponse | null) => void
  readonly #reject: (error: Error) => void
  readonly #body: BodyBlocks
  readonly #response: ResponseReader
  readonly #onAbort = () => this.#aborted(this.#signal.reason as Error)
  #isConnected = false
  /** Something may have reached the service. */
  #isBegun = false
  #isSent = false
  #hasResponseBegun = false
  /** When the head had arrived but not the whole body, by `performance.now()`. */
  #headMs: number | null = null
  #isClosed = false
  #isOver = false
  /** How long the service has been silent while it was its turn. */
  #silentMs = 0
  /** Bytes of the response since it was last found fast enough, and the time spent waiting for them. */
  #receivedBytes = 0
  #receivingMs = 0

  constructor(
    pool: ConnectionPool,
    connection: Connection,
    request: HttpRequest,
    signal: AbortSignal,
    resolve: (response: HttpResponse | null) => void,
    reject: (error: Error) => void,
  ) {
    this.#pool = pool
    this.#connection = connection
    this.#request = request
    this.#head = formatRequestHead(request, pool.host, connection.proxy)
    this.#signal = signal
    this.#resolve = resolve
    this.#reject = reject
    this.#body = new BodyBlocks(pool.blocks, this)
    this.#response = new ResponseReader(connection.received, this.#body, request.method, ({ status, headers }) => {
      if (status === 407 && connection.proxy !== null) this.#fail(signInNeeded(connection.proxy, headers))
      else resolve({ status, headers, body: this.#body })
    })
    signal.addEventListener('abort', this.#onAbort)
  }

  connected(): void {
    this.#isConnected = true
    this.#silentMs = 0
    const { body } = this.#request
    if (isStreamed(body)) {
      void this.#send(body)
      return
    }
    this.#isBegun = this.#isSent = true
    this.#connection.write(this.#head, body instanceof Uint8Array ? body : undefined)
  }

  space(): Uint8Array {
    return this.#response.space()
  }

  filled(byteCount: number): boolean {
    this.#silentMs = 0
    this.#hasResponseBegun = true
    this.#receivedBytes += byteCount
    try {
      this.#response.filled(byteCount)
    } catch (error) {
      this.#fail(this.#lost(error as Error))
    }
    if (this.#response.isComplete) this.#complete()
    else if (this.#headMs === null && this.#response.head !== null) this.#headMs = performance.now()
    // After the response, reading continues regardless of the body's room, to notice when the connection closes.
    return this.#isOver || this.#body.hasRoom
  }

  closed(error: Error | null): void {
    this.#isClosed = true
    const isRepeatable = this.#request.method === 'GET' || this.#request.method === 'HEAD'
    if (this.#connection.isKept && !this.#hasResponseBegun && isRepeatable) {
      this.#settle()
      this.#pool.destroy(this.#connection)
      this.#resolve(null)
    } else if (error !== null) this.#fail(this.#lost(error))
    else this.#ended()
  }

  tick(): void {
    this.#body.tick()
    if (!this.#isTheirTurn()) return
    this.#silentMs += TICK_MS
    this.#tellSilence()
    const {
      headersTimeoutMs = isStreamed(this.#request.body) ? BODY_TIMEOUT_MS : HEADERS_TIMEOUT_MS,
      idleTimeoutMs = IDLE_TIMEOUT_MS,
    } = this.#request
    if (!this.#isConnected) this.#giveUp('CONNECT_TIMEOUT', CONNECT_TIMEOUT_MS, this.#silentMs)
    else if (this.#response.head === null) this.#giveUp('NO_ANSWER', headersTimeoutMs, this.#silentMs)
    else this.#giveUp('ANSWER_STALLED', idleTimeoutMs, this.#silentMs)
    if (this.#hasResponseBegun) this.#refuseTrickle(this.#response.head === null ? headersTimeoutMs : idleTimeoutMs)
  }

  /** Skips uploads of file bytes and requests that are given longer to answer: those are known to take their time. */
  #tellSilence(): void {
    const { body, headersTimeoutMs } = this.#request
    if (this.#response.head !== null || isStreamed(body) || headersTimeoutMs !== undefined) return
    const isNow = this.#silentMs >= SILENCE_TOLD_MS && this.#silentMs - TICK_MS < SILENCE_TOLD_MS
    if (isNow) this.#connection.destination.network.unanswered?.(this.#pool.host)
  }

  /** A byte now and then would hold a response forever. A response that may be silent for long may trickle as long. */
  #refuseTrickle(silenceMs: number): void {
    this.#receivingMs += TICK_MS
    const limitMs = Math.max(TRICKLE_TIMEOUT_MS, silenceMs)
    if (this.#receivingMs <= limitMs) return
    if (this.#receivedBytes < TRICKLE_BYTES) this.#giveUp('ANSWER_STALLED', limitMs, this.#receivingMs)
    this.#receivedBytes = this.#receivingMs = 0
  }

  drained(): void {
    if (this.#isOver) return
    try {
      this.#response.advance()
    } catch (error) {
      this.#fail(this.#lost(error as Error))
    }
    if (this.#response.isComplete) this.#complete()
    else if (this.#isClosed) this.#ended()
    else if (this.#body.hasRoom) this.#connection.resume()
  }

  left(): void {
    this.#fail(new Error('The response was abandoned'))
  }

  #isTheirTurn(): boolean {
    if (!this.#isConnected) return true
    if (this.#response.head === null) return this.#isSent || this.#connection.isSending
    return this.#body.isAwaited
  }

  #giveUp(code: 'CONNECT_TIMEOUT' | 'NO_ANSWER' | 'ANSWER_STALLED', limitMs: number, waitedMs: number): void {
    if (waitedMs <= limitMs) return
    this.#connection.doubt()
    const error = this.#connection.explain(new ConnectionError(code, `${limitMs / 1000} s passed`))
    this.#fail(this.#lost(error))
  }

  /** The other side has closed the connection; what it sent before may still be waiting for room. */
  #ended(): void {
    if (!this.#body.hasRoom) return
    try {
      this.#response.ended()
      this.#complete()
    } catch (error) {
      this.#fail(this.#lost(error as Error))
    }
  }

  #complete(): void {
    const { head, isExcessive } = this.#response
    if (this.#isOver || head === null) return
    this.#settle()
    this.#connection.idleMs = keepAliveMs(head, MAX_IDLE_MS)
    const isReusable = this.#isSent && !this.#isClosed && !isExcessive && this.#connection.idleMs > 0
    if (isReusable && this.#isWorthKeeping()) {
      this.#connection.rest()
      this.#pool.release(this.#connection)
    } else this.#pool.destroy(this.#connection)
    this.#body.end()
  }

  #isWorthKeeping(): boolean {
    // The connection has grown fast from sending the request's body, which makes it worth keeping.
    const { sizeBytes } = this.#response
    if (sizeBytes > SMALL_RESPONSE_BYTES || this.#request.body !== undefined) return true
    const { isKept, connectMs } = this.#connection
    const waitMs = this.#headMs === null ? 0 : performance.now() - this.#headMs
    return this.#pool.reuse.isWorthKeeping({ isKept, connectMs, waitMs: sizeBytes === 0 ? null : waitMs })
  }

  #fail(error: Error): void {
    if (this.#isOver) return
    this.#settle()
    this.#pool.destroy(this.#connection)
    this.#reject(error)
    this.#body.fail(error)
  }

  #aborted(reason: Error): void {
    if (this.#isOver) return
    // Whoever watches the body has found that it stands still.
    if (reason instanceof StoreError && reason.code === STORE_ERROR.network) this.#connection.doubt()
    const isWhole = this.#isSent && isStreamed(this.#request.body) && !this.#connection.isSending
    if (isWhole && this.#response.head === null) this.#pool.abandon(this.#connection)
    this.#fail(reason)
  }

  #lost(error: Error): Error {
    const hasReceived = this.#hasResponseBegun || this.#connection.isKept
    return networkError(error, this.#pool.host, { wasSent: this.#isBegun, hasReceived })
  }

  #settle(): void {
    this.#isOver = true
    this.#signal.removeEventListener('abort', this.#onAbort)
  }

  /** Sends until everything is sent, or until the response begins early. */
  async #send(body: RequestBody): Promise<void> {
    try {
      let sentBytes = 0
      let sliceBytes = MIN_SLICE_BYTES
      for await (const bytes of body.open()) {
        for (let start = 0; start < bytes.length;) {
          const slice = bytes.subarray(start, start + sliceBytes)
          if (sentBytes + slice.length > body.sizeBytes) throw wrongSize('more', body.sizeBytes)
          // Lets an early response be read before the next write fails on the connection that the response closed.
          await nextTurn()
          if (this.#isOver || this.#response.head !== null) return
          const startedMs = performance.now()
          await this.#write(sentBytes === 0 ? this.#head : '', slice)
          const isQuick = performance.now() - startedMs < QUICK_MS
          sliceBytes = isQuick ? Math.min(2 * sliceBytes, MAX_SLICE_BYTES) : MIN_SLICE_BYTES
          start += slice.length
          sentBytes += slice.length
          this.#request.onSent?.(slice.length)
        }
      }
      if (sentBytes < body.sizeBytes) throw wrongSize('fewer', body.sizeBytes)
      this.#isSent = true
    } catch (error) {
      this.#fail(error as Error)
    }
  }

  #write(text: string, bytes: Uint8Array): Promise<void> {
    this.#isBegun = true
    return new Promise((resolve) => {
      this.#connection.write(text, bytes, () => {
        this.#silentMs = 0
        resolve()
      })
    })
  }
}

/** True for a body of file bytes, whose sender knows how long the line may be silent. */
function isStreamed(body: HttpRequest['body']): body is RequestBody {
  return body !== undefined && !(body instanceof Uint8Array) && body.sizeBytes > 0
}

function wrongSize(how: 'more' | 'fewer', sizeBytes: number): Error {
  return Object.assign(new Error(`The body has ${how} bytes than the announced ${sizeBytes}`), { code: 'ESHORTREAD' })
}
