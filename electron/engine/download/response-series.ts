/**
 * The answers in a row that nothing could be used of, over all requests of one step. Requests that were under way
 * together count once: none of them knew what the others met.
 */
export class ResponseSeries {
  #unusable = 0

  /** The last answer that says anything could not be used: what is asked for next tells whether any can. */
  get isInDoubt(): boolean {
    return this.#unusable > 0
  }

  /** Begins a request. */
  begin(): SeriesRequest {
    const known = this.#unusable
    return {
      usable: () => {
        if (this.#unusable === known) this.#unusable = 0
      },
      unusable: () => (this.#unusable = Math.max(this.#unusable, known + 1)),
    }
  }
}

/** How one request of a series was answered. */
export interface SeriesRequest {
  usable(): void
  /** @returns how many answers in a row could not be used, this one included. */
  unusable(): number
}
