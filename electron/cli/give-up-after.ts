import { isUnreachable } from '../engine/index.ts'

/** Outages and Retry-After are waited out this long without any progress, milliseconds. */
const GIVE_UP_AFTER_MS = 15 * 60 * 1000
/** An address where nothing answers, before any connection was made, is mistyped rather than out of order (milliseconds). */
const GIVE_UP_UNREACHED_MS = 18 * 1000

/**
 * How long a command waits without any progress after a failure, milliseconds. `givenMs` is what a person asked for, of
 * all failures alike; null: nothing was asked. `hasConnected`: whether there ever was a connection.
 */
export function createGiveUpAfter(givenMs: number | null, hasConnected: () => boolean): (failure: unknown) => number {
  return (failure) => {
    if (givenMs !== null) return givenMs
    return isUnreachable(failure) && !hasConnected() ? GIVE_UP_UNREACHED_MS : GIVE_UP_AFTER_MS
  }
}
