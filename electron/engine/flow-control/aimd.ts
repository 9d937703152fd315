// Additive increase, multiplicative decrease: how many requests a service takes at a time. Pure.

const DECREASE = 0.7
const HOLD_MS = 10_000
const ECHO_MS = 1000

// A service that refuses (429, 503, SlowDown) gets fewer requests at a time, and later more again: additive increase,
// multiplicative decrease, as TCP does it (RFC 5681). All times are milliseconds since the last refusal.

/** How many requests may run after a refusal, at least 1. Where fewer ran than might have, those count. Pure. */
export function decreased(limit: number, running = limit): number {
  return Math.max(1, Math.floor(Math.min(limit, Math.max(running, 1)) * DECREASE))
}

/** The refusal is the answer to a request that was under way at the last one: it doesn't count again. Pure. */
export function isEcho(sinceMs: number): boolean {
  return sinceMs < ECHO_MS
}

/** The service has been left alone for long enough: requests may become more again. Pure. */
export function mayGrow(sinceMs: number): boolean {
  return sinceMs >= HOLD_MS
}
