/**
 * Counts unusable responses in a row over all requests of one step. Requests under way at the same time count once,
 * because each was sent before the others failed.
 */
export class ResponseSeries {
  #unusable = 0

  /** Whether the latest telling response could not be used. The next request shows whether any can. */
  get isInDoubt(): boolean {
    return this.#unusable > 0
  }

  /** Begins a request of the series. */
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
  /** @returns how many responses in a row could not be used, this one included. */
  unusable(): number
}
