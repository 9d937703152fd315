import type { ConnectionShare } from './connection-shares.ts'

/** What the system takes at once says how much memory it has, not how fast the line is (milliseconds). */
const BURST_MS = 50

/**
 * Tells the governor what a part that is being sent brings. Bytes count as they leave, but those that the system's own
 * buffer swallowed at the start count when the answer shows that they arrived.
 */
export class SendPace {
  readonly #share: ConnectionShare
  #beganAtMs: number
  #sentAtMs: number
  #countedBytes = 0
  #sentBytes = 0

  constructor(share: ConnectionShare, nowMs: number) {
    this.#share = share
    this.#beganAtMs = this.#sentAtMs = nowMs
  }

  /** Something went out. */
  get hasBegun(): boolean {
    return this.#sentBytes > 0
  }

  begin(nowMs: number): void {
    this.#beganAtMs = this.#sentAtMs = nowMs
    this.#sentBytes = 0
  }

  sent(bytes: number, nowMs: number): void {
    if (this.#sentBytes === 0) this.#beganAtMs = nowMs
    this.#sentBytes += bytes
    this.#sentAtMs = nowMs
    if (nowMs - this.#beganAtMs < BURST_MS) return
    this.#countedBytes += bytes
    this.#share.arrived(bytes)
  }

  answered(partBytes: number, nowMs: number): void {
    this.#share.answered(nowMs - this.#sentAtMs)
    this.#share.arrived(Math.max(0, partBytes - this.#countedBytes))
    this.#share.partSent(partBytes, nowMs - this.#beganAtMs)
  }
}
