import { setTimeout as sleep } from 'node:timers/promises'
import { app } from 'electron'

/** Threads that were told to end have done so by then, unless a drive hangs (milliseconds). */
const END_MS = 300
const LOOK_MS = 20

/**
 * Ends the process, once everything is closed. A process ends only when all its threads have, so a call to a file on a
 * drive that doesn't respond would keep it for as long as the drive is away, and nobody could start the app again: in
 * that case the system ends it. `liveThreads` counts the threads that were started here and still run.
 */
export async function endProcess(liveThreads: () => number): Promise<void> {
  for (let waitedMs = 0; hangs(liveThreads) && waitedMs < END_MS; waitedMs += LOOK_MS) await sleep(LOOK_MS)
  if (!hangs(liveThreads)) return app.exit(0)
  // The system may take its time with a process that waits for a drive: neither its helpers nor the next one must.
  app.releaseSingleInstanceLock()
  const helpers = app.getAppMetrics().filter(({ pid }) => pid !== process.pid)
  for (const { pid } of [...helpers, process]) kill(pid)
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended meanwhile.
  }
}

/** Whether a thread still works on a file: one of our own, or one of Node's pool. */
function hangs(liveThreads: () => number): boolean {
  return liveThreads() > 0 || process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq'))
}
