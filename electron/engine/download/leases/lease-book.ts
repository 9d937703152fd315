import { assert } from '../../../../shared/assert.ts'
import { rangeLength, type ByteRange } from '../../../../shared/byte-range.ts'
import { MIB } from '../../../../shared/limits.ts'
import { totalLength } from '../../core/byte-ranges.ts'
import { LinePace, MOST_BETWEEN_MS } from '../../flow-control/line-pace.ts'
import { Throughput } from '../../flow-control/throughput.ts'

/** A gap is never cut with less than this left over (bytes): that would cost a request of its own. */
const LEAST_REST_BYTES = MIB / 2

/** The bytes that one connection fetches. Only its book changes it. */
export interface Lease {
  readonly start: number
  /** Offset of the next byte: those before it were taken by the holder, who writes them or gives them back. */
  position: number
  /** Falls when the tail is given to another connection. */
  end: number
  /** Where the request under way begins; Infinity when there is none. */
  askedFrom: number
  /** Where that request ends, which may be beyond the lease; 0 when there is none. */
  askedTo: number
  /** When that request was made, monotonic milliseconds. */
  askedAtMs: number
  /** Where the response to it ends; 0 when there is none. */
  answeredTo: number
  /** How much the response is expected to bring in vain, bytes. */
  vainBytes: number
  readonly pace: Throughput
  /** The pace in the time of the line, see `LeaseBook.lineMs`. */
  readonly linePace: Throughput
  /** Since when its bytes have been arriving without a pause, monotonic milliseconds. */
  steadySinceMs: number
  /** A second request for the rest. It stays here if it fails, so there is never a third. */
  hedge: Hedge | null
  /** When its holder began to wait for the disk or the bandwidth limit; null while it waits for bytes. */
  blockedSinceMs: number | null
}

/** A copy of what a lease still lacked when the hedge was made. */
export interface Hedge extends ByteRange {
  readonly of: Lease
  /** When its latest bytes arrived or, before the first, when it was made; monotonic milliseconds. */
  movedAtMs: number
}

/**
 * What of the bytes that may arrive twice or in vain is spent: help that saves little must leave a reserve for a
 * connection that would hold up all the others.
 */
export type SpareBudget = 'all' | 'beyond-reserve'

/** Bytes that a lease still lacks. */
export function bytesLeft(lease: Lease): number {
  return lease.end - lease.position
}

/**
 * Knows who fetches what. Every missing byte is in exactly one place: open, in one lease, or returned as written. Pure:
 * time and decisions come from outside.
 */
export class LeaseBook {
  /** Sorted and disjoint; no two ranges touch. */
  #open: ByteRange[]
  readonly #leases = new Set<Lease>()
  #spareBytes: number
  readonly #reserveBytes: number
  /** The pace of all leases together. */
  readonly #line: LinePace
  /** When the latest request that has brought anything was made, monotonic milliseconds. */
  #answeredAskedAtMs = -Infinity

  /** @param spareBytes how many may arrive twice or in vain, a quarter of them only for leases that are far behind. */
  constructor(missing: readonly ByteRange[], spareBytes: number, nowMs: number) {
    this.#open = [...missing]
    this.#line = new LinePace(nowMs)
    this.#spareBytes = spareBytes
    this.#reserveBytes = spareBytes / 4
  }

  /** Whether every missing byte has been written. */
  get isComplete(): boolean {
    return this.#open.length === 0 && this.#leases.size === 0
  }

  get open(): readonly ByteRange[] {
    return this.#open
  }

  get openBytes(): number {
    return totalLength(this.#open)
  }

  /** How long the line has been bringing anything at all, milliseconds. */
  get lineMs(): number {
    return this.#line.lineMs
  }

  /** Bytes a second of all leases together, averaged over some seconds of that time. */
  get lineRate(): number {
    return this.#line.rate
  }

  /**
   * Whether another connection has brought bytes that were asked for after the latest bytes of this lease arrived. Then
   * nothing of this lease waits in a queue that both share.
   */
  isOvertaken({ pace, position, askedFrom }: Lease, nowMs: number): boolean {
    return position > askedFrom && nowMs - pace.silentMs(nowMs) < this.#answeredAskedAtMs
  }

  get leases(): ReadonlySet<Lease> {
    return this.#leases
  }

  /** How many bytes may still arrive twice or in vain. */
  get spareBytes(): number {
    return this.#spareBytes
  }

  /**
   * Leases about `lengthBytes` of the lowest gap. Returns null when nothing is open within `windowBytes` of the lowest
   * missing byte. The lease ends on a whole MiB where it can.
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

  /** Notes that the holder asks for what the lease lacks, up to `end`, which may be beyond the lease. */
  ask(lease: Lease, end: number, nowMs: number): void {
    lease.askedFrom = lease.position
    lease.askedTo = end
    lease.askedAtMs = nowMs
  }

  /** Takes up to `bytes` that arrived for the holder. Returns how many of them belong to the lease. */
  take(lease: Lease, bytes: number, nowMs: number): number {
    const taken = Math.min(bytes, bytesLeft(lease))
    const isNew = lease.position === lease.start || lease.pace.silentMs(nowMs) > MOST_BETWEEN_MS
    if (isNew) lease.steadySinceMs = nowMs
    lease.position += taken
    lease.pace.moved(taken, nowMs)
    this.#line.moved(taken, nowMs)
    lease.linePace.moved(taken, this.#line.lineMs)
    this.#answeredAskedAtMs = Math.max(this.#answeredAskedAtMs, lease.askedAtMs)
    return taken
  }

  /** Moves a lease back to `position`: what was taken from there on could not be written. */
  rewind(lease: Lease, position: number): void {
    assert(position >= lease.start && position <= lease.position, 'a lease rewinds only within its own bytes')
    lease.position = position
  }

  /** Ends a lease whose taken bytes are written. What it still lacks becomes open again. */
  giveBack(lease: Lease): void {
    assert(this.#leases.delete(lease), 'a lease is given back only once')
    if (bytesLeft(lease) > 0) this.#reopen({ start: lease.position, end: lease.end })
  }

  /**
   * Lends open bytes to leases whose responses bring them anyway: their tails were taken by connections that then
   * failed to get them.
   */
  leaveToResponses(): void {
    for (const gap of [...this.#open]) {
      for (const lease of this.#leases) {
        // A lease that lacks nothing may have skipped bytes of its response already.
        if (lease.end !== gap.start || bytesLeft(lease) === 0 || lease.answeredTo <= gap.start) continue
        const end = Math.min(gap.end, lease.answeredTo)
        this.#open = this.#open.flatMap((each) =>
          each !== gap ? [each] : end < gap.end ? [{ ...gap, start: end }] : [],
        )
        lease.end = end
      }
    }
  }

  /**
   * Spends the budget on bytes that arrive in vain when a lease loses those from `cut` on: what it was asked for
   * beyond, up to the `onItsWayBytes` that may be on their way when it gets there. Returns false if the budget is too
   * small.
   */
  spare(lease: Lease, cut: number, onItsWayBytes: number, budget: SpareBudget): boolean {
    const vainBytes = Math.min(Math.max(0, lease.askedTo - cut), onItsWayBytes)
    const added = Math.max(0, vainBytes - lease.vainBytes)
    if (added > 0 && added > this.#spareIn(budget)) return false
    this.#spareBytes -= added
    lease.vainBytes += added
    return true
  }

  /** Gives the bytes of `victim` from `cut` on to another holder. */
  split(victim: Lease, cut: number, pace: Throughput): Lease {
    assert(this.#leases.has(victim) && cut >= victim.position && cut < victim.end, 'a cut is within missing bytes')
    const { end } = victim
    victim.end = cut
    return this.#add({ start: cut, end }, pace)
  }

  /** Returns the bytes of a lease from `end` on to the ranges that are not fetched yet. */
  shorten(lease: Lease, end: number): void {
    assert(this.#leases.has(lease) && end >= lease.position && end < lease.end, 'a cut is within missing bytes')
    this.#reopen({ start: end, end: lease.end })
    lease.end = end
  }

  /** Makes a hedge of the rest of a lease. Returns null if the lease has had one or the budget does not allow it. */
  hedge(lease: Lease, budget: SpareBudget, nowMs: number): Hedge | null {
    if (lease.hedge !== null || bytesLeft(lease) > this.#spareIn(budget)) return null
    this.#spareBytes -= bytesLeft(lease)
    return (lease.hedge = { of: lease, start: lease.position, end: lease.end, movedAtMs: nowMs })
  }

  /** Gives what a lease still lacks to its hedge, which has all of its bytes. Returns null when nothing is missing. */
  win(hedge: Hedge, pace: Throughput): Lease | null {
    const { of: victim } = hedge
    // A failed write may have moved the lease back to bytes that the copy does not have.
    const cut = Math.max(victim.position, hedge.start)
    return this.#leases.has(victim) && cut < victim.end ? this.split(victim, cut, pace) : null
  }

  /** Removes a hedge that has brought its bytes. */
  dropHedge(hedge: Hedge): void {
    hedge.of.hedge = null
  }

  #spareIn(budget: SpareBudget): number {
    return budget === 'all' ? this.#spareBytes : this.#spareBytes - this.#reserveBytes
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
    const lease: Lease = {
      start,
      position: start,
      end,
      askedFrom: Infinity,
      askedTo: 0,
      askedAtMs: -Infinity,
      answeredTo: 0,
      vainBytes: 0,
      pace,
      linePace: new Throughput(this.#line.lineMs, null),
      steadySinceMs: Infinity,
      hedge: null,
      blockedSinceMs: null,
    }
    this.#leases.add(lease)
    return lease
  }

  #reopen(range: ByteRange): void {
    const joined: ByteRange[] = []
    for (const next of [...this.#open, range].sort((a, b) => a.start - b.start)) {
      const last = joined.at(-1)
      assert(last === undefined || last.end <= next.start, 'no byte is open twice')
      if (last?.end === next.start) joined[joined.length - 1] = { start: last.start, end: next.end }
      else joined.push(next)
    }
    this.#open = joined
    assert(rangeLength(range) > 0, 'an open range is never empty')
  }
}
