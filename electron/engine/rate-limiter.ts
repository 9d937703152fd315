/** Bandwidth shared by all transfers. Uploads ask before bytes go to the socket, downloads after they were read. */
export interface RateLimiter {
  /** Resolves when `bytes` may pass; at once without a limit. Rejects with `signal.reason` when aborted. */
  take(bytes: number, signal: AbortSignal): Promise<void>
  /** What may pass now, bytes a second; null or left out: no limit. */
  readonly limitBytesPerSecond?: number | null
}
