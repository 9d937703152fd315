import { LineRate } from './line-rate.ts'
import type { SentBody } from './sent-body.ts'
import { isPaced, isSmall, type OnItsWay } from './upload-admission.ts'

/** So many of the latest answers tell what is usual. */
const KNOWN_TURNAROUNDS = 20

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
  /** What the large ones of them took together. */
  answeredMs = 0
  /** What the latest large one took; null: there was none. */
  bodyMs: number | null = null
  /** From the last byte of a body to its answer: the latest ones. */
  turnaroundsMs: readonly number[] = []
  /** The least of all. */
  turnaroundMs = Infinity
  #takenAtLook = 0
  /** How long the line has been in use, as of the moment below. */
  #busyMs = 0
  #atMs = 0

  constructor(members: ReadonlySet<OnItsWay>) {
    this.#members = members
  }

  /** Bytes a second; null: unknown. */
  get bytesPerSecond(): number | null {
    return this.#rate.bytesPerSecond
  }

  /** Begun and not answered. */
  get queueBytes(): number {
    let bytes = 0
    for (const { body } of this.#members) bytes += body.sizeBytes
    return bytes
  }

  /** The line is taken into use. */
  begin(nowMs: number): void {
    this.#atMs = nowMs
  }

  /** The connection of a body took so many more bytes. */
  handed({ body, asked }: OnItsWay, bytes: number, nowMs: number): void {
    const before = body.drainedBytes
    this.#moved({ body, asked }, body.handed(bytes, nowMs, isPaced(asked)))
    this.queued(body)
    const drained = body.drainedBytes - before
    this.drainedBytes += drained
    this.takenBytes += drained
    if (drained > 0) this.#rate.known(drained, this.#busyAt(nowMs), 0)
  }

  /** A body begins or moves: all that is on its way now may be before it. */
  queued(body: SentBody): void {
    body.queueBytes = this.queueBytes
    body.rateThen = this.bytesPerSecond
    body.answeredThen = this.answeredBytes
  }

  /** A body that is no member any more was answered. */
  answered(member: OnItsWay, nowMs: number): void {
    const { body, asked } = member
    const elapsedMs = nowMs - body.beganAtMs
    const turnaroundMs = nowMs - body.movedAtMs
    this.answeredBytes += body.sizeBytes
    this.takenBytes += body.sizeBytes - body.drainedBytes
    if (!isSmall(asked)) {
      this.answeredMs += elapsedMs
      this.bodyMs = elapsedMs
    }
    this.turnaroundMs = Math.min(this.turnaroundMs, turnaroundMs)
    this.turnaroundsMs = [...this.turnaroundsMs.slice(1 - KNOWN_TURNAROUNDS), turnaroundMs]
    this.#moved(member, body.leftBytes, elapsedMs)
    this.#takeBack(body.leftBytes)
    this.#takenAtLook = this.takenBytes
    this.#rate.known(body.sizeBytes - body.drainedBytes, this.#busyAt(nowMs), elapsedMs)
    if (this.bodyMs !== null) this.#rate.took(this.bodyMs)
  }

  /** A body that is no member any more was given up: what moved of it goes the way again. */
  lost(member: OnItsWay): void {
    this.#moved(member, -member.body.takenBytes)
  }

  /** Time passes: what buffers hold moves on at the rate of the line, as far as nothing better shows it. */
  look(nowMs: number, elapsedMs: number): void {
    const known = this.takenBytes - this.#takenAtLook
    this.#takenAtLook = this.takenBytes
    let budget = ((this.bytesPerSecond ?? 0) * elapsedMs) / 1000 - known
    // Earlier bodies are taken to be before the others.
    for (const member of this.#members) {
      if (budget <= 0) break
      if (member.isStuck) continue
      const counted = member.body.estimate(Math.round(budget))
      budget -= counted
      this.#moved(member, counted)
    }
    this.#rate.look(this.#busyAt(nowMs))
  }

  /** Milliseconds until the service should have all of a body; null: that can't be told. */
  leftMs(member: OnItsWay): number | null {
    const rate = this.bytesPerSecond
    if (rate === null) return null
    let ahead = 0
    for (const each of this.#members) {
      ahead += each.body.leftBytes
      if (each === member) break
    }
    return (ahead * 1000) / Math.max(1, rate)
  }

  /** How long the line has been in use by now. */
  #busyAt(nowMs: number): number {
    this.#busyMs += nowMs - this.#atMs
    this.#atMs = nowMs
    return this.#busyMs
  }

  /** The rest of a body moved while it was counted for others: takes that back, of the latest first. */
  #takeBack(bytes: number): void {
    let left = bytes
    for (const member of [...this.#members].reverse()) {
      if (left <= 0) return
      const counted = member.body.estimate(-left)
      left += counted
      this.#moved(member, counted)
    }
  }

  #moved({ asked }: Pick<OnItsWay, 'asked' | 'body'>, bytes: number, overMs?: number): void {
    if (bytes !== 0) asked.onTaken(bytes, overMs)
  }
}
