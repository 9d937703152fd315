import { writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

// Loaded into the command line with `node --import`. At exit, it reports how long the event loop was blocked. Workers
// load it too, but only the main thread must stay free.
if (isMainThread) {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  process.on('exit', () => {
    delay.disable()
    const [p50Ms, p99Ms, maxMs] = [delay.percentile(50), delay.percentile(99), delay.max].map((value) => value / 1e6)
    writeFileSync(process.env.SLUICE_LOOP_REPORT, JSON.stringify({ p50Ms, p99Ms, maxMs }))
  })
}
