import type { Clock } from '../../core/deps.ts'
import type { BodyToSend } from '../../core/upload-line.ts'
import type { OnItsWay } from './known/on-its-way.ts'
import { SentBody } from './known/sent-body.ts'

/** A body on a line, and its turn: it is given to its connection slice by slice, and waits in between. */
export class LineMember implements OnItsWay {
  readonly asked: BodyToSend
  readonly body: SentBody
  /** Aborted when the line gives the body up. */
  readonly late = new AbortController()
  isGiven = false
  isStuck = false
  /** A bandwidth limit holds it back. */
  isHeldBack = false
  /** When its connection was last given something, monotonic milliseconds. */
  fedAtMs: number
  readonly #clock: Clock
  /** Bytes that its connection has taken, or must take before it may get more. */
  #givenBytes = 0
  /** Ends the wait for its turn; null while it does not wait. */
  #goOn: (() => void) | null = null

  constructor(asked: BodyToSend, clock: Clock) {
    this.asked = asked
    this.#clock = clock
    this.fedAtMs = clock.monotonicMs()
    this.body = new SentBody(asked.sizeBytes, this.fedAtMs)
  }

  /** It has more to send, and others go first. */
  get isQueued(): boolean {
    return this.#goOn !== null
  }

  /** Gives its connection the next `bytes`. */
  feed(bytes: number): void {
    this.fedAtMs = this.#clock.monotonicMs()
    this.#givenBytes = this.body.handedBytes + bytes
    this.isGiven = true
    this.body.asked(this.fedAtMs)
  }

  /** Waits for its turn, and then gives its connection the next `bytes`. Rejects with `signal.reason`. */
  queue(bytes: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#goOn = null
        reject(signal.reason as Error)
      }
      signal.addEventListener('abort', leave, { once: true })
      this.#goOn = () => {
        this.#goOn = null
        signal.removeEventListener('abort', leave)
        this.feed(bytes)
        resolve()
      }
    })
  }

  /** Ends the wait for its turn, if it waits. */
  goOn(): void {
    this.#goOn?.()
  }

  /** Its connection has taken more, as `body` already counts. */
  moved(): void {
    this.isGiven = this.body.handedBytes < this.#givenBytes
    this.isStuck = false
  }

  /** Its file has given bytes, which wait until `until` settles: a bandwidth limit holds them back. */
  async holdBack(until: Promise<void>): Promise<void> {
    this.isHeldBack = true
    this.isStuck = false
    try {
      await until
    } finally {
      this.isHeldBack = false
    }
  }
}
