import { Bursts } from './bursts.ts'
import type { Stretch } from './line-rate.ts'

/** A slice that the connection takes only after this time waited for room: the buffers are full (milliseconds). */
const FULL_WAIT_MS = 4
/** A connection that was given nothing for this long has room again (milliseconds). */
const HELD_MS = 1000
/** The buffers of a full connection may grow for this long, so what it takes in shows nothing yet (milliseconds). */
export const GROWTH_MS = 700
/** A pace is known once a full connection was fed for this long (milliseconds). */
const PACE_MS = 150

/** The state of a line at a moment. */
export interface LineThen {
  /** Bytes of all bodies on their way. */
  readonly queueBytes: number
  /** Bytes that bodies which began before this one had left, except for those that stood still. */
  readonly aheadBytes: number
  /** Rate of the line; null if unknown. */
  readonly bytesPerSecond: number | null
  /** Bytes of all bodies that the service had answered. */
  readonly answeredBytes: number
}

/** How far one body on its way to a service is known to have come. Bytes and monotonic milliseconds; no effects. */
export class SentBody {
  readonly sizeBytes: number
  #beganAtMs: number
  #handedBytes = 0
  #movedAtMs: number
  #lineThen: LineThen = { queueBytes: 0, aheadBytes: 0, bytesPerSecond: null, answeredBytes: 0 }
  /** When the connection was first full; null while it takes whatever it is given. */
  #filledAtMs: number | null = null
  /** From when on what the connection takes in equals what it drains; null: not yet. */
  #fullSinceMs: number | null = null
  #handedWhenFull = 0
  readonly #bursts = new Bursts()
  #drainedBytes = 0
  #toldBytes = 0
  #earlyBytes = 0
  /** Bytes given to the connection while a bandwidth limit kept it from filling. */
  #pacedBytes = 0
  /** Bytes taken besides, as estimated by the rate of the line. */
  #estimatedBytes = 0
  #askedAtMs: number
  /** When the connection had taken the whole body; null: not yet. */
  #handedAtMs: number | null = null

  constructor(sizeBytes: number, nowMs: number) {
    this.sizeBytes = sizeBytes
    this.#beganAtMs = this.#movedAtMs = this.#askedAtMs = nowMs
  }

  /** When the first bytes were given to the connection, or, before that, when the body had its turn. */
  get beganAtMs(): number {
    return this.#beganAtMs
  }

  /** When the connection last took bytes, or, before that, when the body began. */
  get movedAtMs(): number {
    return this.#movedAtMs
  }

  /** The line as it was when the body began or last moved. */
  get lineThen(): LineThen {
    return this.#lineThen
  }

  /** Bytes given to the connection, whose buffers may still hold them. */
  get handedBytes(): number {
    return this.#handedBytes
  }

  /** Bytes that the other side has taken, as far as the draining of a full connection shows. */
  get drainedBytes(): number {
    return this.#drainedBytes
  }

  /** How many of the taken bytes were reported to the owner. */
  get toldBytes(): number {
    return this.#toldBytes
  }

  /** How many of those were reported too soon, and again when the answer was due. */
  get earlyBytes(): number {
    return this.#earlyBytes
  }

  get isHanded(): boolean {
    return this.#handedBytes >= this.sizeBytes
  }

  get isFull(): boolean {
    return this.#fullSinceMs !== null
  }

  /** Bytes that the other side is assumed to have. */
  get takenBytes(): number {
    return this.#drainedBytes + this.#pacedBytes + this.#estimatedBytes
  }

  get leftBytes(): number {
    return this.sizeBytes - this.takenBytes
  }

  /** The connection is about to be given more of the body. */
  asked(nowMs: number): void {
    this.#askedAtMs = Math.max(this.#askedAtMs, nowMs)
    if (this.#handedBytes === 0) this.#beganAtMs = nowMs
  }

  /**
   * The connection took `bytes` more: a full one takes in only as much as it has drained. `isPaced`: a bandwidth limit
   * holds the bytes back, so buffers hardly fill.
   */
  handed(bytes: number, nowMs: number, isPaced: boolean): void {
    const waitedMs = nowMs - this.#askedAtMs
    const heldMs = this.#askedAtMs - this.#movedAtMs
    const isNewBurst = this.#fullSinceMs !== null && waitedMs >= FULL_WAIT_MS
    this.#bursts.moved(isNewBurst ? { atMs: this.#movedAtMs, handedBytes: this.#handedBytes } : null)
    this.#handedBytes += bytes
    this.#askedAtMs = this.#movedAtMs = nowMs
    if (this.isHanded) this.#handedAtMs ??= nowMs
    if (heldMs >= HELD_MS) {
      this.#filledAtMs = this.#fullSinceMs = null
      this.#bursts.clear()
    }
    if (this.#fullSinceMs !== null) {
      this.#drainedBytes += bytes
      // All counts together never exceed what was handed over.
      this.#estimatedBytes = Math.min(this.#estimatedBytes, this.#handedBytes - this.#drainedBytes - this.#pacedBytes)
    } else {
      if (isPaced) this.#pacedBytes += bytes
      // The limit, not the connection, is what is slow.
      if (isPaced && heldMs >= FULL_WAIT_MS) this.#filledAtMs = null
      else if (waitedMs >= FULL_WAIT_MS) this.#filledAtMs ??= nowMs
      if (this.#filledAtMs !== null && nowMs - this.#filledAtMs >= GROWTH_MS) {
        this.#fullSinceMs = nowMs
        this.#handedWhenFull = this.#handedBytes
      }
    }
  }

  /** The pace at which a full connection drains, bytes a second; null while that can't be told. */
  paceAt(nowMs: number): number | null {
    if (this.#fullSinceMs === null || this.isHanded || nowMs - this.#fullSinceMs < PACE_MS) return null
    return ((this.#handedBytes - this.#handedWhenFull) * 1000) / (nowMs - this.#fullSinceMs)
  }

  /** The pace from burst to burst, known later but more accurate; null while that can't be told. */
  get steadyPace(): number | null {
    return this.#bursts.steadyPace
  }

  /** An upper limit of the line's pace, shown by later bursts; null while that can't be told. */
  get latePace(): number | null {
    return this.#bursts.latePace
  }

  /** The body begins or has moved; remembers the line at this moment. */
  queued(line: LineThen): void {
    this.#lineThen = line
  }

  /** The connection of another body took this many bytes. */
  tookBeside(bytes: number): void {
    this.#bursts.tookBeside(bytes)
  }

  /** Other bodies moved too, so what this connection took in until now was only a share: forgets its bursts. */
  shared(): void {
    this.#bursts.shared()
  }

  /** How long the connection has been full and fed, milliseconds. */
  fullMs(nowMs: number): number {
    return this.#fullSinceMs === null || this.isHanded ? 0 : nowMs - this.#fullSinceMs
  }

  /**
   * When the bytes moved that the connection did not show, monotonic milliseconds: before it was full, and after it had
   * taken everything.
   */
  unseen(nowMs: number): readonly Stretch[] {
    if (this.#fullSinceMs === null || this.#handedAtMs === null) return [{ fromMs: this.#beganAtMs, toMs: nowMs }]
    return [
      { fromMs: this.#beganAtMs, toMs: this.#fullSinceMs },
      { fromMs: this.#handedAtMs, toMs: nowMs },
    ]
  }

  /** Counts up to `bytes` of what was handed over as taken; if negative, takes back estimates. @returns the change. */
  estimate(bytes: number): number {
    const counted =
      bytes < 0 ? -Math.min(-bytes, this.#estimatedBytes) : Math.min(bytes, this.#handedBytes - this.takenBytes)
    this.#estimatedBytes += counted
    return counted
  }

  /** Marks up to `most` bytes as reported. @returns how many are new; negative if fewer are taken than reported. */
  tell(most: number): number {
    const bytes = Math.floor(Math.min(most, this.takenBytes - this.#toldBytes))
    this.#toldBytes += bytes
    return bytes
  }

  /** This many of the reported bytes move only now. */
  toldEarly(bytes: number): void {
    this.#earlyBytes += bytes
  }
}
