// Notices when the machine has slept or changed its network, which makes old connections useless.

import { networkInterfaces, uptime } from 'node:os'
import type { Clock } from '../core/deps.ts'

const LOOK_INTERVAL_MS = 5000
/** A timer is only later than this if the machine slept or the process was stopped. */
const MAX_LATE_MS = 15_000

/** What the watch looks at, and whom it tells. */
export interface WakeWatchParts {
  readonly clock: Pick<Clock, 'sleep'>
  /** Time since the machine started, sleep included, milliseconds. */
  readonly uptimeMs: () => number
  /** Names the network addresses that the machine has. */
  readonly addresses: () => string
  /** Whether a transfer waits for the network; addresses are looked at only then. */
  readonly isWaiting: () => boolean
  /** Called when connections are as good as dead: the machine slept, the process was stopped or the network changed. */
  readonly onUpset: () => void
}

/** Looks every few seconds, because some systems don't report sleep. Returns a function that stops the watch. */
export function watchWake(parts: WakeWatchParts): () => void {
  const stop = new AbortController()
  watch(parts, stop.signal).catch(() => undefined)
  return () => {
    stop.abort('close')
  }
}

/** The machine's own uptime and addresses. */
export const SYSTEM_WAKE: Pick<WakeWatchParts, 'uptimeMs' | 'addresses'> = {
  uptimeMs: () => uptime() * 1000,
  addresses: () =>
    Object.entries(networkInterfaces())
      .flatMap(([name, found = []]) => found.filter(({ internal }) => !internal).map((each) => `${name} ${each.cidr}`))
      .sort()
      .join('\n'),
}

/** Looks until `signal` is aborted, then throws its reason. */
async function watch(parts: WakeWatchParts, signal: AbortSignal): Promise<never> {
  const { clock, uptimeMs, addresses, isWaiting, onUpset } = parts
  let lookedAtMs = uptimeMs()
  let known: string | null = null
  for (;;) {
    await clock.sleep(LOOK_INTERVAL_MS, signal)
    const elapsedMs = uptimeMs() - lookedAtMs
    lookedAtMs += elapsedMs
    const found = isWaiting() ? addresses() : null
    const isOtherNetwork = known !== null && found !== null && found !== known
    known = found
    if (elapsedMs > LOOK_INTERVAL_MS + MAX_LATE_MS || isOtherNetwork) onUpset()
  }
}
