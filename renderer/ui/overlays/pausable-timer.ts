export interface PausableTimer {
  /** The time goes on. */
  readonly resume: () => void
  /** What is left of the time stays. */
  readonly pause: () => void
}

/** Acts once after so many milliseconds in which it was not paused. It starts paused. */
export function createPausableTimer(act: () => void, delayMs: number): PausableTimer {
  let leftMs = delayMs
  let running: { readonly timer: ReturnType<typeof setTimeout>; readonly sinceMs: number } | null = null
  return {
    resume: () => {
      running ??= { timer: setTimeout(act, leftMs), sinceMs: performance.now() }
    },
    pause: () => {
      if (running === null) return
      clearTimeout(running.timer)
      leftMs = Math.max(0, leftMs - (performance.now() - running.sinceMs))
      running = null
    },
  }
}
