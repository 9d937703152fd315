import { performance } from 'node:perf_hooks'
import { writeBudget } from './write-budget.ts'

/** From this share of time on, more connections could only wait for this process. */
const BUSY_SHARE = 0.9

/** A timer that comes this late shows a busy event loop where there is no better sign (milliseconds). */
const LATE_MS = 50

/**
 * Creates a function that tells whether the disk, or the event loop since the last call, is what is slow. It is given
 * how late a timer came, in milliseconds.
 */
export function watchSaturation(): (lateMs: number) => boolean {
  let last = performance.eventLoopUtilization()
  return (lateMs) => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, last)
    last = now
    // Electron's loop is never idle by this count. Elsewhere late timers may be the fault of other processes.
    return writeBudget.isTight || (now.idle > 0 ? utilization > BUSY_SHARE : lateMs > LATE_MS)
  }
}
