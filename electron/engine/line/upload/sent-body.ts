import type { Stretch } from './line-rate.ts'

/** A slice that the connection took this much time for waited for room: what it buffers is full (milliseconds). */
const FULL_WAIT_MS = 4
/** A connection that got nothing for this long has room again (milliseconds). */
const HELD_MS = 1000
/** For so long the buffers of a full connection may grow, so that what it takes in shows nothing yet (milliseconds). */
export const GROWTH_MS = 700
/** A pace is known once a full connection was fed for this long (milliseconds). */
const PACE_MS = 150

/** A full connection makes room in bursts: between the ends of two, this far apart, lies what it drained (milliseconds). */
const BURSTS_MS = 700

/** Buffers grow ever less: for a pace that is told to be no less than the line's, over this long (milliseconds). */
const LATE_MS = 4000
/** Of more than this many bursts each second one is forgotten. */
const MOST_BURSTS = 128

/** What a line came to at a moment. */
export interface LineThen {
  /** What all bodies had on their way. */
  readonly queueBytes: number
  /** What it moved; null: unknown. */
  readonly bytesPerSecond: number | null
  /** What the service had answered for in all. */
  readonly answeredBytes: number
}

interface Burst {
  readonly atMs: number
  readonly handedBytes: number
  /** With what other connections took meanwhile. */
  readonly allBytes: number
}

/** What one body on its way to a service is known to have come to. Bytes and monotonic milliseconds; no effects. */
export class SentBody {
  readonly sizeBytes: number
  #beganAtMs: number
  #handedBytes = 0
  /** What the connections of others took meanwhile. */
  #besideBytes = 0
  #movedAtMs: number
  #then: LineThen = { queueBytes: 0, bytesPerSecond: null, answeredBytes: 0 }
  /** When the connection was first full; null: it takes whatever it is given. */
  #filledAtMs: number | null = null
  /** Since when what it takes in shows what it drains; null: not yet. */
  #fullSinceMs: number | null = null
  #handedWhenFull = 0
  /** The ends of the whole bursts that a full connection took in. */
  #bursts: Burst[] = []
  /** The burst that it is in began while others moved, too. */
  #isShared = false
  #drainedBytes = 0
  #toldBytes = 0
  #earlyBytes = 0
  /** Given to a connection that a bandwidth limit keeps from filling. */
  #pacedBytes = 0
  /** Taken besides, by the rate of the line. */
  #estimatedBytes = 0
  #askedAtMs: number
  /** When the connection had taken all; null: not yet. */
  #handedAtMs: number | null = null

  constructor(sizeBytes: number, nowMs: number) {
    this.sizeBytes = sizeBytes
    this.#beganAtMs = this.#movedAtMs = this.#askedAtMs = nowMs
  }

  /** When the first of it was given to the connection, or the body had its turn. */
  get beganAtMs(): number {
    return this.#beganAtMs
  }

  /** When the connection last took some, or the body began. */
  get movedAtMs(): number {
    return this.#movedAtMs
  }

  /** The line when the body began or last moved; its rate by a later answer if that is more. */
  get then(): LineThen {
    return this.#then
  }

  /** Given to the connection, whose buffers may still hold it. */
  get handedBytes(): number {
    return this.#handedBytes
  }

  /** Taken by the other side as far as the draining of a full connection shows. */
  get drainedBytes(): number {
    return this.#drainedBytes
  }

  /** Of what is taken, its owner was told so much. */
  get toldBytes(): number {
    return this.#toldBytes
  }

  /** Of that, so much was told too soon, and told again when its answer was due. */
  get earlyBytes(): number {
    return this.#earlyBytes
  }

  get isHanded(): boolean {
    return this.#handedBytes >= this.sizeBytes
  }

  get isFull(): boolean {
    return this.#fullSinceMs !== null
  }

  /** What the other side is taken to have. */
  get takenBytes(): number {
    return this.#drainedBytes + this.#pacedBytes + this.#estimatedBytes
  }

  get leftBytes(): number {
    return this.sizeBytes - this.takenBytes
  }

  /** More of the body is about to be given to the connection. */
  asked(nowMs: number): void {
    this.#askedAtMs = Math.max(this.#askedAtMs, nowMs)
    if (this.#handedBytes === 0) this.#beganAtMs = nowMs
  }

  /**
   * The connection took `bytes` more: what a full one takes in has made room before. `isPaced`: a bandwidth limit holds
   * them back, so that buffers hardly fill.
   */
  handed(bytes: number, nowMs: number, isPaced: boolean): void {
    const waitedMs = nowMs - this.#askedAtMs
    const heldMs = this.#askedAtMs - this.#movedAtMs
    if (this.#isShared) this.#isShared = false
    else if (this.#fullSinceMs !== null && waitedMs >= FULL_WAIT_MS) {
      if (this.#bursts.length >= MOST_BURSTS) this.#bursts = this.#bursts.filter((_, index) => index % 2 === 0)
      const handedBytes = this.#handedBytes
      this.#bursts.push({ atMs: this.#movedAtMs, handedBytes, allBytes: handedBytes + this.#besideBytes })
    }
    this.#handedBytes += bytes
    this.#askedAtMs = this.#movedAtMs = nowMs
    if (this.isHanded) this.#handedAtMs ??= nowMs
    if (heldMs >= HELD_MS) {
      this.#filledAtMs = this.#fullSinceMs = null
      this.#bursts = []
    }
    if (this.#fullSinceMs !== null) {
      this.#drainedBytes += bytes
      // No more than all of it.
      this.#estimatedBytes = Math.min(this.#estimatedBytes, this.#handedBytes - this.#drainedBytes - this.#pacedBytes)
    } else {
      if (isPaced) this.#pacedBytes += bytes
      // The limit is slower than the connection.
      if (isPaced && heldMs >= FULL_WAIT_MS) this.#filledAtMs = null
      else if (waitedMs >= FULL_WAIT_MS) this.#filledAtMs ??= nowMs
      if (this.#filledAtMs !== null && nowMs - this.#filledAtMs >= GROWTH_MS) {
        this.#fullSinceMs = nowMs
        this.#handedWhenFull = this.#handedBytes
      }
    }
  }

  /** Bytes a second that a full connection drains; null while that can't be told. */
  paceAt(nowMs: number): number | null {
    if (this.#fullSinceMs === null || this.isHanded || nowMs - this.#fullSinceMs < PACE_MS) return null
    return ((this.#handedBytes - this.#handedWhenFull) * 1000) / (nowMs - this.#fullSinceMs)
  }

  /** The same from burst to burst, which is slower to tell and truer; null while that can't be told. */
  get steadyPace(): number | null {
    return paceBetween(this.#bursts[0], this.#bursts.at(-1), 'handedBytes', BURSTS_MS)
  }

  /**
   * The same of the later half, with the little that others get. Buffers may still grow, so that the line carries no more
   * than that; null while that can't be told.
   */
  get latePace(): number | null {
    const [first] = this.#bursts
    const [before, last] = this.#bursts.slice(-2)
    if (first === undefined || before === undefined || last === undefined) return null
    const middle = this.#bursts.findLast(({ atMs }) => atMs <= (first.atMs + last.atMs) / 2)
    const toLast = paceBetween(middle, last, 'allBytes', LATE_MS)
    const toBefore = paceBetween(middle, before, 'allBytes', LATE_MS)
    // The latest may be a part of one that goes on.
    return toLast === null || toBefore === null ? null : Math.max(toLast, toBefore)
  }

  /** It begins or has moved: such is the line at that moment. */
  queued(line: LineThen): void {
    this.#then = line
  }

  /** While an answer was awaited the line seemed slower than it is (bytes a second), also when this moved last. */
  seemedSlow(bytesPerSecond: number): void {
    const before = this.#then.bytesPerSecond
    if (before !== null) this.#then = { ...this.#then, bytesPerSecond: Math.max(before, bytesPerSecond) }
  }

  /** The connection of another body took so much. */
  tookBeside(bytes: number): void {
    this.#besideBytes += bytes
  }

  /** What its connection took in until now was a share: others moved, too. */
  shared(): void {
    this.#bursts = []
    this.#isShared = true
  }

  /** How long its connection has been full and fed, milliseconds. */
  fullMs(nowMs: number): number {
    return this.#fullSinceMs === null || this.isHanded ? 0 : nowMs - this.#fullSinceMs
  }

  /**
   * When what its connection did not show moved, monotonic milliseconds: before it was full, and once it had taken
   * all.
   */
  unseen(nowMs: number): readonly Stretch[] {
    if (this.#fullSinceMs === null || this.#handedAtMs === null) return [{ fromMs: this.#beganAtMs, toMs: nowMs }]
    return [
      { fromMs: this.#beganAtMs, toMs: this.#fullSinceMs },
      { fromMs: this.#handedAtMs, toMs: nowMs },
    ]
  }

  /** Counts up to `bytes` as taken that were handed over; negative: takes back what was only estimated. */
  estimate(bytes: number): number {
    const counted =
      bytes < 0 ? -Math.min(-bytes, this.#estimatedBytes) : Math.min(bytes, this.#handedBytes - this.takenBytes)
    this.#estimatedBytes += counted
    return counted
  }

  /** Its owner is told of what is taken, up to `most`. @returns how much that is; negative: less is taken than was told. */
  tell(most: number): number {
    const bytes = Math.min(most, this.takenBytes - this.#toldBytes)
    this.#toldBytes += bytes
    return bytes
  }

  /** Of what was told so much moves only now. */
  toldEarly(bytes: number): void {
    this.#earlyBytes += bytes
  }
}

function paceBetween(
  from: Burst | undefined,
  to: Burst | undefined,
  of: 'handedBytes' | 'allBytes',
  leastMs: number,
): number | null {
  if (from === undefined || to === undefined || to.atMs - from.atMs < leastMs) return null
  return ((to[of] - from[of]) * 1000) / (to.atMs - from.atMs)
}
