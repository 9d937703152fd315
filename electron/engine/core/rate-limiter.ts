import { MIB } from '../../../shared/limits.ts'

/** Bandwidth shared by transfers. Uploads ask before bytes go to the socket, downloads after they were read. */
export interface RateLimiter {
  /**
   * Returns null if `bytes` may pass at once, as they always may without a limit; otherwise resolves when they may.
   * Rejects with `signal.reason` when aborted.
   */
  take(bytes: number, signal: AbortSignal): Promise<void> | null
  /** The lowest of the limits in force, bytes a second; null if there is none. Others may share it. */
  readonly limitBytesPerSecond: number | null
}

const MIN_BLOCK_BYTES = 16 * 1024
/** Under a limit that makes even those last longer than this, blocks are smaller: a pause of 3 s counts as a stall. */
const MAX_BLOCK_MS = 125
const LEAST_BLOCK_BYTES = 512

/**
 * How many bytes to move at a time, so that all connections together are never far ahead of the limit, and each of
 * several transfers moves often enough for its rate and time left to be known.
 */
export function blockBytesUnder(limitBytesPerSecond: number | null): number {
  if (limitBytesPerSecond === null) return MIB
  const longestBytes = Math.floor((limitBytesPerSecond * MAX_BLOCK_MS) / 1000)
  const leastBytes = Math.max(LEAST_BLOCK_BYTES, Math.min(MIN_BLOCK_BYTES, longestBytes))
  return Math.min(MIB, Math.max(leastBytes, Math.floor(limitBytesPerSecond / 64)))
}
