import { homedir } from 'node:os'
import { parse } from 'node:path'
import { Worker, type WorkerOptions } from 'node:worker_threads'

/**
 * Starts a thread. Node's threads ask for the folder that the process is in and can't begin where that was deleted, as
 * on a drive that was pulled out: then the process goes to the root of the file system, which holds up no drive.
 */
export function startThread(url: URL, options: WorkerOptions = {}): Worker {
  try {
    // Else `cwd` goes on telling what it told before.
    process.chdir('.')
    process.cwd()
  } catch {
    process.chdir(parse(homedir()).root)
  }
  return new Worker(url, options)
}
