import { createSystemClock, type RetryContext } from '../engine/index.ts'
import type { Output } from './output.ts'

/** Outages and Retry-After are waited out this long without any progress, milliseconds. */
export const GIVE_UP_AFTER_MS = 15 * 60 * 1000

/** How requests beside the transfers are repeated: by the same policy, and saying so once. */
export function commandRetryContext(
  signal: AbortSignal,
  output: Output,
  deps: RetryContext['deps'] = { clock: createSystemClock(), random: Math.random },
): RetryContext {
  let isSaid = false
  return {
    deps,
    signal,
    giveUpAfterMs: GIVE_UP_AFTER_MS,
    report: {
      waiting(wait) {
        if (wait === null || isSaid) return
        isSaid = true
        output.note('Waiting for the server…')
      },
    },
  }
}
