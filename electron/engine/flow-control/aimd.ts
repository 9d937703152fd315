// A service that refuses (429, 503, SlowDown) gets fewer requests at a time, and later more again: additive increase,
// multiplicative decrease, as TCP does it (RFC 5681). All times are milliseconds since the last refusal. Pure.

const DECREASE = 0.7
const HOLD_MS = 10_000
const ECHO_MS = 1000

/** How many requests may run after a refusal, at least 1. If fewer ran than allowed, their number counts. Pure. */
export function decreased(limit: number, running = limit): number {
  return Math.max(1, Math.floor(Math.min(limit, Math.max(running, 1)) * DECREASE))
}

/** Whether a refusal answers a request that was under way at the last refusal: then it doesn't count again. Pure. */
export function isEcho(sinceMs: number): boolean {
  return sinceMs < ECHO_MS
}

/** Whether the service has been left alone for long enough that requests may increase again. Pure. */
export function mayGrow(sinceMs: number): boolean {
  return sinceMs >= HOLD_MS
}
