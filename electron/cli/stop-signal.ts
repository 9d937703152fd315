import { setMaxListeners } from 'node:events'

/** Signals that come together are one: npm and timeout send theirs twice (milliseconds). */
const SAME_STOP_MS = 100

/** How a command is told to stop. */
export interface StopSignals {
  /** Aborted by the first of SIGINT, SIGTERM, SIGHUP and Windows’ SIGBREAK: what is nearly there may end. */
  readonly first: AbortSignal
  /** Aborted by the second: nothing may. */
  readonly second: AbortSignal
}

interface SignalSource {
  readonly on: (name: NodeJS.Signals, listener: () => void) => unknown
  /** Monotonic. */
  readonly nowMs: () => number
}

const SYSTEM: SignalSource = {
  on: (name, listener) => process.on(name, listener),
  nowMs: () => performance.now(),
}

/** Follows the signals from now until the process ends by itself. */
export function createStopSignals({ on, nowMs }: SignalSource = SYSTEM): StopSignals {
  const first = new AbortController()
  const second = new AbortController()
  // Everything that a command does at a time ends on them; Node takes more than ten listeners for a leak.
  setMaxListeners(0, first.signal, second.signal)
  let firstAtMs = Infinity
  const stop = (): void => {
    if (!first.signal.aborted) {
      firstAtMs = nowMs()
      first.abort('close')
    } else if (nowMs() - firstAtMs >= SAME_STOP_MS) second.abort('close')
  }
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'] as const) on(name, stop)
  return { first: first.signal, second: second.signal }
}
