import { LineAnswers } from './line-answers.ts'
import { LineRate, type Known, type KnownStretch } from './line-rate.ts'
import { LonePace } from './lone-pace.ts'
import { isPaced, isSmall, type OnItsWay } from './on-its-way.ts'
import { OwnerReports } from './owner-reports.ts'
import type { SentBody } from './sent-body.ts'
import type { Hidden } from './settled-rate.ts'
import { TimeOfUse } from './time-of-use.ts'

/** A pace below this share of the rate that answers show means an outage, not growing buffers. */
const LEAST_SHARE = 0.75
/** Until a large body is answered, the rate that a small one showed is used for this long (milliseconds). */
const SMALL_HOLDS_MS = 10_000
/** After this share of the time that a large body takes, its buffers have passed on what they took at first. */
const PASSED_AFTER = 0.25
/** A first body that is alone may take this long to show its pace (milliseconds). */
const FIRST_PACE_MS = 5000

/**
 * Adds up how far the bodies on one line have come: bytes that drained from full connections, and bytes that were
 * answered. From these follows the rate of the line, and what the owners of the bodies are told. Bytes and milliseconds.
 */
export class LineAccount {
  readonly answers = new LineAnswers()
  /** Bytes that the service certainly has. */
  takenBytes = 0
  /** Of these, the bytes that were seen to drain from full connections. */
  drainedBytes = 0
  /** In the order in which they began. */
  readonly #members: ReadonlySet<OnItsWay>
  readonly #rate = new LineRate()
  readonly #time = new TimeOfUse()
  readonly #lone: LonePace
  readonly #reports: OwnerReports

  constructor(members: ReadonlySet<OnItsWay>) {
    this.#members = members
    this.#lone = new LonePace(members)
    this.#reports = new OwnerReports(members, this.#time)
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

  /** The line comes into use. */
  begin(nowMs: number): void {
    this.#time.begin(nowMs, this.answers.roundTripMs)
    this.#reports.begin(nowMs)
  }

  /** A body begins or moves: everything on its way now may be ahead of it. */
  queued(body: SentBody): void {
    const { queueBytes, bytesPerSecond } = this
    body.queued({ queueBytes, aheadBytes: this.#aheadOf(body), bytesPerSecond, answeredBytes: this.answers.bytes })
  }

  /** The connection of a body took this many more bytes. */
  handed(member: OnItsWay, bytes: number, nowMs: number): void {
    const { body, asked } = member
    // What lies before the latest answer has been counted, even if the body was asked for before that.
    if (body.handedBytes === 0 && this.#isUnused) this.begin(Math.max(body.beganAtMs, this.#time.asOfMs))
    const before = body.drainedBytes
    body.handed(bytes, nowMs, isPaced(asked))
    this.#reports.handed(member)
    this.queued(body)
    const drained = body.drainedBytes - before
    this.drainedBytes += drained
    this.takenBytes += drained
    this.#lone.handed(body, bytes)
    if (drained > 0) this.#rate.known(drained, this.#time.advance(nowMs), [])
  }

  /** A body was answered; it is no longer a member. */
  answered(member: OnItsWay, nowMs: number): void {
    const { body, asked } = member
    // At most half of the time counts as distance, so that a slow round trip can at most double the rate.
    this.#time.usedAt(nowMs - (nowMs - body.beganAtMs) / 2)
    this.#lone.ended()
    this.answers.answered(member, nowMs)
    const unseenBytes = body.sizeBytes - body.drainedBytes
    this.takenBytes += unseenBytes
    this.#reports.answered(member, nowMs)
    this.#movedUnseen(body, unseenBytes, nowMs)
    const { bodyMs } = this.answers
    if (bodyMs !== null && !isSmall(asked)) this.#rate.took(bodyMs, this.#hiddenAt(nowMs, bodyMs))
  }

  /** A body was given up; it is no longer a member. What was counted of it still tells how fast the line is. */
  lost(member: OnItsWay, nowMs: number): void {
    const { body, isStuck } = member
    this.#lone.ended()
    this.#reports.lost(member)
    if (!isStuck) this.#movedUnseen(body, body.takenBytes - body.drainedBytes, nowMs)
  }

  /** Time passes. Must be called several times a second while bodies are on their way. */
  look(nowMs: number): void {
    if (this.#isUnused) return this.begin(nowMs)
    const usedMs = this.#time.advance(nowMs)
    const sharing = [...this.#members].filter(
      ({ body, isStuck }) => body.handedBytes > 0 && !isStuck && this.#arrivesAtMs(body) <= nowMs,
    )
    this.#rate.look(usedMs, sharing.length)
    const bytesPerSecond = this.#rateWhile(SMALL_HOLDS_MS)
    const isSure = bytesPerSecond !== null && this.#rate.sureBytesPerSecond(this.#known) !== null
    const expectedBytes = isSure ? this.#rate.expectedBytes(this.#known, bytesPerSecond) : null
    this.#reports.look({ bytesPerSecond, expectedBytes }, nowMs)
  }

  /** What the line moved from a moment until the one up to which all is known. `fromMs`: monotonic milliseconds. */
  knownSince(fromMs: number): KnownStretch {
    return this.#rate.between(this.#time.at(fromMs), this.#sureMs)
  }

  /** Milliseconds until the service should have all of a body; null if that can't be told. */
  leftMs(member: OnItsWay): number | null {
    const rate = this.bytesPerSecond
    // Only the first answer shows how long the service takes to answer: until then the line seems ever slower.
    if (rate === null || (this.answers.bytes === 0 && member.body.isHanded)) return null
    let ahead = 0
    for (const each of this.#members) {
      ahead += each.body.leftBytes
      if (each === member) break
    }
    return (ahead * 1000) / Math.max(1, rate)
  }

  #aheadOf(body: SentBody): number {
    let bytes = 0
    for (const each of this.#members) {
      if (each.body === body) break
      if (!each.isStuck) bytes += each.body.leftBytes
    }
    return bytes
  }

  /** No body has begun: connections are still being made. */
  get #isUnused(): boolean {
    return [...this.#members].every(({ body }) => body.handedBytes === 0)
  }

  /** @param heldMs how long the rate of a lone small body holds, milliseconds; 0 where a line is judged by the rate. */
  #rateWhile(heldMs: number): number | null {
    const { pace, most } = this.#lone
    if (pace === null && this.#isFirstYoung) return null
    const rate = this.#rate.bytesPerSecond(this.#known, pace, heldMs)
    if (rate === null || most === null || most < rate * LEAST_SHARE) return rate
    return Math.min(rate, most)
  }

  /** What connections took before they were seen to be full: the longer ago, the more of it has passed their buffers. */
  #hiddenAt(nowMs: number, bodyMs: number): Hidden {
    let [bytes, passedBytes] = [0, 0]
    for (const { body } of this.#members) {
      const hiddenBytes = body.handedBytes - body.drainedBytes
      bytes += hiddenBytes
      passedBytes += hiddenBytes * Math.min(1, (nowMs - body.beganAtMs) / (PASSED_AFTER * bodyMs))
    }
    return { bytes, passedBytes }
  }

  /** Two bodies that share a line may take twice as long as a lone one did. */
  get #known(): Known {
    const { queueBytes } = this.answers
    return { sureMs: this.#sureMs, times: queueBytes === 0 ? 1 : Math.max(1, this.queueBytes / queueBytes) }
  }

  /** Up to this time of use all that moved is known: every body on its way arrives later. */
  get #sureMs(): number {
    let sureMs = Infinity
    for (const { body, isStuck } of this.#members)
      if (!isStuck && body.handedBytes > 0) sureMs = Math.min(sureMs, this.#time.at(this.#arrivesAtMs(body)))
    return sureMs
  }

  /** From when on an answer could have told of bytes of a body: they take their time to arrive, as does the answer. */
  #arrivesAtMs(body: SentBody): number {
    return body.beganAtMs + this.answers.roundTripMs
  }

  /** Nothing was answered yet, and the first body is alone and may soon show its pace. */
  get #isFirstYoung(): boolean {
    const [first, ...others] = this.#members
    if (first === undefined || this.answers.bytes > 0) return false
    const isAlone = others.every(({ body }) => body.handedBytes === 0)
    return isAlone && this.#time.asOfMs - first.body.beganAtMs < FIRST_PACE_MS
  }

  /** These bytes of a body moved while its connection did not show it. */
  #movedUnseen(body: SentBody, bytes: number, nowMs: number): void {
    const usedMs = this.#time.advance(nowMs)
    const stretches = body.unseen(nowMs).map(({ fromMs, toMs }) => {
      // At most half of the time counts as distance.
      const arrivedMs = Math.max(fromMs, Math.min(this.#arrivesAtMs(body), (fromMs + toMs) / 2))
      return { fromMs: this.#time.at(arrivedMs), toMs: this.#time.at(toMs) }
    })
    this.#rate.known(bytes, usedMs, stretches)
  }
}
