import { isUnreachable } from '../engine/index.ts'
import { GIVE_UP_AFTER_SECONDS, GIVE_UP_UNREACHED_SECONDS } from './manual/option-limits.ts'

/**
 * How long a command keeps trying after a failure without any progress, milliseconds. `givenMs` is what a person asked
 * for, whatever the failure; null: nothing. `hasConnected` tells whether there ever was a connection.
 */
export function createGiveUpAfter(givenMs: number | null, hasConnected: () => boolean): (failure: unknown) => number {
  return (failure) => {
    if (givenMs !== null) return givenMs
    return 1000 * (isUnreachable(failure) && !hasConnected() ? GIVE_UP_UNREACHED_SECONDS : GIVE_UP_AFTER_SECONDS)
  }
}
