import { performance } from 'node:perf_hooks'
import { writeBudget } from './write-budget.ts'

/** From this share of time on, more connections could only wait for this process. */
const BUSY_SHARE = 0.9

/** Creates a function that tells whether the disk, or the event loop since the last call, is what is slow. */
export function watchSaturation(): () => boolean {
  let last = performance.eventLoopUtilization()
  return () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, last)
    last = now
    // Electron's loop is never idle by this count; there, late timers tell.
    return writeBudget.isTight || (now.idle > 0 && utilization > BUSY_SHARE)
  }
}
