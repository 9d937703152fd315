import { createHash } from 'node:crypto'
import type { Clock } from '../../../electron/engine/core/deps.ts'
import type * as port from '../../../electron/stores/port/object-store.ts'
import { STORE_ERROR, StoreError } from '../../../electron/stores/port/store-error.ts'
import { CONNECT_TIMEOUT_MS, IDLE_TIMEOUT_MS } from '../../../shared/limits.ts'

/** A line as the client sees it, in virtual time. */
export interface LineOptions {
  /** What all connections get together, and each of them at most. */
  readonly bytesPerSecond: number
  readonly connectionBytesPerSecond?: number
  readonly latencyMs?: number
  /** Whether anything passes at this moment. */
  readonly isUp?: (nowMs: number) => boolean
  /** What the way buffers, which is on it already when a connection is left, in milliseconds of the line. */
  readonly queueMs?: number
  /** The first connection that is to bring the byte at this offset brings nothing from there on, and does not end. */
  readonly silentFrom?: number
}

const STEP_MS = 50
/** The client hands over what a connection brought this often. */
const TICK_MS = 250
const BLOCK_BYTES = 512 * 1024
/** When TCP tries again, after the last bytes and after the first try to connect. */
const RETRANSMITS_MS = [200, 600, 1400, 3000, 6200, 12_600, 25_400, 50_000, 100_000]
const CONNECTS_MS = [0, 1000, 3000, 7000]

interface Body {
  leftBytes: number
  readyBytes: number
  /** Of those that are left, so many never come. */
  readonly silentBytes: number
  /** When bytes last came, and when more may. */
  movedAtMs: number
  resumesAtMs: number
}

/** One object at the far end of a line. Nothing but `getObject` works. */
export class LineStore {
  readonly bucket = 'far'
  readonly host = 'http://far'
  readonly capabilities = { ifMatch: true, etagIsMd5: true, minPartSizeBytes: 5 * 1024 * 1024, maxPartCount: 10_000 }
  /** Bytes that the line has carried. */
  sentBytes = 0
  /** Most requests that ran at a time, and how many began. */
  mostAtATime = 0
  requests = 0
  /** When a connection fell silent, milliseconds; null: none did. */
  silentAtMs: number | null = null
  #isSilenceOver = false
  readonly #clock: Clock
  readonly #line: LineOptions
  readonly #content: Buffer
  readonly #etag: string
  readonly #bodies = new Set<Body>()
  readonly #over = new AbortController()

  constructor(clock: Clock, content: Buffer, line: LineOptions) {
    this.#clock = clock
    this.#content = content
    this.#line = line
    this.#etag = createHash('md5').update(content).digest('hex')
    void this.#carry().catch(() => undefined)
  }

  /** As the engine takes it. */
  asObjectStore(): port.ObjectStore {
    return this as unknown as port.ObjectStore
  }

  get running(): number {
    return this.#bodies.size
  }

  end(): void {
    this.#over.abort(new Error('The line is over'))
  }

  async getObject({ range, signal }: port.GetObjectRequest): Promise<port.GetObjectResult> {
    this.requests += 1
    await this.#connect(signal)
    const { length } = this.#content
    const asked = { start: range?.start ?? 0, end: Math.min(range?.end ?? length, length) }
    return {
      kind: 'content',
      status: range === undefined ? 200 : 206,
      contentRange: range === undefined ? null : { ...asked, totalBytes: length },
      contentLength: asked.end - asked.start,
      head: {
        sizeBytes: length,
        etag: this.#etag,
        lastModified: 'Thu, 01 Jan 2026 00:00:00 GMT',
        contentType: null,
        contentEncoding: null,
        serverTimeMs: null,
        requestId: null,
      },
      body: this.#body(asked.start, asked.end, signal),
    }
  }

  async #connect(signal: AbortSignal): Promise<void> {
    const startedAtMs = this.#clock.monotonicMs()
    for (const afterMs of CONNECTS_MS) {
      await this.#clock.sleep(startedAtMs + afterMs - this.#clock.monotonicMs(), signal)
      if (!this.#isUp()) continue
      return await this.#clock.sleep(2 * (this.#line.latencyMs ?? 0), signal)
    }
    await this.#clock.sleep(startedAtMs + CONNECT_TIMEOUT_MS - this.#clock.monotonicMs(), signal)
    throw new StoreError(STORE_ERROR.network, 'No connection')
  }

  #isUp(): boolean {
    return this.#line.isUp?.(this.#clock.monotonicMs()) ?? true
  }

  async *#body(start: number, end: number, signal: AbortSignal): AsyncGenerator<Uint8Array, undefined> {
    const nowMs = this.#clock.monotonicMs()
    const silentBytes = this.#silentBytes(start, end)
    const body: Body = { leftBytes: end - start, readyBytes: 0, silentBytes, movedAtMs: nowMs, resumesAtMs: nowMs }
    this.#bodies.add(body)
    this.mostAtATime = Math.max(this.mostAtATime, this.#bodies.size)
    try {
      for (let position = start; position < end;) {
        await this.#bytesOf(body, signal)
        const bytes = this.#content.subarray(position, position + body.readyBytes)
        body.readyBytes = 0
        position += bytes.length
        yield bytes
      }
    } finally {
      const queuedBytes = ((this.#line.queueMs ?? 0) * this.#line.bytesPerSecond) / 1000 / this.#bodies.size
      this.sentBytes += Math.min(body.leftBytes, queuedBytes)
      this.#bodies.delete(body)
    }
  }

  #silentBytes(start: number, end: number): number {
    const { silentFrom = -1 } = this.#line
    if (this.#isSilenceOver || silentFrom < start || silentFrom >= end) return 0
    this.#isSilenceOver = true
    return end - silentFrom
  }

  /** Resolves at the next tick with bytes, or when a block is full. */
  async #bytesOf(body: Body, signal: AbortSignal): Promise<void> {
    for (;;) {
      const nowMs = this.#clock.monotonicMs()
      if (body.readyBytes >= BLOCK_BYTES || (body.readyBytes > 0 && body.leftBytes === 0)) return
      if (body.readyBytes > 0 && nowMs % TICK_MS === 0) return
      if (nowMs - body.movedAtMs > IDLE_TIMEOUT_MS) throw new StoreError(STORE_ERROR.network, 'Silence')
      await this.#clock.sleep(STEP_MS - (nowMs % STEP_MS), signal)
    }
  }

  async #carry(): Promise<never> {
    for (;;) {
      await this.#clock.sleep(STEP_MS, this.#over.signal)
      const nowMs = this.#clock.monotonicMs()
      if (!this.#isUp()) {
        for (const body of this.#bodies) {
          const next = RETRANSMITS_MS.find((ms) => body.movedAtMs + ms > nowMs) ?? Infinity
          body.resumesAtMs = body.movedAtMs + next
        }
        continue
      }
      const moving = [...this.#bodies].filter(
        ({ leftBytes, silentBytes, readyBytes, resumesAtMs }) =>
          leftBytes > silentBytes && readyBytes < BLOCK_BYTES && resumesAtMs <= nowMs,
      )
      const { bytesPerSecond, connectionBytesPerSecond = Infinity } = this.#line
      const rate = Math.min(connectionBytesPerSecond, bytesPerSecond / moving.length)
      for (const body of moving) {
        const bytes = Math.min(body.leftBytes - body.silentBytes, Math.round((rate * STEP_MS) / 1000))
        body.leftBytes -= bytes
        if (body.silentBytes > 0 && body.leftBytes === body.silentBytes) this.silentAtMs = nowMs
        body.readyBytes += bytes
        body.movedAtMs = nowMs
        this.sentBytes += bytes
      }
    }
  }
}
