import { performance } from 'node:perf_hooks'
import { writeBudget } from '../async/memory-budget.ts'

/** An event loop busier than this is saturated: more connections would only wait for this process. */
const BUSY_SHARE = 0.9

/** A process that uses less than this share of a processor is not slowed down by its own work. */
const OWN_CPU_SHARE = 0.6
/** A timer that is this late shows a busy event loop when there is no better sign (milliseconds). */
const LATE_MS = 50

/**
 * Creates a function that tells whether the disk, or the event loop since the last call, is the bottleneck. It takes
 * how late a timer was, in milliseconds.
 */
export function watchSaturation(): (lateMs: number) => boolean {
  let last = look()
  return (lateMs) => {
    const now = look()
    const { utilization } = performance.eventLoopUtilization(now.loop, last.loop)
    const cpuShare = (now.cpuMs - last.cpuMs) / Math.max(1, now.atMs - last.atMs)
    last = now
    // By this measure Electron's loop is never idle.
    const isLoopBusy = now.loop.idle > 0 ? utilization > BUSY_SHARE : lateMs > LATE_MS
    // On a machine that other processes keep busy, the loop is late without work of its own.
    return writeBudget.isTight || (isLoopBusy && cpuShare > OWN_CPU_SHARE)
  }
}

function look() {
  const { user, system } = process.cpuUsage()
  return { loop: performance.eventLoopUtilization(), cpuMs: (user + system) / 1000, atMs: performance.now() }
}
