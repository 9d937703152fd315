import { setMaxListeners } from 'node:events'
import type { Clock } from '../core/deps.ts'
import type { StopReason } from '../core/run.ts'
import { createWindDown, type WindDown } from '../core/wind-down.ts'

/** Stops one run: at once, or after a wind-down. */
export interface RunControl {
  /** Aborted with a StopReason. */
  readonly signal: AbortSignal
  readonly windDown: WindDown
  /** Stops it at once. */
  abort(reason: StopReason): void
  /**
   * Stops the run once everything that can end within `finishMs` has ended, or at once if nothing can. A second call
   * can only stop it sooner: with 0, at once.
   */
  windDownFor(finishMs: number, reason: StopReason): void
  /** Drops all timers, because the run is over. */
  release(): void
}

export function createRunControl(clock: Clock): RunControl {
  const controller = new AbortController()
  const { signal } = controller
  // Everything that a run has under way listens to it, and Node takes more than ten listeners for a leak.
  setMaxListeners(0, signal)
  const timers = new AbortController()
  const windDown = createWindDown()
  let ended: Promise<void> | null = null
  signal.addEventListener('abort', () => timers.abort(), { once: true })

  function abortAfter(wait: Promise<void>, reason: StopReason): void {
    void wait.then(
      () => controller.abort(reason),
      () => undefined,
    )
  }

  return {
    signal,
    windDown,
    abort: (reason) => controller.abort(reason),
    windDownFor(finishMs, reason) {
      if (signal.aborted) return
      const isFirst = ended === null
      if (finishMs > 0) ended ??= windDown.begin(clock.monotonicMs() + finishMs)
      if (finishMs <= 0 || ended === null) return controller.abort(reason)
      if (isFirst) abortAfter(ended, reason)
      abortAfter(clock.sleep(finishMs, timers.signal), reason)
    },
    release: () => timers.abort(),
  }
}
