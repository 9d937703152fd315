// How large leases are, and when to steal from or hedge one. Constants and pure functions; `lease-book.ts` keeps them.

import { MIB } from '../../../../shared/limits.ts'
import { MOST_BETWEEN_MS } from '../../flow-control/line-pace.ts'
import { Throughput } from '../../flow-control/throughput.ts'
import { bytesLeft, type Hedge, type Lease, type LeaseBook } from './lease-book.ts'

/** The length of a lease for a connection whose rate is not known yet (bytes). */
export const FIRST_LEASE_BYTES = 8 * MIB
export const MIN_LEASE_BYTES = MIB
const MAX_LEASE_BYTES = 64 * MIB
/** A lease is as long as its connection takes this long for (seconds). */
const LEASE_SECONDS = 4
/** So many connections there may soon be where the rate is unknown. */
const MANY_CONNECTIONS = 8
/** A lone connection leaves the line idle from each request to the next, so its leases are longer. */
const LONE_LEASE_SECONDS = 16
/** Leases that take less than this, or than some round trips, cost too many requests (seconds). */
const SHORTEST_LEASE_SECONDS = 0.5
const SHORTEST_LEASE_ROUND_TRIPS = 8

/** Leases start within a window after the lowest missing byte, at least this long (bytes): far writes can be slow. */
const MIN_WINDOW_BYTES = 1024 * MIB

/** Less than this is not worth two requests (bytes). */
export const MIN_STEAL_BYTES = 2 * MIB
/** Leases are cut at multiples of this (bytes). */
const CUT_BYTES = MIB / 4
/** A lease that ends within this and two round trips is left alone (milliseconds). */
const SOON_MS = 250
/** A copy is made if it takes at most this share of the time that the lease itself needs. */
const COPY_TIME_SHARE = 0.5
/** A lease is far behind if a copy takes at most this share of its time: the whole spare budget may be spent on it. */
const FAR_BEHIND_SHARE = 0.2
/** A lease below this share of the usual rate, or of the thief's, is slow and may lose all that it lacks. */
const SLOW_SHARE = 0.1
/** A slow lease in mid-download has been measured for this long, and has at least this long to go (milliseconds). */
const SLOW_AGE_MS = 6000
const SLOW_ETA_MS = 10_000
/** Bytes that have come for so long without a pause show that no queue holds them up (milliseconds). */
const STEADY_MS = 1000
/** How much a connection fetches that is tried while all others are silent (bytes). */
const TRIAL_BYTES = MIB / 16
/** Under a bandwidth limit the pace says nothing; only a silence of this long does (milliseconds). */
const STUCK_MS = 5000
/** A lease whose holder waits for the disk or the bandwidth limit longer than this waits for its holder (milliseconds). */
const BLOCKED_MS = 300
/** Slower connections count as this fast, so that every time left is finite (bytes a second). */
const SLOWEST_RATE = 1024

/**
 * The budget for bytes that arrive twice or in vain: this share of an object, plus this many (bytes). A copied rest
 * arrives twice; when a connection loses bytes it was asked for, those already on their way to it arrive in vain.
 */
const SPARE_SHARE = 1 / 40
const SPARE_BYTES = MIB / 2
/** A queue on the way is taken to hold at most this much time's worth (seconds), plus this much (bytes). */
const QUEUE_SECONDS = 2
const LEAST_QUEUE_BYTES = MIB / 16
/** TCP resends lost data within this time, unless it is lost again and again (milliseconds). */
const LOST_MS = 3000

/** What is known when work is assigned. */
export interface Circumstances {
  readonly nowMs: number
  /** From a request to its response, milliseconds. */
  readonly latencyMs: number
  /** Connections that this download may have. */
  readonly connections: number
  /** What connections of this download brought recently, bytes a second; null when unknown. */
  readonly usualRate: number | null
  /** What all downloads from the host bring together, an average over some seconds; bytes a second, 0 when unknown. */
  readonly hostRate: number
  /** Whether a bandwidth limit is in force. */
  readonly isLimited: boolean
  /** Whether it is in doubt that ranges work: then bytes that are on their way are not asked for again. */
  readonly isInDoubt: boolean
}

/** What an idle connection does next. `victim` is the lease that lost these bytes. */
export type Assignment =
  | { readonly kind: 'lease'; readonly lease: Lease; readonly victim: Lease | null }
  | { readonly kind: 'hedge'; readonly hedge: Hedge }

/** How many bytes of an object may arrive twice or in vain to finish it sooner. */
export function spareBytes(sizeBytes: number): number {
  return Math.floor(SPARE_SHARE * sizeBytes) + SPARE_BYTES
}

/**
 * How many of the bytes from `cut` on may be on their way to the holder of a lease when another connection gets them.
 * The holder has its share of the queue; once it gets to a later `cut`, the others may have ended, those of other
 * downloads too, and the whole queue may be its own. Queued bytes still wait while nothing arrives over any connection,
 * so the time of the line counts.
 */
export function onItsWayBytes(book: LeaseBook, lease: Lease, cut: number, now: Circumstances): number {
  const { nowMs, usualRate, hostRate } = now
  if (isLost(book, lease, nowMs)) return LEAST_QUEUE_BYTES
  const { pace, linePace, position, start } = lease
  const current = pace.rateAt(nowMs) ?? Infinity
  const known = isSteady(lease, nowMs) ? current : Math.max(current, linePace.longRateAt(book.lineMs))
  const rate = position > start ? known : (usualRate ?? Infinity)
  const ofAll = cut > position ? Math.max(book.lineRate, hostRate) : 0
  return LEAST_QUEUE_BYTES + QUEUE_SECONDS * Math.max(rate, ofAll)
}

/**
 * Length of the next lease in bytes: some seconds' worth, less towards the end to let all leases end together, and
 * never so little that requests cost more than they bring. `rate` is in bytes a second, null when unknown.
 */
export function leaseBytes(rate: number | null, openBytes: number, { connections, latencyMs }: Circumstances): number {
  const wish = rate === null ? FIRST_LEASE_BYTES : rate * (connections === 1 ? LONE_LEASE_SECONDS : LEASE_SECONDS)
  const shortestSeconds = Math.max(SHORTEST_LEASE_SECONDS, (SHORTEST_LEASE_ROUND_TRIPS * latencyMs) / 1000)
  const least = Math.max(MIN_LEASE_BYTES, (rate ?? 0) * shortestSeconds)
  // At an unknown rate there may soon be many connections, and bytes taken from a lease may be on their way already.
  const sharers = rate === null ? Math.max(MANY_CONNECTIONS, connections) : connections
  const bytes = Math.max(least, Math.min(wish, openBytes / (2 * sharers)))
  return Math.min(MAX_LEASE_BYTES, Math.ceil(bytes / MIB) * MIB)
}

/**
 * Finds work for an idle connection whose last rate was `rate` (bytes a second, null when unknown): the lowest gap,
 * else the tail of the lease that would end last, else a copy of its rest. Returns null when nothing helps.
 */
export function assign(book: LeaseBook, rate: number | null, now: Circumstances): Assignment | null {
  // The median comes last: near the end, only slow leases may be left to compare with.
  const expected = rate ?? now.usualRate ?? medianRate(book, now.nowMs)
  const length = leaseBytes(expected, book.openBytes, now)
  const windowBytes = Math.max(MIN_WINDOW_BYTES, 4 * now.connections * length)
  const lease = book.lend(length, windowBytes, new Throughput(now.nowMs, expected))
  if (lease !== null) return { kind: 'lease', lease, victim: null }
  const victim = now.isInDoubt ? null : latest(book, now)
  return victim === null ? null : relieve(book, victim, expected, now)
}

/**
 * Finds a few bytes for a connection that only shows whether the line is back: open ones, else the end of the longest
 * lease, or a copy of its rest if that is no longer. Returns null when there are none.
 */
export function trial(book: LeaseBook, { nowMs }: Circumstances): Assignment | null {
  const pace = new Throughput(nowMs, null)
  const open = book.lend(TRIAL_BYTES, Infinity, pace)
  if (open !== null && bytesLeft(open) > TRIAL_BYTES) book.shorten(open, open.start + TRIAL_BYTES)
  if (open !== null) return { kind: 'lease', lease: open, victim: null }
  const [longest] = [...book.leases].sort((a, b) => bytesLeft(b) - bytesLeft(a))
  if (longest === undefined || bytesLeft(longest) === 0) return null
  const cut = longest.end - TRIAL_BYTES
  if (cut <= longest.position) {
    const hedge = book.hedge(longest, 'all', nowMs)
    return hedge === null ? null : { kind: 'hedge', hedge }
  }
  if (!book.spare(longest, cut, TRIAL_BYTES, 'all')) return null
  return { kind: 'lease', lease: book.split(longest, cut, pace), victim: null }
}

/** Leases in mid-download that are far behind the others: a new connection had better fetch their rest. */
export function slowLeases(book: LeaseBook, { nowMs, isLimited, isInDoubt }: Circumstances): readonly Lease[] {
  if (isLimited || isInDoubt) return []
  const lost = [...book.leases].filter((lease) => isLost(book, lease, nowMs))
  const usual = medianRate(book, nowMs)
  if (lost.length > 0 || usual === null || book.leases.size < 3) return lost
  return [...book.leases].filter(
    (lease) =>
      !isBlocked(lease, nowMs) &&
      etaMs(lease, lease.pace.rateAt(nowMs)) >= SLOW_ETA_MS &&
      isSlow(book, lease, usual, nowMs),
  )
}

/**
 * Whether a lease is far slower than `usual` and than the others, which would share any fault of the line. A connection
 * in a queue stands still and then gets its turn: the lease must be steadily slow, or have been slow for some seconds.
 */
function isSlow(book: LeaseBook, lease: Lease, usual: number, nowMs: number): boolean {
  if (isSteadilySlow(book, lease, usual, nowMs)) return true
  const { lineMs } = book
  const { pace, linePace } = lease
  if ((pace.rateAt(nowMs) ?? 0) >= SLOW_SHARE * usual) return false
  return linePace.ageMs(lineMs) >= SLOW_AGE_MS && linePace.longRateAt(lineMs) < farRate(book)
}

function isSteadilySlow(book: LeaseBook, lease: Lease, usual: number, nowMs: number): boolean {
  const rate = lease.pace.rateAt(nowMs) ?? 0
  return isSteady(lease, nowMs) && rate < SLOW_SHARE * usual && rate < farRate(book)
}

/** A small part of a fair share of the line (bytes a second). */
function farRate({ lineRate, leases }: LeaseBook): number {
  // The connection that would take over counts, too.
  return (SLOW_SHARE * lineRate) / (leases.size + 1)
}

/** Whether the data sent for a lease is lost: nothing has arrived for some seconds, and no queue explains that. */
function isLost(book: LeaseBook, lease: Lease, nowMs: number): boolean {
  const { blockedSinceMs, hedge, pace } = lease
  if (blockedSinceMs !== null || hedge !== null) return false
  return pace.silentMs(nowMs) >= LOST_MS && book.isOvertaken(lease, nowMs)
}

/** Whether bytes have arrived without a pause for so long that the connection can't be waiting in a queue. */
function isSteady({ pace, steadySinceMs }: Lease, nowMs: number): boolean {
  return pace.silentMs(nowMs) <= MOST_BETWEEN_MS && nowMs - steadySinceMs >= STEADY_MS
}

/** Takes the tail of a lease, or copies a small rest. If neither is possible, a slow lease loses all that it lacks. */
function relieve(book: LeaseBook, victim: Lease, expected: number | null, now: Circumstances): Assignment | null {
  const { nowMs, latencyMs, isLimited } = now
  const lacking = bytesLeft(victim)
  const rate = Math.max(victim.pace.leastRateAt(nowMs) ?? 0, SLOWEST_RATE)
  const thiefRate = Math.max(expected ?? rate, SLOWEST_RATE)
  const copyMs = (lacking * 1000) / thiefRate + latencyMs
  const timeShare = copyMs / etaMs(victim, rate)
  const budget = timeShare <= FAR_BEHIND_SHARE ? 'all' : 'beyond-reserve'
  const steal = (cut: number): Assignment | null => {
    if (!book.spare(victim, cut, onItsWayBytes(book, victim, cut, now), budget)) return null
    const lease = book.split(victim, cut, new Throughput(nowMs, expected))
    return { kind: 'lease', lease, victim }
  }
  if (isLimited) return steal(victim.position)
  let found: Assignment | null = null
  if (lacking >= MIN_STEAL_BYTES) {
    const wished = victim.end - (lacking * thiefRate) / (thiefRate + rate)
    // The victim keeps a little, which is copied before long: a connection that waits in a queue is not given up.
    const cut = Math.max(Math.ceil(wished / CUT_BYTES), Math.floor(victim.position / CUT_BYTES) + 1) * CUT_BYTES
    if (cut < victim.end) found = steal(cut)
  } else if (timeShare <= COPY_TIME_SHARE) {
    const hedge = book.hedge(victim, budget, nowMs)
    if (hedge !== null) found = { kind: 'hedge', hedge }
  }
  if (found !== null || victim.hedge !== null || !isSteadilySlow(book, victim, thiefRate, nowMs)) return found
  return steal(victim.position)
}

/** The lease that would end last; null when none is late enough to be worth relieving. */
function latest(book: LeaseBook, { nowMs, latencyMs, isLimited }: Circumstances): Lease | null {
  let found: Lease | null = null
  let foundMs = SOON_MS + 2 * latencyMs
  for (const lease of book.leases) {
    if (bytesLeft(lease) === 0 || lease.hedge !== null || isBlocked(lease, nowMs)) continue
    if (isLimited && lease.pace.silentMs(nowMs) < STUCK_MS) continue
    const thisMs = etaMs(lease, lease.pace.leastRateAt(nowMs))
    if (thisMs <= foundMs) continue
    found = lease
    foundMs = thisMs
  }
  return found
}

/** Milliseconds until a lease ends at `rate`; 0 while that is not known. */
function etaMs(lease: Lease, rate: number | null): number {
  return rate === null ? 0 : (bytesLeft(lease) * 1000) / Math.max(rate, SLOWEST_RATE)
}

/** Whether the lease waits for its holder rather than for its connection. */
function isBlocked({ blockedSinceMs }: Lease, nowMs: number): boolean {
  return blockedSinceMs !== null && nowMs - blockedSinceMs > BLOCKED_MS
}

function medianRate(book: LeaseBook, nowMs: number): number | null {
  const rates = [...book.leases].flatMap((lease) => lease.pace.rateAt(nowMs) ?? []).sort((a, b) => a - b)
  return rates[Math.floor(rates.length / 2)] ?? null
}

/** When bytes of a lease last came: `nowMs` while its holder waits for something else, -Infinity before the first. */
export function lastMovedAtMs({ start, position, pace, blockedSinceMs }: Lease, nowMs: number): number {
  if (blockedSinceMs !== null) return nowMs
  return position > start ? nowMs - pace.silentMs(nowMs) : -Infinity
}
