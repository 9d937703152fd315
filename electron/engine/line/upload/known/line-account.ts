import { MIB } from '../../../../../shared/limits.ts'
import { LineRate, type KnownStretch } from './line-rate.ts'
import type { SentBody } from './sent-body.ts'
import { isPaced, isSmall, type OnItsWay } from './on-its-way.ts'

/** How many of the latest turnarounds are kept to show what is usual. */
const KNOWN_TURNAROUNDS = 20
/** Bytes reported in a burst are offset later, up to what the line carries in this time (milliseconds). */
const MOST_AHEAD_MS = 2000
/** The buffers of connections may grow by this much, which looks as if the line had carried it (bytes). */
const GROWN_BYTES = 2 * MIB
/** A body whose connection took no more than this hardly distorts the pace of another one (bytes). */
const LITTLE_BYTES = 0.75 * MIB
/** How many of the latest requests without a body tell how far away the service is. */
const KNOWN_ROUND_TRIPS = 5
/** A pace below this share of the rate that answers show means an outage, not growing buffers. */
const LEAST_SHARE = 0.75
/** The rate may be this share too high, so that the end of a body is reported early by this share of its time. */
const MOST_EARLY = 0.1
/** But early by no more than this (milliseconds). */
const MOST_EARLY_MS = 4000
/** Until a large body is answered, the rate that a small one showed is used for this long (milliseconds). */
const SMALL_HOLDS_MS = 10_000
/** A first body that is alone may take this long to show its pace (milliseconds). */
const FIRST_PACE_MS = 5000

/**
 * Adds up how far the bodies on one line have come: bytes that drained from full connections, bytes that were answered,
 * and estimates in between. Reports to each body's owner how much of it has moved. Bytes and milliseconds.
 */
export class LineAccount {
  /** In the order in which they began. */
  readonly #members: ReadonlySet<OnItsWay>
  readonly #rate = new LineRate()
  /** Bytes that the service certainly has. */
  takenBytes = 0
  /** Of these, the bytes that were seen to drain from full connections. */
  drainedBytes = 0
  /** Bytes of answered bodies, small ones included. */
  answeredBytes = 0
  /** When the latest body was answered, monotonic milliseconds. */
  answeredAtMs = -Infinity
  /** Time that all answered large bodies took, added up. */
  answeredMs = 0
  /** How long the latest large body took; null before the first. */
  bodyMs: number | null = null
  /** The latest times from the last byte of a body to its answer. */
  turnaroundsMs: readonly number[] = []
  /** The shortest such time ever seen. */
  turnaroundMs = Infinity
  #bodyBytes = 0
  #roundTripsMs: readonly number[] = []
  /** What moved has been reported up to this moment, monotonic milliseconds. */
  #toldAtMs = 0
  /** Bytes reported by then beyond what the rate of the line explains. */
  #toldBytes = 0
  /** No rate is known, so what moves is not reported yet. */
  #isUntold = true
  /** Answers show the rate: what drains beyond it may only be growing buffers. */
  #isSure = false
  /** How long the line has been in use, as of `#atMs`. */
  #busyMs = 0
  #atMs = 0
  /** From when on the service can have received and answered anything, monotonic milliseconds. */
  #inUseFromMs = 0
  /** Pace at which the full connection of the latest lone body drained; null if unknown. */
  #pace: number | null = null
  /** Upper limit of the rate, shown by a body that is alone and not answered yet; null if unknown. */
  #mostPace: number | null = null

  constructor(members: ReadonlySet<OnItsWay>) {
    this.#members = members
  }

  /** Bytes a second; null if unknown. */
  get bytesPerSecond(): number | null {
    return this.#rateWhile(0)
  }

  /** Bytes of bodies that were begun and are not answered. */
  get queueBytes(): number {
    let bytes = 0
    for (const { body } of this.#members) bytes += body.sizeBytes
    return bytes
  }

  /** The shortest recent time to the answer of a request without a body, milliseconds; 0 if unknown. */
  get roundTripMs(): number {
    return this.#roundTripsMs.length === 0 ? 0 : Math.min(...this.#roundTripsMs)
  }

  /** Records how long a request without a body took to be answered, milliseconds. */
  roundTrip(ms: number): void {
    this.#roundTripsMs = [...this.#roundTripsMs.slice(1 - KNOWN_ROUND_TRIPS), ms]
  }

  /** The line comes into use. It counts as empty for one round trip, until the first byte can have been answered. */
  begin(nowMs: number): void {
    this.#atMs = this.#toldAtMs = nowMs
    this.#inUseFromMs = nowMs + this.roundTripMs
    this.#toldBytes = 0
  }

  /** The connection of a body took this many more bytes. */
  handed({ body, asked }: OnItsWay, bytes: number, nowMs: number): void {
    const before = body.drainedBytes
    body.handed(bytes, nowMs, isPaced(asked))
    if (!this.#isSure || isPaced(asked)) this.#toldBytes += this.#tell({ body, asked })
    this.queued(body)
    const drained = body.drainedBytes - before
    this.drainedBytes += drained
    this.takenBytes += drained
    if (this.#isAlone(body)) this.#pace = body.steadyPace ?? this.#pace
    this.#tookBeside(body, bytes)
    if (drained > 0) this.#rate.known(drained, this.#busyAt(nowMs), [])
  }

  /** A body begins or moves: everything on its way now may be ahead of it. */
  queued(body: SentBody): void {
    const { queueBytes, bytesPerSecond, answeredBytes } = this
    body.queued({ queueBytes, bytesPerSecond, answeredBytes })
  }

  /** A body was answered; it is no longer a member. */
  answered(member: OnItsWay, nowMs: number): void {
    const { body, asked } = member
    const elapsedMs = nowMs - body.beganAtMs
    // At most half of the time counts as distance, so that a slow round trip can at most double the rate.
    this.#inUseFromMs = Math.min(this.#inUseFromMs, nowMs - elapsedMs / 2)
    const turnaroundMs = nowMs - body.movedAtMs
    this.#othersEnded()
    this.answeredBytes += body.sizeBytes
    this.answeredAtMs = nowMs
    this.takenBytes += body.sizeBytes - body.drainedBytes
    if (!isSmall(asked)) {
      this.answeredMs += elapsedMs
      this.bodyMs = elapsedMs
      this.#bodyBytes = body.sizeBytes
    }
    this.turnaroundMs = Math.min(this.turnaroundMs, turnaroundMs)
    this.turnaroundsMs = [...this.turnaroundsMs.slice(1 - KNOWN_TURNAROUNDS), turnaroundMs]
    const left = body.sizeBytes - body.toldBytes
    const counted = this.#takeBack(left)
    if (counted > 0) asked.onTaken(counted)
    if (left > counted) asked.onTaken(left - counted, nowMs - Math.max(body.beganAtMs, this.#inUseFromMs))
    this.#movedUnseen(body, body.sizeBytes - body.drainedBytes, nowMs)
    if (this.bodyMs !== null) this.#rate.took(this.bodyMs)
    this.#seemedSlow()
  }

  /**
   * A body was given up; it is no longer a member. What moved of it must be sent again, but what was counted of it
   * still tells how fast the line is.
   */
  lost(member: OnItsWay, nowMs: number): void {
    const { asked, body, isStuck } = member
    this.#othersEnded()
    if (body.toldBytes > 0) asked.onTaken(-body.toldBytes)
    if (!isStuck) this.#movedUnseen(body, body.takenBytes - body.drainedBytes, nowMs)
  }

  /**
   * Time passes: bytes in buffers are taken to move at the rate of the line where nothing better shows it. Bursts
   * beyond that rate are offset, and what moved before a rate was known is reported as soon as there is one.
   */
  look(nowMs: number): void {
    // Connections are still being made.
    if (![...this.#members].some(({ body }) => body.handedBytes > 0)) return this.begin(nowMs)
    this.#rate.look(this.#busyAt(nowMs))
    const rate = this.#rateWhile(SMALL_HOLDS_MS)
    this.#isUntold = rate === null
    this.#isSure = this.#rate.sureBytesPerSecond(this.#sureMs) !== null
    if (rate === null) return
    const overMs = nowMs - this.#toldAtMs
    let budget = (rate * overMs) / 1000 - this.#toldBytes
    // How much of what drained may be reported: beyond the rate, GROWN_BYTES of it may be growing buffers.
    let most = this.#isSure ? Math.max(0, budget, this.#untoldBytes - GROWN_BYTES) : Infinity
    for (const member of this.#members) {
      const told = this.#tell(member, overMs, most)
      most -= Math.max(0, told)
      budget -= told
    }
    // Bodies are assumed to arrive in the order in which they began.
    for (const member of this.#members) {
      if (budget <= 0) break
      if (member.isStuck) continue
      const estimated = member.body.estimate(Math.round(budget))
      this.#tell(member, overMs, estimated)
      budget -= estimated
    }
    if (budget > 0) this.#tellLater(budget, rate)
    this.#toldAtMs = nowMs
    this.#toldBytes = Math.min(Math.max(0, -budget), (rate * MOST_AHEAD_MS) / 1000)
  }

  /** What the line moved from a moment until the one up to which all is known. `fromMs`: monotonic milliseconds. */
  knownSince(fromMs: number): KnownStretch {
    return this.#rate.between(this.#inUse(fromMs), this.#sureMs)
  }

  /** How long a body of this size takes, judged by the latest large one, milliseconds; null before the first. */
  usualMs(sizeBytes: number): number | null {
    return this.bodyMs === null ? null : (this.bodyMs * sizeBytes) / this.#bodyBytes
  }

  /** Milliseconds until the service should have all of a body; null if that can't be told. */
  leftMs(member: OnItsWay): number | null {
    const rate = this.bytesPerSecond
    // Only the first answer shows how long the service takes to answer: until then the line seems ever slower.
    if (rate === null || (this.answeredBytes === 0 && member.body.isHanded)) return null
    let ahead = 0
    for (const each of this.#members) {
      ahead += each.body.leftBytes
      if (each === member) break
    }
    return (ahead * 1000) / Math.max(1, rate)
  }

  /**
   * The answer to the oldest body is due, and all of it was reported: some of that was reported too soon and moves only
   * now. Moves those bytes to the present, as long as a small error of the rate explains them.
   */
  #tellLater(bytes: number, rate: number): void {
    const [oldest] = this.#members
    if (oldest === undefined || isSmall(oldest.asked) || isPaced(oldest.asked) || oldest.isStuck) return
    if (oldest.body.leftBytes > 0) return
    const sinceMs = this.#busyMs - this.#inUse(oldest.body.beganAtMs)
    const mostBytes = (rate * Math.min(sinceMs * MOST_EARLY, MOST_EARLY_MS)) / 1000 - oldest.body.earlyBytes
    const lateBytes = Math.floor(Math.min(bytes, mostBytes))
    if (lateBytes <= 0) return
    oldest.body.toldEarly(lateBytes)
    oldest.asked.onTaken(lateBytes)
    oldest.asked.onTaken(-lateBytes, sinceMs)
  }

  /** @param heldMs how long the rate of a lone small body holds, milliseconds; 0 where a line is judged by the rate. */
  #rateWhile(heldMs: number): number | null {
    if (this.#pace === null && this.#isFirstYoung) return null
    const rate = this.#rate.bytesPerSecond(this.#sureMs, this.#pace, heldMs)
    if (rate === null || this.#mostPace === null || this.#mostPace < rate * LEAST_SHARE) return rate
    return Math.min(rate, this.#mostPace)
  }

  /** Up to this time of use all that moved is known: every body on its way began later. */
  get #sureMs(): number {
    let sureMs = Infinity
    for (const { body, isStuck } of this.#members)
      if (!isStuck && body.handedBytes > 0) sureMs = Math.min(sureMs, this.#inUse(body.beganAtMs))
    return sureMs
  }

  /** Nothing was answered yet, and the first body is alone and may soon show its pace. */
  get #isFirstYoung(): boolean {
    const [first, ...others] = this.#members
    if (first === undefined || this.answeredBytes > 0) return false
    const isAlone = others.every(({ body }) => body.handedBytes === 0)
    return isAlone && this.#atMs - first.body.beganAtMs < FIRST_PACE_MS
  }

  #seemedSlow(): void {
    const rate = this.bytesPerSecond ?? 0
    for (const { body } of this.#members) body.seemedSlow(rate)
  }

  /** Another body with only a little in its buffers doesn't distort the pace that `body` shows. */
  #tookBeside(body: SentBody, bytes: number): void {
    for (const other of this.#othersOf(body)) {
      other.tookBeside(bytes)
      if (other.isHanded || other.handedBytes > LITTLE_BYTES) body.shared()
    }
    this.#mostPace = body.latePace ?? this.#mostPace
  }

  #othersEnded(): void {
    this.#mostPace = null
    for (const { body } of this.#members) body.shared()
  }

  #isAlone(body: SentBody): boolean {
    for (const other of this.#othersOf(body)) if (other.handedBytes > 0) return false
    return true
  }

  *#othersOf(body: SentBody): Iterable<SentBody> {
    for (const member of this.#members) if (member.body !== body) yield member.body
  }

  #movedUnseen(body: SentBody, bytes: number, nowMs: number): void {
    const busyMs = this.#busyAt(nowMs)
    const stretches = body
      .unseen(nowMs)
      .map(({ fromMs, toMs }) => ({ fromMs: this.#inUse(fromMs), toMs: this.#inUse(toMs) }))
    this.#rate.known(bytes, busyMs, stretches)
  }

  /** Advances the time of use to `nowMs` and returns it. */
  #busyAt(nowMs: number): number {
    if (nowMs < this.#inUseFromMs) return this.#busyMs
    this.#busyMs += nowMs - Math.max(this.#atMs, this.#inUseFromMs)
    this.#atMs = nowMs
    return this.#busyMs
  }

  /** Converts a moment since the line came into use to time of use, as of the latest look. */
  #inUse(atMs: number): number {
    return this.#busyMs - Math.max(0, this.#atMs - Math.max(atMs, this.#inUseFromMs))
  }

  get #untoldBytes(): number {
    let bytes = 0
    for (const { body } of this.#members) bytes += body.takenBytes - body.toldBytes
    return bytes
  }

  /** Estimates credited these bytes to other bodies: takes them back, latest body first. @returns how many. */
  #takeBack(bytes: number): number {
    let left = bytes
    for (const member of [...this.#members].reverse()) {
      if (left <= 0) break
      left += member.body.estimate(-left)
      this.#tell(member)
    }
    return bytes - left
  }

  /** Reports to its owner how much more of a body has been taken, up to `most`. @returns that number of bytes. */
  #tell({ asked, body }: Pick<OnItsWay, 'asked' | 'body'>, overMs?: number, most = Infinity): number {
    // Later observations may show that more moved, and earlier.
    if (this.#isUntold && !isPaced(asked)) return 0
    const bytes = body.tell(most)
    if (bytes !== 0) asked.onTaken(bytes, overMs)
    return bytes
  }
}
