import { homedir } from 'node:os'
import { parse } from 'node:path'
import { Worker, type WorkerOptions } from 'node:worker_threads'

const live = new Set<Worker>()

/**
 * Starts a thread. Node's threads ask for the working directory of the process and can't start if it was deleted, or was
 * on a drive that was pulled out. The process then moves to the root of the file system, which keeps no drive busy.
 */
export function startThread(url: URL, options: WorkerOptions = {}): Worker {
  try {
    // Without this, `cwd` would return what it returned before.
    process.chdir('.')
    process.cwd()
  } catch {
    // Only on Windows there are several, and everybody has a home folder.
    process.chdir(process.platform === 'win32' ? parse(homedir()).root : '/')
  }
  const worker = new Worker(url, options)
  live.add(worker)
  worker.on('exit', () => live.delete(worker))
  return worker
}

/** Whether a thread that was started here has not ended yet. */
export function areThreadsLeft(): boolean {
  return live.size > 0
}

/** Ends all threads, whatever they are doing. Resolves when they have ended: for one that hangs in the file system, never. */
export async function endThreads(): Promise<void> {
  await Promise.all([...live].map((worker) => worker.terminate()))
}
