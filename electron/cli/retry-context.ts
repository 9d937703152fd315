import { createSystemClock, type PatienceContext } from '../engine/index.ts'
import type { Output } from './output.ts'

/** Outages and Retry-After are waited out this long without any progress, milliseconds. */
export const GIVE_UP_AFTER_MS = 15 * 60 * 1000

/** How requests beside the transfers are repeated: as patiently as they are, and saying so once. */
export function commandPatience(
  signal: AbortSignal,
  output: Output,
  deps: PatienceContext['deps'] = { clock: createSystemClock(), random: Math.random },
): PatienceContext {
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
