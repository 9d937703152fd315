import { MIB } from '../../../../../shared/limits.ts'
import type { BodyToSend } from '../../../core/upload-line.ts'
import { isPaced, isSmall, type OnItsWay } from './on-its-way.ts'
import type { TimeOfUse } from './time-of-use.ts'

/** Bytes reported in a burst are offset later, up to what the line carries in this time (milliseconds). */
const MOST_AHEAD_MS = 2000
/** The buffers of connections may grow by this much, which looks as if the line had carried it (bytes). */
const GROWN_BYTES = 2 * MIB
/** The rate may be this share too high, so that the end of a body is reported early by this share of its time. */
const MOST_EARLY = 0.1
/** But early by no more than this (milliseconds). */
const MOST_EARLY_MS = 4000
/** What was reported approaches what answers let expect in about this time (milliseconds). */
const APPROACH_MS = 30_000
/** But by no more than this share of what moves meanwhile: a bar goes slower or faster, and never back. */
const MOST_APPROACH = 0.5

/** What is known of the rate of a line when its owners are told. */
interface KnownRate {
  /** Bytes a second; null if unknown. */
  readonly bytesPerSecond: number | null
  /**
   * How many bytes the line should have moved by now, as answers show; null while they don't. What drains beyond the rate
   * then may only be growing buffers.
   */
  readonly expectedBytes: number | null
}

/**
 * Reports to each body's owner how much of it has moved (`onTaken`): what is known at once, and in between what the rate
 * of the line lets expect, so that a row shows a steady line and not the bursts in which connections take bytes. Bytes
 * and milliseconds.
 */
export class OwnerReports {
  /** In the order in which they began. */
  readonly #members: ReadonlySet<OnItsWay>
  readonly #time: TimeOfUse
  /** What moved has been reported up to this moment, monotonic milliseconds. */
  #toldAtMs = 0
  /** Bytes reported by then beyond what the rate of the line explains. */
  #aheadBytes = 0
  /** All bytes reported ever; of those that were lost, what the line carried of them. */
  #toldBytes = 0
  #rate: KnownRate = { bytesPerSecond: null, expectedBytes: null }

  constructor(members: ReadonlySet<OnItsWay>, time: TimeOfUse) {
    this.#members = members
    this.#time = time
  }

  /** The line comes into use: nothing has moved until now. */
  begin(nowMs: number): void {
    this.#toldAtMs = nowMs
    this.#aheadBytes = 0
  }

  /** The connection of a body took more of it. */
  handed(member: OnItsWay): void {
    if (this.#rate.expectedBytes === null || isPaced(member.asked)) this.#aheadBytes += this.#tell(member)
  }

  /** A body was answered; it is no longer a member. All of it is there, whatever was reported. */
  answered({ body, asked }: OnItsWay, nowMs: number): void {
    const leftBytes = body.sizeBytes - body.toldBytes
    const countedBytes = this.#takeBack(leftBytes)
    if (countedBytes > 0) this.#report(asked, countedBytes)
    if (leftBytes > countedBytes) {
      this.#report(asked, leftBytes - countedBytes, nowMs - this.#time.startOf(body.beganAtMs))
    }
  }

  /** A body was given up; it is no longer a member. What moved of it must be sent again. */
  lost({ body, asked, isStuck }: OnItsWay): void {
    if (body.toldBytes > 0) asked.onTaken(-body.toldBytes)
    this.#toldBytes += (isStuck ? body.drainedBytes : body.takenBytes) - body.toldBytes
  }

  /**
   * Time passes: bytes in buffers are taken to move at the rate of the line where nothing better shows it. Bursts
   * beyond that rate are offset, and what moved before a rate was known is reported as soon as there is one.
   */
  look(rate: KnownRate, nowMs: number): void {
    this.#rate = rate
    const { bytesPerSecond } = rate
    if (bytesPerSecond === null) return
    const overMs = nowMs - this.#toldAtMs
    const dueBytes = (bytesPerSecond * overMs) / 1000 - this.#aheadBytes
    const seenBytes = this.#tellSeen(dueBytes, overMs)
    const estimatedBytes = this.#tellEstimated(dueBytes - seenBytes, overMs)
    const overdueBytes = dueBytes - seenBytes - estimatedBytes
    if (overdueBytes > 0) this.#tellLater(overdueBytes, bytesPerSecond)
    this.#approach(rate, overMs)
    this.#toldAtMs = nowMs
    this.#aheadBytes = Math.min(Math.max(0, -overdueBytes), (bytesPerSecond * MOST_AHEAD_MS) / 1000)
  }

  /**
   * Small errors of the rate add up, so what was reported moves towards what answers let expect. That shows in the bar and
   * in the time left; the rate stays. A connection that is full shows better what moves.
   */
  #approach({ bytesPerSecond, expectedBytes }: KnownRate, overMs: number): void {
    if (bytesPerSecond === null || expectedBytes === null) return
    for (const { body } of this.#members) if (body.isFull) return
    const mostBytes = (MOST_APPROACH * bytesPerSecond * overMs) / 1000
    const bytes = ((expectedBytes - this.#toldBytes) * overMs) / APPROACH_MS
    if (bytes < 0) this.#takeBack(Math.round(Math.min(-bytes, mostBytes)), Infinity)
    else this.#tellEstimated(Math.min(bytes, mostBytes), Infinity)
  }

  /** Reports what is known to have moved. @returns how many bytes. */
  #tellSeen(dueBytes: number, overMs: number): number {
    // Beyond the rate, GROWN_BYTES of what drained may be growing buffers.
    let leftBytes =
      this.#rate.expectedBytes !== null ? Math.max(0, dueBytes, this.#untoldBytes - GROWN_BYTES) : Infinity
    let toldBytes = 0
    for (const member of this.#members) {
      const bytes = this.#tell(member, overMs, leftBytes)
      leftBytes -= Math.max(0, bytes)
      toldBytes += bytes
    }
    return toldBytes
  }

  /**
   * Reports what should have moved besides; bodies are assumed to arrive in the order in which they began. @returns how
   * many bytes.
   */
  #tellEstimated(dueBytes: number, overMs: number): number {
    let toldBytes = 0
    for (const member of this.#members) {
      if (toldBytes >= dueBytes) break
      if (member.isStuck) continue
      const bytes = member.body.estimate(Math.round(dueBytes - toldBytes))
      this.#tell(member, overMs, bytes)
      toldBytes += bytes
    }
    return toldBytes
  }

  /**
   * The answer to the oldest body is due, and all of it was reported: some of that was reported too soon and moves only
   * now. Moves those bytes to the present, as long as a small error of the rate explains them.
   */
  #tellLater(bytes: number, rate: number): void {
    const [oldest] = this.#members
    if (oldest === undefined || isSmall(oldest.asked) || isPaced(oldest.asked) || oldest.isStuck) return
    if (oldest.body.leftBytes > 0) return
    const sinceMs = this.#time.since(oldest.body.beganAtMs)
    const mostBytes = (rate * Math.min(sinceMs * MOST_EARLY, MOST_EARLY_MS)) / 1000 - oldest.body.earlyBytes
    const lateBytes = Math.floor(Math.min(bytes, mostBytes))
    if (lateBytes <= 0) return
    oldest.body.toldEarly(lateBytes)
    this.#report(oldest.asked, lateBytes)
    this.#report(oldest.asked, -lateBytes, sinceMs)
  }

  get #untoldBytes(): number {
    let bytes = 0
    for (const { body } of this.#members) bytes += body.takenBytes - body.toldBytes
    return bytes
  }

  /** Estimates credited these bytes to other bodies: takes them back, latest body first. @returns how many. */
  #takeBack(bytes: number, overMs?: number): number {
    let left = bytes
    for (const member of [...this.#members].reverse()) {
      if (left <= 0) break
      const { body } = member
      // What of it is not reported yet is no report that can be taken back.
      body.estimate(body.toldBytes - body.takenBytes - left)
      left += this.#tell(member, overMs, 0)
    }
    return bytes - left
  }

  /** Reports how much more of a body has been taken, up to `most`. @returns that number of bytes. */
  #tell({ asked, body }: OnItsWay, overMs?: number, most = Infinity): number {
    // Later observations may show that more moved, and earlier.
    if (this.#rate.bytesPerSecond === null && !isPaced(asked)) return 0
    const bytes = body.tell(most)
    if (bytes !== 0) this.#report(asked, bytes, overMs)
    return bytes
  }

  #report({ onTaken }: BodyToSend, bytes: number, overMs?: number): void {
    this.#toldBytes += bytes
    onTaken(bytes, overMs)
  }
}
