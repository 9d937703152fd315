import type { Clock } from '../../engine/index.ts'

export type WaitClock = Pick<Clock, 'nowMs' | 'monotonicMs' | 'sleep'>

/** How often the clocks are read: a timer may stop while the machine sleeps, and the wall clock may be set. */
export const LOOK_EVERY_MS = 30_000

/**
 * A moment on both clocks; it has come when either clock reaches it. The monotonic clock may stop while the machine
 * sleeps, and the wall clock may be set back. Milliseconds.
 */
export interface Deadline {
  readonly wallMs: number
  readonly monotonicMs: number
}

/** The moment that is `durationMs` away. */
export function deadlineIn(clock: WaitClock, durationMs: number): Deadline {
  return { wallMs: clock.nowMs() + durationMs, monotonicMs: clock.monotonicMs() + durationMs }
}

/** The time left until the deadline, milliseconds; 0 or less once it has come. */
function timeLeft(clock: WaitClock, { wallMs, monotonicMs }: Deadline): number {
  return Math.min(wallMs - clock.nowMs(), monotonicMs - clock.monotonicMs())
}

/** Resolves at the deadline. `onLook` receives the time left now and then, milliseconds. Throws the signal's reason. */
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
