import { setMaxListeners } from 'node:events'
import type { Environment } from './connection-options.ts'

/** Signals that come together are one: npm and timeout send theirs twice (milliseconds). */
export const SAME_STOP_MS = 100
/** What a process that a signal stopped may still do once its command has ended (milliseconds). */
const LINGER_MS = 1000
/**
 * A command ends by itself within this, however slow a disk is (milliseconds), unless a file or folder does not answer,
 * as on a share that is away: no read of it can be given up. What is kept is durable at any time.
 */
const STOP_MS = 30_000
/** After a second signal (milliseconds). */
const STOP_NOW_MS = 2000
const NAMES = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'] as const

/**
 * Set by what starts Sluice under nohup: Node takes back that a signal is to be ignored before it runs anything of ours.
 */
const HANG_UP = 'SLUICE_HANG_UP'

/** How a command is told to stop. */
export interface StopSignals {
  /**
   * Aborted by the first of SIGINT, SIGTERM, SIGHUP and Windows’ SIGBREAK: what is nearly there may end. Not by a SIGHUP
   * that is to be ignored.
   */
  readonly first: AbortSignal
  /** Aborted by the second: nothing may. */
  readonly second: AbortSignal
}

/** The signals of a whole process. */
interface ProcessSignals extends StopSignals {
  /**
   * The command has ended: the next signal ends the process whatever it still does. If there was one, it does so by
   * itself, for Node ends no read of a pipe that nobody writes to.
   */
  handBack(): void
}

interface SignalSource {
  readonly on: (name: NodeJS.Signals, listener: (name: NodeJS.Signals) => void) => unknown
  readonly off: (name: NodeJS.Signals, listener: (name: NodeJS.Signals) => void) => unknown
  /** Does something if this process is still there after a while (milliseconds). */
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

/** Follows the signals from now until the process ends by itself. */
export function createStopSignals(
  { on, off, nowMs, later, kill }: SignalSource = SYSTEM,
  environment: Environment = process.env,
): ProcessSignals {
  const first = new AbortController()
  const second = new AbortController()
  // Everything that a command does at a time ends on them; Node takes more than ten listeners for a leak.
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
