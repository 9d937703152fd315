import { linkSignal } from '../async/linked-signal.ts'
import type { RunContext } from '../core/run.ts'

/** A drive that has not answered for so long is said to be what the upload waits for (milliseconds). */
export const SILENT_MS = 4000
/** Ends the watch. */
const ANSWERED = new Error('The file answered')

/** What is asked of an upload's file; while the answer takes long, as from a share that hangs, the upload says that it waits. */
export async function tellingSilence<T>(
  { deps, report, signal }: Pick<RunContext<never>, 'deps' | 'report' | 'signal'>,
  asked: Promise<T>,
): Promise<T> {
  const watch = linkSignal(signal)
  let isTold = false
  const tell = (): void => {
    if (watch.signal.aborted) return
    isTold = true
    report.waiting({ reason: 'source-unresponsive', retryAtMs: null, attempt: 1 }, watch)
  }
  deps.clock.sleep(SILENT_MS, watch.signal).then(tell, () => undefined)
  try {
    return await asked
  } finally {
    watch.abort(ANSWERED)
    watch.release()
    if (isTold) report.waiting(null, watch)
  }
}
