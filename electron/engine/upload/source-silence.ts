import { linkSignal, type LinkedSignal } from '../async/linked-signal.ts'
import type { RunContext } from '../core/run.ts'

/** A file of which nothing that was asked is answered for so long is said to be what its upload waits for (milliseconds). */
export const SILENT_MS = 6000
/** Ends the watch. */
const ANSWERED = new Error('The file answered')

/** Whether an upload's file answers: while it does not, as on a share that hangs, the upload says that it waits. */
export class SourceSilence {
  readonly #context: Pick<RunContext<never>, 'deps' | 'report' | 'signal'>
  /** Not answered yet. */
  #asked = 0
  #answers = 0
  #watch: LinkedSignal | null = null
  #isTold = false

  constructor(context: Pick<RunContext<never>, 'deps' | 'report' | 'signal'>) {
    this.#context = context
  }

  /** What is asked of the file. */
  async during<T>(asked: Promise<T>): Promise<T> {
    this.#asked += 1
    if (this.#watch === null) void this.#look((this.#watch = linkSignal(this.#context.signal)))
    try {
      return await asked
    } finally {
      this.#asked -= 1
      this.#answers += 1
      if (this.#isTold) this.#tell(false)
      if (this.#asked === 0) this.#end()
    }
  }

  async #look({ signal }: LinkedSignal): Promise<void> {
    try {
      for (;;) {
        const before = this.#answers
        await this.#context.deps.clock.sleep(SILENT_MS, signal)
        if (this.#answers === before && !this.#isTold) this.#tell(true)
      }
    } catch (failure) {
      if (!signal.aborted) throw failure
    }
  }

  #tell(isSilent: boolean): void {
    this.#isTold = isSilent
    this.#context.report.waiting(isSilent ? { reason: 'source-unresponsive', retryAtMs: null, attempt: 1 } : null, this)
  }

  #end(): void {
    this.#watch?.abort(ANSWERED)
    this.#watch?.release()
    this.#watch = null
  }
}
