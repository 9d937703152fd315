import { createSystemClock, type PatienceContext } from '../engine/index.ts'

/** Outages and Retry-After are waited out this long without any progress, milliseconds. */
export const GIVE_UP_AFTER_MS = 15 * 60 * 1000

/** How requests beside the transfers are repeated: as patiently as they are. */
export function commandPatience(
  signal: AbortSignal,
  deps: PatienceContext['deps'] = { clock: createSystemClock(), random: Math.random },
): PatienceContext {
  return { deps, signal, giveUpAfterMs: GIVE_UP_AFTER_MS, report: { waiting: () => undefined } }
}
