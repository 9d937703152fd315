import { expect, test } from 'vitest'
import { bytesLeft, LeaseBook, type Hedge, type Lease } from '../../../../electron/engine/download/leases/lease-book.ts'
import {
  assign,
  onItsWayBytes,
  slowLeases,
  spareBytes,
  type Circumstances,
} from '../../../../electron/engine/download/leases/lease-policy.ts'
import { Throughput } from '../../../../electron/engine/flow-control/throughput.ts'
import { MIB } from '../../../../shared/limits.ts'
import { createRandom, type Random } from '../../../simulation/random.ts'

const SEEDS = 40
const TICK_MS = 10
const LOOK_EVERY_MS = 100
const ENDLESS_MS = 120_000

const SIZE_BYTES = 512 * MIB
const CONNECTIONS = 24
const USUAL_RATE = 8_000_000
const FALLEN_RATE = 50_000
/** A connection has some of the usual rate, or nearly twice as much, for at most this long. */
const UNEVEN_MS = 600

interface Connection {
  work: Lease | Hedge | null
  /** Of a copy. */
  bytesToCome: number
  rate: number | null
  shareOfRate: number
  evenUntilMs: number
  hasFallen: boolean
}

/** Connections whose rates rise and fall fetch an object by the rules of the book. */
class Race {
  readonly #book = new LeaseBook([{ start: 0, end: SIZE_BYTES }], spareBytes(SIZE_BYTES), 0)
  readonly #connections = Array.from({ length: CONNECTIONS }, fresh)
  readonly #random: Random
  #nowMs = 0
  #arrivedBytes = 0

  constructor(seed: number) {
    this.#random = createRandom(seed)
  }

  /**
   * Milliseconds until all is there. Of the connections at work when the share `fallsAt` of the object has come, one falls
   * for good.
   */
  run(fallsAt: number): number {
    const book = this.#book
    let hasFallen = false
    this.#begin()
    while (!book.isComplete && this.#nowMs < ENDLESS_MS) {
      this.#nowMs += TICK_MS
      for (const connection of this.#connections) this.#arrive(connection)
      if (!hasFallen && this.#arrivedBytes >= fallsAt * SIZE_BYTES) {
        hasFallen = true
        const atWork = this.#connections.filter(({ work }) => work !== null && !isCopy(work))
        this.#random.pick(atWork).hasFallen = true
      }
      if (this.#nowMs % LOOK_EVERY_MS === 0) this.#look()
    }
    return this.#nowMs
  }

  #look(): void {
    const now = this.#now()
    for (const lease of slowLeases(this.#book, now)) {
      const { position } = lease
      if (!this.#book.spare(lease, position, onItsWayBytes(this.#book, lease, position, now), 'all')) continue
      this.#book.shorten(lease, position)
      this.#leave(lease)
    }
    this.#begin()
  }

  #begin(): void {
    for (const connection of this.#connections) if (connection.work === null) this.#assign(connection)
  }

  #assign(connection: Connection): void {
    const found = assign(this.#book, connection.rate, this.#now())
    if (found?.kind === 'hedge') {
      connection.work = found.hedge
      connection.bytesToCome = found.hedge.end - found.hedge.start
    } else if (found !== null) {
      if (found.victim !== null && bytesLeft(found.victim) === 0) this.#leave(found.victim)
      this.#book.ask(found.lease, found.lease.end, this.#nowMs)
      connection.work = found.lease
    }
  }

  #arrive(connection: Connection): void {
    const { work } = connection
    if (this.#nowMs >= connection.evenUntilMs) {
      connection.shareOfRate = this.#random.between(20, 180) / 100
      connection.evenUntilMs = this.#nowMs + this.#random.between(0, UNEVEN_MS)
    }
    if (work === null) return
    const rate = connection.hasFallen ? FALLEN_RATE : connection.shareOfRate * USUAL_RATE
    const bytes = Math.ceil((rate * TICK_MS) / 1000)
    this.#arrivedBytes += bytes
    const isEnded = isCopy(work) ? this.#copied(connection, work, bytes) : this.#taken(connection, work, bytes)
    if (!isEnded) return
    connection.work = null
    this.#assign(connection)
  }

  #taken(connection: Connection, lease: Lease, bytes: number): boolean {
    this.#book.take(lease, bytes, this.#nowMs)
    if (bytesLeft(lease) > 0) return false
    connection.rate = lease.pace.rateOfEnded(this.#nowMs)
    this.#end(lease)
    return true
  }

  #copied(connection: Connection, copy: Hedge, bytes: number): boolean {
    connection.bytesToCome -= bytes
    if (connection.bytesToCome > 0) return false
    this.#book.dropHedge(copy)
    const won = this.#book.win(copy, new Throughput(this.#nowMs, null))
    if (bytesLeft(copy.of) === 0) this.#leave(copy.of)
    if (won === null) return true
    this.#book.take(won, bytesLeft(won), this.#nowMs)
    this.#book.giveBack(won)
    return true
  }

  #end(lease: Lease): void {
    if (lease.hedge !== null) this.#leave(lease.hedge)
    this.#book.giveBack(lease)
  }

  /** A connection that is given up is made anew. */
  #leave(work: Lease | Hedge): void {
    const holder = this.#connections.find((each) => each.work === work)
    if (holder !== undefined) Object.assign(holder, fresh())
    if (!isCopy(work)) this.#end(work)
  }

  #now(): Circumstances {
    const known = { latencyMs: TICK_MS, connections: CONNECTIONS, usualRate: USUAL_RATE, hostRate: 0 }
    return { nowMs: this.#nowMs, ...known, isLimited: false, isInDoubt: false }
  }
}

function fresh(): Connection {
  return { work: null, bytesToCome: 0, rate: null, shareOfRate: 1, evenUntilMs: 0, hasFallen: false }
}

function isCopy(work: Lease | Hedge): work is Hedge {
  return 'of' in work
}

test('a connection that falls near the end holds nothing up, however much was spent on saving little before', () => {
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const undisturbedMs = new Race(seed).run(Infinity)
    const fallsAt = 0.7 + (0.3 * seed) / (SEEDS + 1)
    expect(new Race(seed).run(fallsAt), `seed ${seed}`).toBeLessThan(undisturbedMs + 2000)
  }
})
