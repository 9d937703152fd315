import { performance } from 'node:perf_hooks'
import { writeBudget } from '../async/memory-budget.ts'

/** From this share of time on, more connections could only wait for this process. */
const BUSY_SHARE = 0.9

/** Less than this of a processor is not what slows a process down. */
const OWN_CPU_SHARE = 0.6
/** A timer that comes this late shows a busy event loop where there is no better sign (milliseconds). */
const LATE_MS = 50

/**
 * Creates a function that tells whether the disk, or the event loop since the last call, is what is slow. It is given
 * how late a timer came, in milliseconds.
 */
export function watchSaturation(): (lateMs: number) => boolean {
  let last = look()
  return (lateMs) => {
    const now = look()
    const { utilization } = performance.eventLoopUtilization(now.loop, last.loop)
    const cpuShare = (now.cpuMs - last.cpuMs) / Math.max(1, now.atMs - last.atMs)
    last = now
    // Electron's loop is never idle by this count.
    const isLoopBusy = now.loop.idle > 0 ? utilization > BUSY_SHARE : lateMs > LATE_MS
    // On a machine that others keep busy, the loop is late through no work of its own.
    return writeBudget.isTight || (isLoopBusy && cpuShare > OWN_CPU_SHARE)
  }
}

function look() {
  const { user, system } = process.cpuUsage()
  return { loop: performance.eventLoopUtilization(), cpuMs: (user + system) / 1000, atMs: performance.now() }
}
