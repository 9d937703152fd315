import { setMaxListeners } from 'node:events'
import type { Environment } from './connection-options.ts'

/** Signals within this time count as one, because npm and timeout send theirs twice (milliseconds). */
export const SAME_STOP_MS = 100
/** How long a process that was told to stop may go on after its command has ended (milliseconds). */
const LINGER_MS = 1000
/**
 * How long a command may take to stop before the signal ends the process (milliseconds). Even with a slow disk it stops
 * in time, unless a file or folder doesn't answer, as on a share that is away, because such a read can't be given up.
 * The kept state is durable at any time.
 */
const STOP_MS = 30_000
/** The same after a second signal (milliseconds). */
const STOP_NOW_MS = 2000
const NAMES = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'] as const

/**
 * Set by whatever starts Sluice under nohup: Node stops ignoring signals before it runs any of our code.
 */
const HANG_UP = 'SLUICE_HANG_UP'

/** How a command is told to stop. */
export interface StopSignals {
  /**
   * Aborted by the first SIGINT, SIGTERM, SIGHUP or Windows’ SIGBREAK: transfers that are nearly done may finish. A
   * SIGHUP that is to be ignored doesn't count.
   */
  readonly first: AbortSignal
  /** Aborted by the second signal: even those are stopped. */
  readonly second: AbortSignal
}

/** The stop signals of a process. */
interface ProcessSignals extends StopSignals {
  /**
   * Call when the command has ended: the next signal then ends the process, whatever it is doing. If a signal came
   * before, the process is ended after a while anyway, because Node never ends a read of a pipe that nobody writes to.
   */
  handBack(): void
}

interface SignalSource {
  readonly on: (name: NodeJS.Signals, listener: (name: NodeJS.Signals) => void) => unknown
  readonly off: (name: NodeJS.Signals, listener: (name: NodeJS.Signals) => void) => unknown
  /** Calls `act` after `ms` milliseconds, if the process still runs by then. */
  readonly later: (ms: number, act: () => void) => void
  /** Sends this process the signal. */
  readonly kill: (name: NodeJS.Signals) => void
  /** Monotonic. */
  readonly nowMs: () => number
}

const SYSTEM: SignalSource = {
  on: (name, listener) => process.on(name, listener),
  off: (name, listener) => process.off(name, listener),
  later: (ms, act) => void setTimeout(act, ms).unref(),
  kill: (name) => void process.kill(process.pid, name),
  nowMs: () => performance.now(),
}

/** Listens for the signals from now on. */
export function createStopSignals(
  { on, off, nowMs, later, kill }: SignalSource = SYSTEM,
  environment: Environment = process.env,
): ProcessSignals {
  const first = new AbortController()
  const second = new AbortController()
  // Everything a command does at the same time listens to them; Node takes more than ten listeners for a leak.
  setMaxListeners(0, first.signal, second.signal)
  let came: { readonly name: NodeJS.Signals; readonly atMs: number } | null = null
  const isHangUpIgnored = environment[HANG_UP] === 'ignored'
  const stop = (name: NodeJS.Signals): void => {
    if (name === 'SIGHUP' && isHangUpIgnored) return
    if (came === null) {
      came = { name, atMs: nowMs() }
      first.abort('close')
      endBy(name, STOP_MS)
    } else if (nowMs() - came.atMs >= SAME_STOP_MS) {
      second.abort('close')
      endBy(name, STOP_NOW_MS)
    }
  }
  const release = (): void => {
    for (const name of NAMES) off(name, stop)
  }
  const endBy = (name: NodeJS.Signals, afterMs: number): void =>
    later(afterMs, () => {
      release()
      kill(name)
    })
  for (const name of NAMES) on(name, stop)
  return {
    first: first.signal,
    second: second.signal,
    handBack() {
      release()
      if (came !== null) endBy(came.name, LINGER_MS)
    },
  }
}
