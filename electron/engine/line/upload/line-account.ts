import { MIB } from '../../../../shared/limits.ts'
import { LineRate } from './line-rate.ts'
import type { SentBody } from './sent-body.ts'
import { isPaced, isSmall, type OnItsWay } from './upload-admission.ts'

/** So many of the latest answers tell what is usual. */
const KNOWN_TURNAROUNDS = 20
/** What came in a burst is made up for as far as the line carries it in this (milliseconds). */
const MOST_AHEAD_MS = 2000
/** Buffers of connections may grow by so much, which looks as if the line took it (bytes). */
const GROWN_BYTES = 2 * MIB
/** What the connections of others took hides little of the pace of one that is full while it is no more than this (bytes). */
const LITTLE_BYTES = 0.75 * MIB
/** So many of the latest requests without a body tell how far away the service is. */
const KNOWN_ROUND_TRIPS = 5
/** What drains slower than this share of what was answered for tells of an outage, not of buffers. */
const LEAST_SHARE = 0.75
/** The rate may be off by so much, so that the last of a body is told as much sooner than its answer shows it. */
const MOST_EARLY = 0.1
/** And no longer than this (milliseconds). */
const MOST_EARLY_MS = 4000
/** What moves is told by the rate of a small body alone until a large one is answered, for so long (milliseconds). */
const SMALL_HOLDS_MS = 10_000
/** A first body that is alone may take so long to show its pace (milliseconds). */
const FIRST_PACE_MS = 5000

/**
 * What the bodies on one line are known to have come to, all together: what drained from full connections, what was
 * answered, and what is estimated in between. Bytes and milliseconds; tells each body's owner what of it has moved.
 */
export class LineAccount {
  /** In the order of their beginning. */
  readonly #members: ReadonlySet<OnItsWay>
  readonly #rate = new LineRate()
  /** Taken by the service for certain. */
  takenBytes = 0
  /** Of that, seen to drain from full connections. */
  drainedBytes = 0
  /** Of bodies that were answered, small ones included. */
  answeredBytes = 0
  /** When the latest of them was, monotonic milliseconds. */
  answeredAtMs = -Infinity
  /** What the large ones of them took together. */
  answeredMs = 0
  /** What the latest large one took; null: there was none. */
  bodyMs: number | null = null
  /** From the last byte of a body to its answer: the latest ones. */
  turnaroundsMs: readonly number[] = []
  /** The least of all. */
  turnaroundMs = Infinity
  #bodyBytes = 0
  #roundTripsMs: readonly number[] = []
  /** Until when what moved was told, monotonic milliseconds. */
  #toldAtMs = 0
  /** What was told beyond the rate of the line by then. */
  #toldBytes = 0
  /** What moved is not told yet, for no rate is known. */
  #isUntold = true
  /** Answers tell the rate: what drains beyond it may be no more than buffers that grow. */
  #isSure = false
  /** How long the line has been in use, as of the moment below. */
  #busyMs = 0
  #atMs = 0
  /** Since when anything can have been there and been answered for, monotonic milliseconds. */
  #inUseFromMs = 0
  /** Of the latest that was on its way alone, as its full connection drained; null: unknown. */
  #pace: number | null = null
  /** No more than that is carried, as a body shows that was alone and is not answered; null: unknown. */
  #mostPace: number | null = null

  constructor(members: ReadonlySet<OnItsWay>) {
    this.#members = members
  }

  /** Bytes a second; null: unknown. */
  get bytesPerSecond(): number | null {
    return this.#rateWhile(0)
  }

  /** Begun and not answered. */
  get queueBytes(): number {
    let bytes = 0
    for (const { body } of this.#members) bytes += body.sizeBytes
    return bytes
  }

  /** Of an answer to a request that carries nothing: the least of late, milliseconds; 0: unknown. */
  get roundTripMs(): number {
    return this.#roundTripsMs.length === 0 ? 0 : Math.min(...this.#roundTripsMs)
  }

  /** A request without a body was answered after so long, milliseconds. */
  roundTrip(ms: number): void {
    this.#roundTripsMs = [...this.#roundTripsMs.slice(1 - KNOWN_ROUND_TRIPS), ms]
  }

  /** The line is taken into use. For one round trip it is empty: the way of the first byte, and that of its answer. */
  begin(nowMs: number): void {
    this.#atMs = this.#toldAtMs = nowMs
    this.#inUseFromMs = nowMs + this.roundTripMs
    this.#toldBytes = 0
  }

  /** The connection of a body took so many more bytes. */
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

  /** A body begins or moves: all that is on its way now may be before it. */
  queued(body: SentBody): void {
    const { queueBytes, bytesPerSecond, answeredBytes } = this
    body.queued({ queueBytes, bytesPerSecond, answeredBytes })
  }

  /** A body that is no member any more was answered. */
  answered(member: OnItsWay, nowMs: number): void {
    const { body, asked } = member
    const elapsedMs = nowMs - body.beganAtMs
    // An answer that takes long now and then makes no line faster than twice what it seems to be.
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
   * A body that is no member any more was given up: what moved of it goes the way again, and says as much of the line
   * as was counted of it.
   */
  lost(member: OnItsWay, nowMs: number): void {
    const { asked, body, isStuck } = member
    this.#othersEnded()
    if (body.toldBytes > 0) asked.onTaken(-body.toldBytes)
    if (!isStuck) this.#movedUnseen(body, body.takenBytes - body.drainedBytes, nowMs)
  }

  /**
   * Time passes: what buffers hold moves on at the rate of the line, as far as nothing better shows it. What came in
   * bursts beyond that is made up for, and what moved before a rate was known is told as soon as there is one.
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
    // What drained and is not told yet.
    let most = this.#isSure ? Math.max(0, budget, this.#untoldBytes - GROWN_BYTES) : Infinity
    for (const member of this.#members) {
      const told = this.#tell(member, overMs, most)
      most -= Math.max(0, told)
      budget -= told
    }
    // Earlier bodies are taken to be before the others.
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

  /** What a body takes in all by the latest large one, milliseconds; null: there was none. */
  usualMs(sizeBytes: number): number | null {
    return this.bodyMs === null ? null : (this.bodyMs * sizeBytes) / this.#bodyBytes
  }

  /** Milliseconds until the service should have all of a body; null: that can't be told. */
  leftMs(member: OnItsWay): number | null {
    const rate = this.bytesPerSecond
    // How long a service takes to answer shows with its first answer; the longer that lasts, the slower the line seems.
    if (rate === null || (this.answeredBytes === 0 && member.body.isHanded)) return null
    let ahead = 0
    for (const each of this.#members) {
      ahead += each.body.leftBytes
      if (each === member) break
    }
    return (ahead * 1000) / Math.max(1, rate)
  }

  /**
   * The answer to the oldest body is due, and all that was given is told: some of that was told too soon, and moves only
   * now. For as long as a small error of the rate explains it.
   */
  #tellLater(bytes: number, rate: number): void {
    const [oldest] = this.#members
    if (oldest === undefined || isSmall(oldest.asked) || isPaced(oldest.asked) || oldest.isStuck) return
    if (oldest.body.leftBytes > 0) return
    const sinceMs = this.#busyMs - this.#inUse(oldest.body.beganAtMs)
    const lateBytes = Math.min(
      bytes,
      (rate * Math.min(sinceMs * MOST_EARLY, MOST_EARLY_MS)) / 1000 - oldest.body.earlyBytes,
    )
    if (lateBytes <= 0) return
    oldest.body.toldEarly(lateBytes)
    oldest.asked.onTaken(lateBytes)
    oldest.asked.onTaken(-lateBytes, sinceMs)
  }

  /** @param heldMs what a small body alone told holds for so long, milliseconds: too little to judge a line by. */
  #rateWhile(heldMs: number): number | null {
    if (this.#pace === null && this.#isFirstYoung) return null
    const rate = this.#rate.bytesPerSecond(this.#sureMs, this.#pace, heldMs)
    if (rate === null || this.#mostPace === null || this.#mostPace < rate * LEAST_SHARE) return rate
    return Math.min(rate, this.#mostPace)
  }

  /** Until when all that moved is known, in time of use: what is on its way began after it. */
  get #sureMs(): number {
    let sureMs = Infinity
    for (const { body, isStuck } of this.#members)
      if (!isStuck && body.handedBytes > 0) sureMs = Math.min(sureMs, this.#inUse(body.beganAtMs))
    return sureMs
  }

  /** Nothing was answered, and the first body has not shown its pace, but soon may. */
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

  /** Others of which buffers hold little hide nothing of the pace of the line. */
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

  /** How long the line has been in use by now. */
  #busyAt(nowMs: number): number {
    if (nowMs < this.#inUseFromMs) return this.#busyMs
    this.#busyMs += nowMs - Math.max(this.#atMs, this.#inUseFromMs)
    this.#atMs = nowMs
    return this.#busyMs
  }

  /** The same at a moment since the line was taken into use, by the latest look. */
  #inUse(atMs: number): number {
    return this.#busyMs - Math.max(0, this.#atMs - Math.max(atMs, this.#inUseFromMs))
  }

  get #untoldBytes(): number {
    let bytes = 0
    for (const { body } of this.#members) bytes += body.takenBytes - body.toldBytes
    return bytes
  }

  /** The bytes of another body moved while these were counted: takes that back, of the latest first. Returns how much. */
  #takeBack(bytes: number): number {
    let left = bytes
    for (const member of [...this.#members].reverse()) {
      if (left <= 0) break
      left += member.body.estimate(-left)
      this.#tell(member)
    }
    return bytes - left
  }

  /** Tells its owner what a body has come to since, `most` at most; returns how much more that is. */
  #tell({ asked, body }: Pick<OnItsWay, 'asked' | 'body'>, overMs?: number, most = Infinity): number {
    // What is to come may show that more moved, and sooner.
    if (this.#isUntold && !isPaced(asked)) return 0
    const bytes = body.tell(most)
    if (bytes !== 0) asked.onTaken(bytes, overMs)
    return bytes
  }
}
