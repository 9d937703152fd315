import { STORE_ERROR, StoreError } from '../../electron/stores/store-error.ts'
import { IDLE_TIMEOUT_MS } from '../../shared/limits.ts'
import type { SimStoreParts } from './sim-parts.ts'

const MAX_BLOCK_BYTES = 2048
/** What a block becomes when its time is over. */
const POISON = 0xa5

/** Bytes and what becomes of them on their way; offsets count from the first of them. */
export interface Transmission {
  readonly key: string
  readonly bytes: Buffer
  readonly bytesPerSecond: number
  readonly breaksAt: number | null
  readonly stallsAt: number | null
  /** Sent after the last byte. */
  readonly surplusBytes: number
}

/**
 * A body as the client gives it. A block is valid until the next one is asked for or the body is left: then its buffer
 * is overwritten, so that nobody can keep it by accident.
 */
export class SimBody implements AsyncIterable<Uint8Array>, AsyncIterator<Uint8Array, undefined> {
  readonly #parts: Pick<SimStoreParts, 'process' | 'random' | 'rules'>
  readonly #plan: Transmission
  readonly #signal: AbortSignal
  readonly #onEnd: () => void
  #position = 0
  #block: Buffer | null = null
  #isReading = false
  #isOver = false
  readonly #ended = new AbortController()

  constructor(
    parts: Pick<SimStoreParts, 'process' | 'random' | 'rules'>,
    plan: Transmission,
    signal: AbortSignal,
    onEnd: () => void,
  ) {
    this.#parts = parts
    this.#plan = plan
    this.#signal = signal
    this.#onEnd = onEnd
    signal.addEventListener('abort', this.#abort, { once: true })
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
      if (block === null) this.#end()
      return block === null ? { done: true, value: undefined } : { done: false, value: (this.#block = block) }
    } catch (failure) {
      this.#end()
      throw failure
    } finally {
      this.#isReading = false
    }
  }

  return(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.#spoil()
    this.#end()
    return Promise.resolve({ done: true, value: undefined })
  }

  /** The connection is cut. */
  reset(): void {
    this.#ended.abort(networkError('Connections were dropped'))
  }

  async #receive(): Promise<Buffer | null> {
    const { random, rules } = this.#parts
    const { key, bytes, bytesPerSecond, breaksAt, stallsAt, surplusBytes } = this.#plan
    this.#signal.throwIfAborted()
    if (this.#isOver) return null
    const start = this.#position
    const end = bytes.length + surplusBytes
    if (stallsAt !== null && start >= stallsAt) await this.#sleep(IDLE_TIMEOUT_MS, 'No bytes for a while')
    if (breaksAt !== null && start >= breaksAt) throw networkError('The connection broke')
    if (start >= end) return null
    const length = Math.min(end - start, random.below(MAX_BLOCK_BYTES) + 1)
    const marks = [breaksAt, stallsAt].filter((mark) => mark !== null && mark > start) as number[]
    const stop = Math.min(start + length, ...marks)
    await this.#sleep(((stop - start) * 1000) / bytesPerSecond, null)
    const block = Buffer.alloc(stop - start, 'surplus')
    block.set(bytes.subarray(start, stop))
    this.#position = stop
    rules.delivered(key, block.length)
    return block
  }

  async #sleep(delayMs: number, failure: string | null): Promise<void> {
    await this.#parts.process.sleep(delayMs, this.#ended.signal)
    if (failure !== null) throw networkError(failure)
  }

  /** A request that is aborted gives its connection back, read or not. */
  readonly #abort = (): void => {
    if (this.#block !== null) this.#parts.rules.leftUnpaid(this.#block.length)
    this.#ended.abort(this.#signal.reason)
    this.#end()
  }

  #spoil(): void {
    this.#block?.fill(POISON)
    this.#block = null
  }

  #end(): void {
    this.#isOver = true
    this.#signal.removeEventListener('abort', this.#abort)
    this.#onEnd()
  }
}

function networkError(message: string): StoreError {
  return new StoreError(STORE_ERROR.network, message)
}
