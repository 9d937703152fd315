import { setTimeout as sleep } from 'node:timers/promises'
import { app } from 'electron'

/** Threads that were told to end have done so by then, even on a busy computer, unless a drive hangs (milliseconds). */
const END_MS = 1000
const LOOK_MS = 20

/**
 * Ends the process, once everything is closed. A process ends only when all its threads have, so a call to a file on a
 * drive that doesn't respond would keep it for as long as the drive is away, and nobody could start the app again: in
 * that case the system ends it. `endThreads` tells the threads that were started here to end, and resolves when they have.
 */
export async function endProcess(endThreads: () => Promise<void>): Promise<void> {
  // The next process need not wait for any of this.
  app.releaseSingleInstanceLock()
  let haveEnded = false
  void endThreads().then(() => (haveEnded = true))
  const hangs = (): boolean => !haveEnded || isPoolBusy()
  for (let waitedMs = 0; hangs() && waitedMs < END_MS; waitedMs += LOOK_MS) await sleep(LOOK_MS)
  if (!hangs()) return app.exit(0)
  // The system may take its time with a process that waits for a drive: its helpers must not.
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

/** Whether a thread of Node's pool still works on a file. */
export function isPoolBusy(): boolean {
  return process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq'))
}
