import { STORE_ERROR, StoreError } from '../../../electron/stores/port/store-error.ts'
import { IDLE_TIMEOUT_MS } from '../../../shared/limits.ts'
import type { WatchedResponse } from './download-account.ts'
import type { Flow } from '../line/line.ts'
import type { SimStoreParts } from '../sim-parts.ts'
import { waitFor, type Waiter } from '../machine/sim-wait.ts'

const MAX_BLOCK_BYTES = 2048
/** What arrives before the reader asks for it: beyond this the far end waits. */
const WINDOW_BYTES = 2048
/** Comes before the body. */
const HEAD_BYTES = 1
/** What a block becomes when its time is over. */
const POISON = 0xa5
/** Why nobody waits for a block any longer. */
const LEFT = new Error('The body was left')

/** Bytes and what becomes of them on their way; offsets count from the first of them. */
export interface Transmission {
  readonly key: string
  readonly bytes: Buffer
  readonly breaksAt: number | null
  readonly stallsAt: number | null
  /** Sent after the last byte. */
  readonly surplusBytes: number
}

type BodyParts = Pick<SimStoreParts, 'process' | 'random' | 'rules' | 'line' | 'timeline'>

/**
 * A body as the client gives it. A block is valid until the next one is asked for or the body is left: then its buffer
 * is overwritten, so that nobody can keep it by accident.
 */
export class SimBody implements AsyncIterable<Uint8Array>, AsyncIterator<Uint8Array, undefined> {
  readonly #parts: BodyParts
  readonly #plan: Transmission
  readonly #flow: Flow
  readonly #watched: WatchedResponse
  readonly #signal: AbortSignal
  readonly #onEnd: () => void
  /** How far the far end, the line and the reader are. */
  #written = 0
  #arrived = -HEAD_BYTES
  #position = 0
  #waiter: (Waiter & { readonly told: string }) | null = null
  #giveUpAtMs = 0
  #isWatched = false
  #block: Buffer | null = null
  #isReading = false
  #isOver = false
  #isCrawling = false
  readonly #ended = new AbortController()

  /** @param bytesPerSecond what the service gives on this connection. */
  constructor(
    parts: BodyParts,
    plan: Transmission,
    bytesPerSecond: number,
    watched: WatchedResponse,
    signal: AbortSignal,
    onEnd: () => void,
  ) {
    this.#parts = parts
    this.#plan = plan
    this.#watched = watched
    this.#signal = signal
    this.#onEnd = onEnd
    this.#flow = parts.line.down.open((bytes) => this.#arrive(bytes), bytesPerSecond)
    signal.addEventListener('abort', this.#abort, { once: true })
    this.#flow.write(HEAD_BYTES)
    this.#feed()
  }

  /** Resolves when the head of the answer has come; gives up after `limitMs`. */
  async answered(limitMs: number): Promise<void> {
    try {
      if (this.#arrived < 0) await this.#arrival(limitMs, 'No answer in time')
    } catch (failure) {
      this.#end('world')
      throw failure
    }
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async next(): Promise<IteratorResult<Uint8Array, undefined>> {
    if (this.#isReading) this.#parts.rules.violated('A body was asked for two blocks at a time')
    this.#isReading = true
    this.#spoil()
    try {
      const block = await this.#receive()
      if (block === null) this.#end('read')
      return block === null ? { done: true, value: undefined } : { done: false, value: (this.#block = block) }
    } catch (failure) {
      this.#end('world')
      if (failure === LEFT) return { done: true, value: undefined }
      throw failure
    } finally {
      this.#isReading = false
    }
  }

  return(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.#spoil()
    this.#end('left')
    this.#ended.abort(LEFT)
    return Promise.resolve({ done: true, value: undefined })
  }

  /** The connection is cut. */
  reset(): void {
    this.#flow.cut()
    this.#watched.ended('world')
    this.#ended.abort(networkError('Connections were dropped'))
  }

  /** The connection falls to a crawl for good. */
  crawl(): void {
    this.#isCrawling = true
    this.#flow.crawl()
  }

  /** The program is gone. */
  forget(): void {
    this.#flow.leave()
  }

  async #receive(): Promise<Buffer | null> {
    const { random, rules } = this.#parts
    const { key, bytes, breaksAt, stallsAt } = this.#plan
    this.#signal.throwIfAborted()
    if (this.#isOver) return null
    const start = this.#position
    if (stallsAt !== null && start >= stallsAt) {
      await this.#sleep(IDLE_TIMEOUT_MS)
      throw networkError('No bytes for a while')
    }
    if (breaksAt !== null && start >= breaksAt) throw networkError('The connection broke')
    if (start >= this.#length) return null
    if (this.#arrived === start) await this.#arrival(IDLE_TIMEOUT_MS, 'No bytes for a while')
    const block = Buffer.alloc(Math.min(this.#arrived - start, random.below(MAX_BLOCK_BYTES) + 1), 'surplus')
    block.set(bytes.subarray(start, start + block.length))
    this.#position += block.length
    this.#feed()
    this.#watched.handed(block.length)
    rules.delivered(key, block.length)
    return block
  }

  /** The far end sends as much as buffers have room for, up to where it breaks off or falls silent. */
  #feed(): void {
    const { breaksAt, stallsAt } = this.#plan
    const end = Math.min(breaksAt ?? Infinity, stallsAt ?? Infinity, this.#length)
    const { down } = this.#parts.line
    const { bufferBytes } = down.terms
    while (this.#written < Math.min(end, this.#position + WINDOW_BYTES + bufferBytes)) {
      const bytes = Math.min(down.quantumBytes, end - this.#written)
      this.#written += bytes
      this.#flow.write(bytes)
    }
  }

  #arrive(bytes: number): void {
    this.#arrived += bytes
    const ofBody = Math.min(bytes, this.#arrived)
    if (ofBody > 0) this.#watched.carried(ofBody)
    this.#waiter?.done()
    this.#waiter = null
  }

  /** Resolves when something comes; gives up after `limitMs` without anything. */
  #arrival(limitMs: number, told: string): Promise<void> {
    this.#giveUpAtMs = this.#parts.timeline.nowMs + limitMs
    this.#watch()
    return waitFor(this.#parts.process, this.#ended.signal, (waiter) => {
      this.#waiter = { ...waiter, told }
    })
  }

  /** One look at a time, however often somebody waits. */
  #watch(): void {
    const { timeline } = this.#parts
    if (this.#isWatched) return
    this.#isWatched = true
    timeline.at(this.#giveUpAtMs - timeline.nowMs, () => {
      this.#isWatched = false
      const waiter = this.#waiter
      if (this.#isOver || waiter === null) return
      // Sums of times are not exact.
      if (timeline.nowMs < this.#giveUpAtMs - 1) return this.#watch()
      this.#waiter = null
      this.#end('timeout')
      waiter.failed(networkError(waiter.told))
    })
  }

  async #sleep(delayMs: number): Promise<void> {
    await this.#parts.process.sleep(delayMs, this.#ended.signal)
  }

  get #length(): number {
    return this.#plan.bytes.length + this.#plan.surplusBytes
  }

  /** A request that is aborted gives its connection back, read or not. */
  readonly #abort = (): void => {
    if (this.#block !== null) this.#parts.rules.leftUnpaid(this.#block.length)
    this.#ended.abort(this.#signal.reason)
    this.#end('aborted')
  }

  #spoil(): void {
    this.#block?.fill(POISON)
    this.#block = null
  }

  #end(how: 'read' | 'left' | 'aborted' | 'timeout' | 'world'): void {
    this.#isOver = true
    this.#signal.removeEventListener('abort', this.#abort)
    this.#flow.leave()
    // Whoever ends it then, it had no more to give.
    const isSilent = this.#plan.stallsAt !== null && this.#arrived >= this.#plan.stallsAt
    this.#watched.ended(isSilent || this.#isCrawling ? 'world' : how)
    this.#onEnd()
  }
}

function networkError(message: string): StoreError {
  return new StoreError(STORE_ERROR.network, message)
}
