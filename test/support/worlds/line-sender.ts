import type { RateLimiter } from '../../../electron/engine/core/rate-limiter.ts'
import type { BodyToSend, Sending, UploadLine } from '../../../electron/engine/core/upload-line.ts'
import { createTokenBucket } from '../../../electron/engine/flow-control/token-bucket.ts'
import { createUploadLine } from '../../../electron/engine/line/upload/create-upload-line.ts'
import {
  sampleRate,
  spreadMoved,
  startRate,
  type RateEstimate,
} from '../../../electron/engine/transfer/rate-estimator.ts'
import { nextSlice } from '../../../electron/engine/line/upload/line-send.ts'
import { MIB } from '../../../shared/limits.ts'
import { createFakeClock, type FakeClock } from '../fakes/fake-clock.ts'
import { UNLIMITED } from '../fakes/unlimited.ts'

export const PART = 5 * MIB
export const SLICE = 64 * 1024
const STEP_MS = 20
const CRAWL_RATE = 60_000

/** What lies between the line's users and their service. */
interface Way {
  /** All connections together, bytes a second. */
  readonly rate: number
  /** Of each connection. */
  readonly bufferBytes: number
  readonly connectionRate?: number
  /** What came first goes first; else all connections take turns. */
  readonly isInOrder?: boolean
  /** A bandwidth limit, bytes a second. */
  readonly limit?: number
  /** The service answers so long after the last byte. */
  readonly responseMs?: number
  /** Until then this process is what is slow (milliseconds). */
  readonly saturatedUntilMs?: number
}

interface Flow {
  readonly sending: Sending
  readonly sizeBytes: number
  handed: number
  carried: number
  readonly isSwallowed: boolean
  /** The most that its connection carries, bytes a second. */
  readonly rate: number
  carriedAtMs: number | null
}

/** Bytes of a body in buffers. */
interface Waiting {
  readonly flow: Flow
  bytes: number
}

/** Sends bodies over a way, each as the HTTP client does: a slice when there is room for it. */
export class LineSender {
  readonly clock: FakeClock = createFakeClock()
  readonly line: UploadLine
  readonly #way: Way
  readonly #limiter: RateLimiter
  readonly #flows = new Set<Flow>()
  readonly answeredAtMs: number[] = []
  movedBytes = 0
  mostAtOnce = 0
  /** Begun and not carried yet, at most. */
  mostUnderWayBytes = 0
  /** At each step: bytes told to have moved less those that the way has carried, and the rate that a row shows. */
  readonly shown: { readonly atMs: number; readonly aheadBytes: number; readonly bytesPerSecond: number }[] = []
  #estimate: RateEstimate
  handedBytes = 0
  readonly late: number[] = []
  /** The first so many bodies are taken in and never answered. */
  swallowed = 0
  /** The body of this rank has a connection that carries next to nothing. */
  crawling: number | null = null
  #carriedBytes = 0
  /** In the order in which they came. */
  #waiting: readonly Waiting[] = []
  #stall: { readonly fromMs: number; readonly untilMs: number } | null = null

  constructor(way: Way, fixedWidth: number | null = null) {
    this.#way = way
    this.#limiter = way.limit === undefined ? UNLIMITED : createTokenBucket(this.clock, way.limit)
    this.#estimate = startRate(this.clock.monotonicMs())
    const isSaturated = (): boolean => this.clock.monotonicMs() < (way.saturatedUntilMs ?? 0)
    this.line = createUploadLine({ clock: this.clock, isSaturated, fixedWidth })
  }

  /** The way carries nothing for a while. */
  stallAt(fromMs: number, ms: number): void {
    this.#stall = { fromMs, untilMs: fromMs + ms }
  }

  get #isStalled(): boolean {
    const nowMs = this.clock.monotonicMs()
    return this.#stall !== null && nowMs >= this.#stall.fromMs && nowMs < this.#stall.untilMs
  }

  /** Sends `count` bodies one after the other as they get their turns, while `ms` pass. */
  async send(count: number, ms: number, sizeBytes = PART): Promise<void> {
    const stop = new AbortController()
    const begin = async (): Promise<void> => {
      for (let number = 0; number < count; number += 1)
        this.#add(await this.line.enter(this.#asked(sizeBytes, number), stop.signal), sizeBytes, number)
    }
    const beginning = begin().catch(() => undefined)
    for (let passed = 0; passed < ms && !(this.answeredAtMs.length === count); passed += STEP_MS) {
      await this.clock.advance(STEP_MS)
      if (!this.#isStalled) this.#carry()
      this.#show()
    }
    stop.abort(new Error('over'))
    await beginning
    for (const { sending } of this.#flows) sending.end()
  }

  #show(): void {
    const atMs = this.clock.monotonicMs()
    this.#estimate = sampleRate(this.#estimate, atMs, this.movedBytes)
    const { bytesPerSecond } = this.#estimate
    this.shown.push({ atMs, aheadBytes: this.movedBytes - this.#carriedBytes, bytesPerSecond })
  }

  #taken(bytes: number, overMs = 0): void {
    this.movedBytes += bytes
    if (overMs > 0) this.#estimate = spreadMoved(this.#estimate, bytes, overMs, this.clock.monotonicMs())
  }

  #asked(sizeBytes: number, rank: number): BodyToSend {
    return {
      sizeBytes,
      rank,
      isReady: () => true,
      onTaken: (bytes, overMs) => this.#taken(bytes, overMs),
      limitBytesPerSecond: () => this.#limiter.limitBytesPerSecond,
      mayBeCopied: () => true,
    }
  }

  #add(sending: Sending, sizeBytes: number, rank: number): void {
    const isSwallowed = this.swallowed > 0
    if (isSwallowed) this.swallowed -= 1
    const rate = rank === this.crawling ? CRAWL_RATE : (this.#way.connectionRate ?? Infinity)
    const flow: Flow = { sending, sizeBytes, handed: 0, carried: 0, isSwallowed, rate, carriedAtMs: null }
    sending.late.addEventListener('abort', () => {
      this.late.push(this.clock.monotonicMs())
      this.#flows.delete(flow)
      sending.end()
    })
    this.#flows.add(flow)
    this.mostAtOnce = Math.max(this.mostAtOnce, this.#flows.size)
    const underWay = [...this.#flows].reduce((sum, each) => sum + each.sizeBytes - each.carried, 0)
    this.mostUnderWayBytes = Math.max(this.mostUnderWayBytes, underWay)
    void this.#feed(flow)
  }

  async #feed(flow: Flow): Promise<void> {
    const { signal } = new AbortController()
    while (flow.handed < flow.sizeBytes) {
      await nextSlice(flow.sending, this.#limiter, SLICE, signal)
      while (flow.handed - flow.carried >= this.#way.bufferBytes) await this.clock.sleep(STEP_MS, signal)
      const bytes = Math.min(SLICE, flow.sizeBytes - flow.handed)
      flow.handed += bytes
      if (this.#way.isInOrder === true) this.#waiting = [...this.#waiting, { flow, bytes }]
      this.handedBytes += bytes
      flow.sending.handed(bytes)
    }
  }

  /** A step of time on the way. */
  #carry(): void {
    const bytes = (this.#way.rate * STEP_MS) / 1000
    const busy = [...this.#flows].filter((flow) => flow.handed > flow.carried)
    const quota = new Map(
      busy.map((flow) => [flow, Math.min((flow.rate * STEP_MS) / 1000, flow.handed - flow.carried)]),
    )
    if (this.#way.isInOrder === true) this.#carryInOrder(bytes, quota)
    else this.#carryFairly(bytes, busy, quota)
    this.#answer()
  }

  #carryInOrder(bytes: number, quota: Map<Flow, number>): void {
    let left = bytes
    for (const waiting of this.#waiting) {
      const { flow } = waiting
      const carried = Math.min(left, waiting.bytes, quota.get(flow) ?? 0)
      quota.set(flow, (quota.get(flow) ?? 0) - carried)
      waiting.bytes -= carried
      flow.carried += carried
      this.#carriedBytes += carried
      left -= carried
      if (left === 0) break
    }
    this.#waiting = this.#waiting.filter((waiting) => waiting.bytes > 0 && this.#flows.has(waiting.flow))
  }

  #carryFairly(ofStep: number, busy: readonly Flow[], quota: Map<Flow, number>): void {
    let left = ofStep
    for (
      let rest = [...busy];
      rest.length > 0 && left > 0.5;
      rest = rest.filter((flow) => (quota.get(flow) ?? 0) > 0.5)
    ) {
      const share = left / rest.length
      for (const flow of rest) {
        const bytes = Math.min(share, quota.get(flow) ?? 0)
        flow.carried += bytes
        this.#carriedBytes += bytes
        quota.set(flow, (quota.get(flow) ?? 0) - bytes)
        left -= bytes
      }
    }
  }

  #answer(): void {
    for (const flow of [...this.#flows]) {
      if (flow.carried < flow.sizeBytes - 1 || flow.isSwallowed) continue
      flow.carriedAtMs ??= this.clock.monotonicMs()
      if (this.clock.monotonicMs() - flow.carriedAtMs < (this.#way.responseMs ?? 0)) continue
      this.#flows.delete(flow)
      this.answeredAtMs.push(this.clock.monotonicMs())
      flow.sending.answered()
      flow.sending.end()
    }
  }
}
