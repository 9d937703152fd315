import { assert } from '../../../shared/assert.ts'
import { rangeLength, type ByteRange } from '../../../shared/byte-range.ts'
import { MIB } from '../../../shared/limits.ts'
import { totalLength } from '../core/byte-ranges.ts'
import type { Throughput } from '../flow-control/throughput.ts'

/** A gap is not cut so that less than this stays (bytes): the rest would cost a request of its own. */
const LEAST_REST_BYTES = MIB / 2

/** The bytes that one connection fetches. Only its book changes it. */
export interface Lease {
  readonly start: number
  /** Offset of the next byte: those before it were taken by the holder, who writes them or gives them back. */
  position: number
  /** Falls when the tail is given to another connection. */
  end: number
  /** Where the answer under way ends, which may be beyond the lease; 0: there is none. */
  answeredTo: number
  readonly pace: Throughput
  /** A second request for the rest; there is no third one where that failed. */
  hedge: Hedge | null
  /** When its holder began to wait for the disk or the bandwidth limit; null while it waits for bytes. */
  blockedSinceMs: number | null
}

/** A copy of what a lease still lacked when it was made. */
export interface Hedge extends ByteRange {
  readonly of: Lease
}

/** Bytes that a lease still lacks. */
export function bytesLeft(lease: Lease): number {
  return lease.end - lease.position
}

/**
 * Who fetches what. Every missing byte is in exactly one place: open, in one lease, or given in as written. Pure: time
 * and decisions come from outside.
 */
export class LeaseBook {
  /** Sorted, disjoint, no neighbours. */
  #open: ByteRange[]
  readonly #leases = new Set<Lease>()
  #hedgeBudgetBytes: number

  constructor(missing: readonly ByteRange[], hedgeBudgetBytes: number) {
    this.#open = [...missing]
    this.#hedgeBudgetBytes = hedgeBudgetBytes
  }

  /** All is written. */
  get isComplete(): boolean {
    return this.#open.length === 0 && this.#leases.size === 0
  }

  get open(): readonly ByteRange[] {
    return this.#open
  }

  get openBytes(): number {
    return totalLength(this.#open)
  }

  get leases(): ReadonlySet<Lease> {
    return this.#leases
  }

  /** Bytes that may still be fetched twice. */
  get hedgeBudgetBytes(): number {
    return this.#hedgeBudgetBytes
  }

  /**
   * Leases about `lengthBytes` of the lowest gap; null when nothing is open, or nothing within `windowBytes` of the
   * lowest byte that lacks. The end falls on a whole MiB where it can.
   */
  lend(lengthBytes: number, windowBytes: number, pace: Throughput): Lease | null {
    const gap = this.#open[0]
    if (gap === undefined || gap.start >= this.#lowestLacking() + windowBytes) return null
    const wished = gap.start + lengthBytes
    const aligned = Math.floor(wished / MIB) * MIB
    const end = aligned > gap.start ? aligned : wished
    return this.#cut(gap, gap.end - end < LEAST_REST_BYTES ? gap.end : end, pace)
  }

  /** Leases exactly these bytes at the beginning of the lowest gap; null when they are not open. */
  lendExactly(range: ByteRange, pace: Throughput): Lease | null {
    const gap = this.#open[0]
    if (gap?.start !== range.start || range.end > gap.end) return null
    return this.#cut(gap, range.end, pace)
  }

  /** The holder takes up to `bytes` that came. Returns how many of them are its own. */
  take(lease: Lease, bytes: number, nowMs: number): number {
    const taken = Math.min(bytes, bytesLeft(lease))
    lease.position += taken
    lease.pace.moved(taken, nowMs)
    return taken
  }

  /** What was taken from `position` on could not be written. */
  rewind(lease: Lease, position: number): void {
    assert(position >= lease.start && position <= lease.position, 'a lease goes back only to what is its own')
    lease.position = position
  }

  /** Ends a lease whose taken bytes are written. What it lacks is open again. */
  giveBack(lease: Lease): void {
    assert(this.#leases.delete(lease), 'a lease ends once')
    if (bytesLeft(lease) > 0) this.#reopen({ start: lease.position, end: lease.end })
  }

  /**
   * Lends open bytes to leases whose answers bring them anyway: their tails were taken, and those who took them can't
   * have them.
   */
  leaveToAnswers(): void {
    for (const gap of [...this.#open]) {
      for (const lease of this.#leases) {
        // Where nothing is left, bytes of the answer may have been passed over already.
        if (lease.end !== gap.start || bytesLeft(lease) === 0 || lease.answeredTo <= gap.start) continue
        const end = Math.min(gap.end, lease.answeredTo)
        this.#open = this.#open.flatMap((each) =>
          each !== gap ? [each] : end < gap.end ? [{ ...gap, start: end }] : [],
        )
        lease.end = end
      }
    }
  }

  /** Gives the bytes of `victim` from `cut` on to another holder. */
  split(victim: Lease, cut: number, pace: Throughput): Lease {
    assert(this.#leases.has(victim) && cut >= victim.position && cut < victim.end, 'a cut lies within what lacks')
    const { end } = victim
    victim.end = cut
    return this.#add({ start: cut, end }, pace)
  }

  /** Returns the bytes of a lease from `end` on to the ranges that are not fetched yet. */
  shorten(lease: Lease, end: number): void {
    assert(this.#leases.has(lease) && end >= lease.position && end < lease.end, 'a cut lies within what lacks')
    this.#reopen({ start: end, end: lease.end })
    lease.end = end
  }

  /** Has the rest of a lease fetched a second time; null when the budget does not allow it. */
  hedge(lease: Lease): Hedge | null {
    if (lease.hedge !== null || bytesLeft(lease) > this.#hedgeBudgetBytes) return null
    this.#hedgeBudgetBytes -= bytesLeft(lease)
    return (lease.hedge = { of: lease, start: lease.position, end: lease.end })
  }

  /** A hedge has all its bytes: what the lease still lacks is its own from now on. Null when nothing lacks any more. */
  win(hedge: Hedge, pace: Throughput): Lease | null {
    const { of: victim } = hedge
    // A failed write may have taken the lease back to bytes that the copy does not have.
    const cut = Math.max(victim.position, hedge.start)
    return this.#leases.has(victim) && cut < victim.end ? this.split(victim, cut, pace) : null
  }

  /** The hedge has brought its bytes. */
  dropHedge(hedge: Hedge): void {
    hedge.of.hedge = null
  }

  #lowestLacking(): number {
    let lowest = this.#open[0]?.start ?? Infinity
    for (const lease of this.#leases) lowest = Math.min(lowest, lease.position)
    return lowest
  }

  #cut(gap: ByteRange, end: number, pace: Throughput): Lease {
    if (end === gap.end) this.#open.shift()
    else this.#open[0] = { start: end, end: gap.end }
    return this.#add({ start: gap.start, end }, pace)
  }

  #add({ start, end }: ByteRange, pace: Throughput): Lease {
    const lease: Lease = { start, position: start, end, answeredTo: 0, pace, hedge: null, blockedSinceMs: null }
    this.#leases.add(lease)
    return lease
  }

  #reopen(range: ByteRange): void {
    const joined: ByteRange[] = []
    for (const next of [...this.#open, range].sort((a, b) => a.start - b.start)) {
      const last = joined.at(-1)
      assert(last === undefined || last.end <= next.start, 'a byte is open or leased, not both')
      if (last?.end === next.start) joined[joined.length - 1] = { start: last.start, end: next.end }
      else joined.push(next)
    }
    this.#open = joined
    assert(rangeLength(range) > 0, 'nothing empty is open')
  }
}
