import type { Clock } from '../../engine/index.ts'

export type WaitClock = Pick<Clock, 'nowMs' | 'monotonicMs' | 'sleep'>

/** A timer may stand still while the machine sleeps, and the wall clock may be set: it is looked at this often. */
export const LOOK_EVERY_MS = 30_000

/**
 * A moment, as both clocks will show it; it has come when one of them does. The monotonic one may stand still while the
 * machine sleeps, the one on the wall may be set back. Milliseconds.
 */
export interface Deadline {
  readonly wallMs: number
  readonly monotonicMs: number
}

/** The moment that is `durationMs` away. */
export function deadlineIn(clock: WaitClock, durationMs: number): Deadline {
  return { wallMs: clock.nowMs() + durationMs, monotonicMs: clock.monotonicMs() + durationMs }
}

/** How far away it is, milliseconds; 0 or less: it has come. */
function timeLeft(clock: WaitClock, { wallMs, monotonicMs }: Deadline): number {
  return Math.min(wallMs - clock.nowMs(), monotonicMs - clock.monotonicMs())
}

/** Resolves when it has come; `onLook` is told how far away it is, milliseconds. Throws the signal's reason. */
export async function waitUntil(
  clock: WaitClock,
  deadline: Deadline,
  signal: AbortSignal,
  onLook: (leftMs: number) => void = () => undefined,
): Promise<void> {
  for (let leftMs = timeLeft(clock, deadline); leftMs > 0; leftMs = timeLeft(clock, deadline)) {
    onLook(leftMs)
    await clock.sleep(Math.min(leftMs, LOOK_EVERY_MS), signal)
  }
}
