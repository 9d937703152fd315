import type { Clock } from '../../engine/index.ts'

export type WaitClock = Pick<Clock, 'nowMs' | 'sleep'>

/** A timer may stand still while the machine sleeps, and the wall clock may be set: it is looked at this often. */
export const LOOK_EVERY_MS = 30_000

/** Resolves when the wall clock says `atMs` or later. Throws the signal's reason. */
export async function waitUntil(clock: WaitClock, atMs: number, signal: AbortSignal): Promise<void> {
  for (let leftMs = atMs - clock.nowMs(); leftMs > 0; leftMs = atMs - clock.nowMs()) {
    await clock.sleep(Math.min(leftMs, LOOK_EVERY_MS), signal)
  }
}
