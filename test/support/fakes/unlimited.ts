import type { RateLimiter } from '../../../electron/engine/core/rate-limiter.ts'

/** Lets everything pass. */
export const UNLIMITED: RateLimiter = { take: () => null, limitBytesPerSecond: null }
