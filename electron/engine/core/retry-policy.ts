/** How long to wait without any progress, milliseconds: one time for all failures, or one by failure. Null: forever. */
export type GiveUpAfter = number | null | ((failure: unknown) => number | null)

/** The retry policy that all requests of one run share: progress gives each of them its tries back. */
export interface RetryPolicy {
  /**
   * `bytes` arrived, or something that counts as much. Tries are only given back for 1 MiB or more, so a connection
   * that breaks again and again after a few bytes is tried less and less often.
   */
  progressed(bytes: number): void
  /**
   * Bytes moved that may be lost again, or the file was read: too early to give up, but no reason to retry sooner.
   */
  moved(): void
  /**
   * Waits as the failure demands, and tells the row. Throws TransferError if the run must stop, or the stop reason.
   * `isVain`: what failed brought nothing new, so progress of other requests is no reason to try again at once.
   */
  waitAfter(failure: unknown, isVain?: boolean): Promise<void>
}

/** What the requests to one service may still spend on retries. */
export interface RetryBudget {
  /** Returns false once the budget is spent: then a try is only worthwhile after the longest wait. */
  spend(failure: unknown): boolean
  /** A request got what it asked for. */
  refund(): void
}
