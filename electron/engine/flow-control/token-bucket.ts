import { MIB } from '../../../shared/limits.ts'
import type { Clock } from '../core/deps.ts'
import type { RateLimiter } from '../core/rate-limiter.ts'

/** Takers wake at least this often, so that a new limit takes effect that soon (milliseconds). */
const MAX_NAP_MS = 100
/** What an idle bucket saves up: 100 ms worth, within limits that keep even the 10 s after a pause exact to 3 %. */
const BURST_MS = 100
const MIN_BURST_BYTES = 16 * 1024
const MAX_BURST_BYTES = MIB
/** What a bucket saves up while it is in use, so that a late timer costs no bandwidth (milliseconds). */
const MAX_LATE_MS = 250
/** A bucket is in use until nothing has waited for this long (milliseconds). */
const IN_USE_MS = 100
/** The most that one taker gets before it is the next one's turn. */
const SLOW_QUANTUM_BYTES = 16 * 1024
const QUANTUM_BYTES = 64 * 1024
const MAX_LAG_BYTES = 2 * QUANTUM_BYTES

/** A limit that can change and be shared. */
export interface TokenBucket extends RateLimiter {
  /** Null: no limit. Takes effect within 250 ms, also for takers that already wait. */
  setLimit(bytesPerSecond: number | null): void
  /** A bucket for part of what passes through this one. Both limits hold; children share equally. */
  child(limitBytesPerSecond: number | null): TokenBucket
}

/**
 * A token bucket that is shared fairly (start-time fair queueing): whichever taker or child had least is served next,
 * with a quantum at most, so that small requests are not held up behind large ones. It starts empty, so that the rate
 * is true from the first second on.
 */
export function createTokenBucket(clock: Clock, limitBytesPerSecond: number | null): TokenBucket {
  return new Bucket(clock, null, limitBytesPerSecond)
}

interface Taker {
  /** How much it has had, in the virtual time of the bucket that it waits in. */
  hadBytes: number
  leftBytes: number
  done: () => void
}

class Bucket implements TokenBucket {
  readonly #clock: Clock
  readonly #parent: Bucket | null
  readonly #root: Bucket
  /** The takers that wait. A child stands for all takers that wait in it, and leaves when none does. */
  readonly #waiting: (Taker | Bucket)[] = []
  /** Virtual time of the last grant, in bytes; a new waiter starts here (start-time fair queueing). */
  #levelBytes = 0
  hadBytes = 0
  #limit: number | null
  #tokens = 0
  #filledAtMs: number
  #inUseUntilMs = Number.NEGATIVE_INFINITY
  /** In the root: ends the current nap early; null while nothing waits. */
  #nap: AbortController | null = null
  #napEndsMs = 0

  constructor(clock: Clock, parent: Bucket | null, limit: number | null) {
    this.#clock = clock
    this.#parent = parent
    this.#root = parent === null ? this : parent.#root
    this.#limit = limit
    this.#filledAtMs = clock.monotonicMs()
  }

  get limitBytesPerSecond(): number | null {
    const above = this.#parent === null ? null : this.#parent.limitBytesPerSecond
    if (this.#limit === null || above === null) return this.#limit ?? above
    return Math.min(this.#limit, above)
  }

  setLimit(bytesPerSecond: number | null): void {
    this.#refill()
    this.#limit = bytesPerSecond
    this.#tokens = bytesPerSecond === null ? 0 : Math.min(this.#tokens, burstBytes(bytesPerSecond))
    this.#root.#nap?.abort()
  }

  child(limitBytesPerSecond: number | null): TokenBucket {
    return new Bucket(this.#clock, this, limitBytesPerSecond)
  }

  take(bytes: number, signal: AbortSignal): Promise<void> | null {
    if (this.limitBytesPerSecond === null || bytes === 0) return null
    if (signal.aborted) return Promise.reject(signal.reason as Error)
    const taker: Taker = { hadBytes: 0, leftBytes: bytes, done: () => undefined }
    this.#enter(taker)
    this.#root.#handOutAll()
    if (taker.leftBytes === 0) return null
    this.#root.#serveSoon()
    return new Promise((resolve, reject) => {
      const abort = (): void => {
        this.#leave(taker)
        reject(signal.reason as Error)
      }
      taker.done = () => {
        signal.removeEventListener('abort', abort)
        resolve()
      }
      signal.addEventListener('abort', abort, { once: true })
    })
  }

  #enter(member: Taker | Bucket): void {
    this.#refill()
    member.hadBytes = Math.max(member.hadBytes, this.#levelBytes)
    this.#waiting.push(member)
    if (this.#parent !== null && !this.#parent.#waiting.includes(this)) this.#parent.#enter(this)
  }

  #leave(member: Taker | Bucket): void {
    const index = this.#waiting.indexOf(member)
    if (index >= 0) this.#waiting.splice(index, 1)
    if (this.#waiting.length === 0 && this.#parent !== null) this.#parent.#leave(this)
  }

  /** Serves the waiting takers as soon as there is something for one of them. */
  #serveSoon(): void {
    if (this.#nap === null) void this.#serve()
    else if (this.#clock.monotonicMs() + this.#need(Number.POSITIVE_INFINITY).delayMs < this.#napEndsMs)
      this.#nap.abort()
  }

  /** Runs only while something waits. */
  async #serve(): Promise<void> {
    while (this.#waiting.length > 0) {
      const delayMs = Math.ceil(this.#need(Number.POSITIVE_INFINITY).delayMs)
      const napMs = Math.min(MAX_NAP_MS, Math.max(1, delayMs))
      this.#nap = new AbortController()
      this.#napEndsMs = this.#clock.monotonicMs() + napMs
      // A nap is only cut short to look again.
      await this.#clock.sleep(napMs, this.#nap.signal).catch(() => undefined)
      this.#handOutAll()
    }
    this.#nap = null
  }

  #handOutAll(): void {
    this.#refillAll()
    while (this.#handOut(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY) > 0);
  }

  #refillAll(): void {
    this.#refill()
    for (const member of this.#waiting) if (member instanceof Bucket) member.#refillAll()
  }

  #refill(): void {
    const nowMs = this.#clock.monotonicMs()
    if (this.#waiting.length > 0) this.#inUseUntilMs = nowMs + IN_USE_MS
    if (this.#limit !== null) {
      const late = nowMs <= this.#inUseUntilMs ? (MAX_LATE_MS * this.#limit) / 1000 : 0
      const most = Math.max(late, burstBytes(this.#limit))
      this.#tokens = Math.min(most, this.#tokens + ((nowMs - this.#filledAtMs) * this.#limit) / 1000)
    }
    this.#filledAtMs = nowMs
  }

  /**
   * One turn: the member that had least gets a quantum, if there are enough tokens. Children at their own limit are
   * passed over. Returns the bytes handed out; 0 if a limit here or below lets nobody have any; or minus the quantum
   * that would be handed out if `allowedAbove` were enough for it.
   */
  #handOut(quantumAbove: number, allowedAbove: number): number {
    const quantum = Math.min(quantumAbove, quantumBytes(this.#limit))
    const tokens = this.#limit === null ? Number.POSITIVE_INFINITY : this.#tokens
    const allowed = Math.min(allowedAbove, tokens)
    for (const member of this.#waiting.sort((one, other) => one.hadBytes - other.hadBytes)) {
      const granted = member instanceof Bucket ? member.#handOut(quantum, allowed) : grant(member, quantum, allowed)
      if (granted < 0) return -granted > tokens ? 0 : granted
      if (granted === 0) continue
      this.#served(member, granted)
      return granted
    }
    return 0
  }

  #served(member: Taker | Bucket, bytes: number): void {
    if (this.#limit !== null) this.#tokens -= bytes
    this.#levelBytes = Math.max(this.#levelBytes, member.hadBytes)
    // A member that its own limit held back is not compensated for all of that.
    member.hadBytes = Math.max(member.hadBytes, this.#levelBytes - MAX_LAG_BYTES) + bytes
    const isWaiting = member instanceof Bucket ? member.#waiting.length > 0 : member.leftBytes > 0
    if (!isWaiting) this.#waiting.splice(this.#waiting.indexOf(member), 1)
  }

  /** How much the first member that can be served again takes, and how soon. */
  #need(quantumAbove: number): { readonly bytes: number; readonly delayMs: number } {
    const quantum = Math.min(quantumAbove, quantumBytes(this.#limit))
    let soonest = { bytes: 0, delayMs: Number.POSITIVE_INFINITY }
    for (const member of this.#waiting) {
      const need =
        member instanceof Bucket ? member.#need(quantum) : { bytes: Math.min(quantum, member.leftBytes), delayMs: 0 }
      const here = this.#limit === null ? 0 : ((need.bytes - this.#tokens) * 1000) / this.#limit
      const delayMs = Math.max(need.delayMs, here)
      if (delayMs < soonest.delayMs) soonest = { bytes: need.bytes, delayMs }
    }
    return soonest
  }
}

/** Returns the bytes of one turn, or, if the tokens are too few, minus the bytes wanted. */
function grant(taker: Taker, quantum: number, allowed: number): number {
  const wanted = Math.min(taker.leftBytes, quantum)
  if (wanted > allowed) return -wanted
  taker.leftBytes -= wanted
  if (taker.leftBytes === 0) taker.done()
  return wanted
}

function burstBytes(bytesPerSecond: number): number {
  return Math.min(MAX_BURST_BYTES, Math.max(MIN_BURST_BYTES, (bytesPerSecond * BURST_MS) / 1000))
}

function quantumBytes(bytesPerSecond: number | null): number {
  if (bytesPerSecond === null) return Number.POSITIVE_INFINITY
  return bytesPerSecond < MIB ? SLOW_QUANTUM_BYTES : QUANTUM_BYTES
}
