export interface PausableTimer {
  /** Lets the time run on. */
  readonly resume: () => void
  /** Stops the time; what is left of it stays. */
  readonly pause: () => void
}

/** Calls `act` once, after `delayMs` milliseconds during which the timer was not paused. It starts paused. */
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
