/** A response of up to this size ends before it can profit from a connection that has grown fast. */
export const SMALL_RESPONSE_BYTES = 64 * 1024
/** Systems delay a lone acknowledgment by 40 ms; anything shorter than this is not such a delay. */
const MIN_WAIT_MS = 25
/** This many waits in a row are no coincidence. */
const TELLING_WAITS = 3
/** A verdict is reviewed after this many small responses. */
const VERDICT_RESPONSES = 1000

/** A small response and the connection it came over. */
export interface SmallResponse {
  /** The connection had carried a response before. */
  readonly isKept: boolean
  /** How long the connection took to make, handshake included. */
  readonly connectMs: number
  /** From the response's head to the end of its body; null when it has no body, which tells nothing. */
  readonly waitMs: number | null
}

/**
 * Decides whether connections to one origin are worth keeping after small responses. A service that writes head and
 * body apart and leaves Nagle's algorithm on holds the body back until the head is acknowledged, which systems do at
 * once on a new connection and 40 ms late on a kept one.
 */
export class ReusePolicy {
  #isGivenUp = false
  #waits = 0
  /** How many more small responses the last verdict holds for. */
  #leftResponses = 0

  /** Records a small response; returns false when its connection, and others after such responses, should be closed. */
  isWorthKeeping({ isKept, connectMs, waitMs }: SmallResponse): boolean {
    this.#leftResponses -= 1
    if (this.#isGivenUp && this.#leftResponses <= 0) this.#decide(false, 0)
    // Kept connections are on trial; once given up, new ones are: a body that is late on both is simply late.
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
