import type { LineTerms } from './line-draw.ts'
import { DEAD_LINE_MS } from './line-rules.ts'
import { movedAtMs, type WayTerms } from './line-terms.ts'
import type { Random } from '../random.ts'
import type { Timeline } from '../timeline.ts'

/**
 * What moves at a time, of all who take turns together: as much as the line carries in this, but no less and no more
 * than these (milliseconds, bytes).
 */
const QUANTUM_MS = 40
const LEAST_QUANTUM_BYTES = 32
const MOST_QUANTUM_BYTES = 2048

/** Of the line, what a connection carries that crawls. */
const CRAWL_SHARE = 0.005

/** Sums of times differ by less than this (milliseconds). */
const INSTANT_MS = 1e-3

/** Bytes that wait for their turn. */
interface Waiting {
  readonly flow: Flow
  bytes: number
}

/** Both directions between the program and the service. */
export interface Line {
  readonly up: Way
  readonly down: Way
}

export function openLine(timeline: Timeline, random: Random, { up, down }: LineTerms): Line {
  return { up: new Way(timeline, random, up), down: new Way(timeline, random, down) }
}

/**
 * One direction of a line, which all connections share. It carries one quantum after the other, and all arrives in the
 * order in which it left.
 */
export class Way {
  readonly terms: WayTerms
  /** What moves at a time. */
  readonly quantumBytes: number
  /** Bytes that have moved. */
  movedBytes = 0
  /** When something moved last, milliseconds of virtual time. */
  movedAtMs = 0
  /** Since when it has moved again after it was dead, milliseconds of virtual time. */
  movingSinceMs = 0
  readonly #timeline: Timeline
  readonly #random: Random
  readonly #waiting: Waiting[] = []
  /** Connections with more than the buffer in common has room for. */
  readonly #full = new Set<Flow>()
  #queuedBytes = 0
  #isMoving = false
  #lastArrivalMs = 0
  #wakesAtMs = Infinity

  constructor(timeline: Timeline, random: Random, terms: WayTerms) {
    this.#timeline = timeline
    this.#random = random
    this.terms = terms
    const bytes = Math.ceil((terms.bytesPerSecond * QUANTUM_MS) / 1000)
    this.quantumBytes = Math.min(MOST_QUANTUM_BYTES, Math.max(LEAST_QUANTUM_BYTES, bytes))
  }

  /**
   * A connection of its own. `onArrived` is told of bytes as they arrive; `bytesPerSecond` is what the service takes or
   * gives on one connection.
   */
  open(onArrived: (bytes: number) => void, bytesPerSecond = Infinity): Flow {
    return new Flow(this, onArrived, bytesPerSecond)
  }

  /** Something small that waits its turn like everything else. */
  pass(onArrived: () => void): void {
    this.open(onArrived).write(1)
  }

  /** Whether there is room for bytes of a connection; it is told when there may be. Each may hand over a little. */
  hasRoom(flow: Flow, bytes: number): boolean {
    const { bufferBytes, isBufferShared } = this.terms
    const queuedBytes = isBufferShared ? this.#queuedBytes : flow.queuedBytes
    const isRoom = flow.queuedBytes === 0 || queuedBytes + bytes <= bufferBytes
    if (!isRoom && isBufferShared) this.#full.add(flow)
    return isRoom
  }

  /** Calls `act` at a moment, milliseconds of virtual time; false if that has come. */
  calls(act: () => void, atMs: number): boolean {
    const { nowMs } = this.#timeline
    if (atMs <= nowMs + INSTANT_MS) return false
    this.#timeline.at(atMs - nowMs, act)
    return true
  }

  get nowMs(): number {
    return this.#timeline.nowMs
  }

  /** A buffer has taken bytes of a connection. */
  enter(flow: Flow, bytes: number): void {
    this.#queuedBytes += bytes
    this.#add(flow, bytes)
    this.#move()
  }

  /** What waits of a connection is lost. */
  drop(flow: Flow): void {
    this.#full.delete(flow)
    this.#keep((each) => each.flow !== flow)
    this.#queuedBytes = this.#waiting.reduce((sum, { bytes }) => sum + bytes, 0)
  }

  #add(flow: Flow, bytes: number): void {
    const last = this.terms.order === 'fair' ? this.#waiting.find((each) => each.flow === flow) : this.#waiting.at(-1)
    if (last?.flow === flow) last.bytes += bytes
    else this.#waiting.push({ flow, bytes })
  }

  #move(): void {
    if (this.#isMoving) return
    const batch = this.#take()
    if (batch.length === 0) return this.#wake()
    const { nowMs } = this.#timeline
    let bytes = 0
    for (const each of batch) {
      bytes += each.bytes
      each.flow.begins(each.bytes, nowMs)
    }
    this.#queuedBytes -= bytes
    this.#isMoving = true
    this.#timeline.at(movedAtMs(this.terms, nowMs, bytes) - nowMs, () => {
      this.#isMoving = false
      this.movedBytes += bytes
      const movedMs = this.#timeline.nowMs
      if (movedMs - this.movedAtMs >= DEAD_LINE_MS) this.movingSinceMs = movedMs
      this.movedAtMs = movedMs
      this.#arriveLater(batch)
      for (const each of batch) each.flow.moved(each.bytes)
      if (this.terms.isBufferShared) this.#refill()
      this.#move()
    })
  }

  /** Connections take turns at the room that has come. */
  #refill(): void {
    for (const flow of [...this.#full]) {
      if (this.#queuedBytes + this.quantumBytes > this.terms.bufferBytes) return
      this.#full.delete(flow)
      flow.take()
    }
  }

  /** What moves next: a share of everybody's, or what came first. */
  #take(): readonly Waiting[] {
    const { nowMs } = this.#timeline
    const ready = this.#waiting.filter(({ flow }) => flow.readyAtMs <= nowMs + INSTANT_MS)
    const chosen = this.terms.order === 'fair' ? ready : ready.slice(0, 1)
    const batch = chosen.map((waiting) => {
      const bytes = Math.min(waiting.bytes, Math.ceil(this.quantumBytes / chosen.length))
      waiting.bytes -= bytes
      return { flow: waiting.flow, bytes }
    })
    if (chosen.some(({ bytes }) => bytes === 0)) this.#keep(({ bytes }) => bytes > 0)
    return batch
  }

  /** Nobody may move yet: the first one who may begins then. */
  #wake(): void {
    const { nowMs } = this.#timeline
    const atMs = Math.min(...this.#waiting.map(({ flow }) => flow.readyAtMs))
    if (atMs === Infinity || atMs >= this.#wakesAtMs) return
    this.#wakesAtMs = atMs
    this.#timeline.at(atMs - nowMs, () => {
      this.#wakesAtMs = Infinity
      this.#move()
    })
  }

  #arriveLater(batch: readonly Waiting[]): void {
    const { delayMs, jitterMs } = this.terms
    const { nowMs } = this.#timeline
    const travelMs = delayMs + (jitterMs === 0 ? 0 : this.#random.next() * jitterMs)
    this.#lastArrivalMs = Math.max(this.#lastArrivalMs, nowMs + travelMs)
    const arrive = (): void => {
      for (const { flow, bytes } of batch) flow.onArrived(bytes)
    }
    if (this.#lastArrivalMs === nowMs) arrive()
    else this.#timeline.at(this.#lastArrivalMs - nowMs, arrive)
  }

  #keep(isKept: (waiting: Waiting) => boolean): void {
    this.#waiting.splice(0, this.#waiting.length, ...this.#waiting.filter(isKept))
  }
}

/** What one connection sends in one direction. */
export class Flow {
  readonly onArrived: (bytes: number) => void
  /** Not before this its next bytes begin to move, milliseconds of virtual time. */
  readyAtMs = 0
  /** Taken by a buffer and not moved yet. */
  queuedBytes = 0
  readonly #way: Way
  #bytesPerSecond: number
  /** Not before this it hands over its next bytes, milliseconds of virtual time. */
  #entersAtMs = 0
  #isCalled = false
  #writes: { readonly bytes: number; readonly onTaken: () => void }[] = []
  #isLeft = false

  constructor(way: Way, onArrived: (bytes: number) => void, bytesPerSecond: number) {
    this.#way = way
    this.onArrived = onArrived
    this.#bytesPerSecond = bytesPerSecond
  }

  /** Hands bytes over. `onTaken` is called once a buffer has room for them, which may be at once. */
  write(bytes: number, onTaken: () => void = () => undefined): void {
    if (this.#isLeft) return
    this.#writes.push({ bytes, onTaken })
    this.take()
  }

  /** Nothing more is handed over. What a buffer has taken moves on, whoever still wants it. */
  leave(): void {
    this.#isLeft = true
    this.#writes = []
  }

  /** The connection falls to a crawl for good. */
  crawl(): void {
    this.#bytesPerSecond = Math.min(this.#bytesPerSecond, CRAWL_SHARE * this.#way.terms.bytesPerSecond)
  }

  /** The connection is cut, and with it what waits in buffers. */
  cut(): void {
    this.leave()
    this.#way.drop(this)
    this.queuedBytes = 0
  }

  /** For its way: these bytes begin to move. */
  begins(bytes: number, nowMs: number): void {
    if (!this.#isPacedBefore) this.readyAtMs = nowMs + this.#timeOf(bytes)
  }

  /** For its way: they have moved. */
  moved(bytes: number): void {
    this.queuedBytes = Math.max(0, this.queuedBytes - bytes)
    this.take()
  }

  /** Hands over what there is room for. */
  take(): void {
    for (;;) {
      const next = this.#writes[0]
      if (next === undefined || !this.#isDue() || !this.#way.hasRoom(this, next.bytes)) return
      this.#writes.shift()
      this.queuedBytes += next.bytes
      if (this.#isPacedBefore) this.#entersAtMs = this.#way.nowMs + this.#timeOf(next.bytes)
      this.#way.enter(this, next.bytes)
      next.onTaken()
    }
  }

  /**
   * Whether the pace of this connection is that of the service before a buffer, which then holds no more of it than of
   * others; else the buffer is its own, and what is beyond its pace waits there.
   */
  get #isPacedBefore(): boolean {
    return this.#way.terms.isBufferShared
  }

  #isDue(): boolean {
    if (this.#isCalled) return false
    this.#isCalled = this.#way.calls(() => {
      this.#isCalled = false
      this.take()
    }, this.#entersAtMs)
    return !this.#isCalled
  }

  #timeOf(bytes: number): number {
    return (bytes * 1000) / this.#bytesPerSecond
  }
}
