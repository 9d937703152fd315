/** A response of up to this size is over before a connection pays by having grown fast. */
export const SMALL_RESPONSE_BYTES = 64 * 1024
/** Systems acknowledge after 40 ms what they have nothing to say to; less than this is no such wait. */
const MIN_WAIT_MS = 25
/** Waits in a row that are no chance any more. */
const TELLING_WAITS = 3
/** So many small responses later a verdict is looked at again. */
const VERDICT_RESPONSES = 1000

/** A small response, and what its connection was like. */
export interface SmallResponse {
  /** The connection had carried a response before. */
  readonly isKept: boolean
  /** What it took to make the connection, handshake included. */
  readonly connectMs: number
  /** From its head to the end of its body; null: it has none, and tells nothing. */
  readonly waitMs: number | null
}

/**
 * Whether connections to one origin are worth keeping after small responses. A service that writes head and body apart
 * and leaves Nagle's algorithm on holds the body back until the head is acknowledged, which systems do at once on a
 * new connection and 40 ms late on a kept one.
 */
export class ReusePolicy {
  #isGivenUp = false
  #waits = 0
  /** Small responses for which the last verdict holds. */
  #leftResponses = 0

  /** Notes a small response; false: its connection, and those after others like it, are not worth keeping. */
  isWorthKeeping({ isKept, connectMs, waitMs }: SmallResponse): boolean {
    this.#leftResponses -= 1
    if (this.#isGivenUp && this.#leftResponses <= 0) this.#decide(false, 0)
    // Kept ones are on trial, and after they were given up new ones are: a body that is late on both is simply late.
    const isOnTrial = this.#isGivenUp ? !isKept : isKept && this.#leftResponses <= 0
    if (isOnTrial && waitMs !== null) {
      this.#waits = waitMs >= MIN_WAIT_MS && waitMs > 2 * connectMs ? this.#waits + 1 : 0
      if (this.#waits === TELLING_WAITS) this.#decide(!this.#isGivenUp, VERDICT_RESPONSES)
    }
    return !this.#isGivenUp
  }

  #decide(isGivenUp: boolean, responses: number): void {
    this.#isGivenUp = isGivenUp
    this.#waits = 0
    this.#leftResponses = responses
  }
}
