/** How long is waited without any progress, milliseconds: after any failure, or by what failed. Null: for ever. */
export type GiveUpAfter = number | null | ((failure: unknown) => number | null)

/** The retry policy shared by all requests of one run: progress gives every one of them its tries back. */
export interface RetryPolicy {
  /**
   * `bytes` arrived, or what counts as much. Tries are only given back for 1 MiB or more, so that a connection that
   * breaks again and again after a few bytes is asked less and less often.
   */
  progressed(bytes: number): void
  /**
   * Bytes moved that may be lost again, or the file was read: it is too early to give up. No reason to try again sooner.
   */
  moved(): void
  /**
   * Waits as the failure demands, telling the row; throws TransferError when it must stop, or the stop reason.
   * `isVain`: what failed brought nothing new, so that progress of others is no reason to try again at once.
   */
  waitAfter(failure: unknown, isVain?: boolean): Promise<void>
}

/** What the requests to one service may still spend on trying again. */
export interface RetryBudget {
  /** False when it is spent: then a try is only worth its while after the longest wait. */
  spend(failure: unknown): boolean
  /** A request got what it asked for. */
  refund(): void
}
