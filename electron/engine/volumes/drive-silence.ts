import { linkSignal, type LinkedSignal } from '../async/linked-signal.ts'
import type { RunContext } from '../core/run.ts'

/** A drive that answers nothing of what it is asked for so long is said to be what its transfer waits for (milliseconds). */
export const SILENT_MS = 6000
/** Ends the watch. */
const OVER = new Error('Nothing more is asked')

/** Whether a transfer's files here answer: while none does, as on a share that hangs, the transfer says that it waits. */
export class DriveSilence {
  readonly #context: Pick<RunContext<never>, 'deps' | 'report' | 'signal'>
  readonly #signs: () => number
  /** Not answered yet. */
  #asked = 0
  #answers = 0
  #watch: LinkedSignal | null = null
  #isTold = false

  /** `signs`: grows with whatever the drive does beside whole answers. */
  constructor(context: Pick<RunContext<never>, 'deps' | 'report' | 'signal'>, signs: () => number = () => 0) {
    this.#context = context
    this.#signs = signs
  }

  /** What is asked of a file. */
  async during<T>(asked: Promise<T>): Promise<T> {
    this.#asked += 1
    if (this.#watch === null) void this.#look((this.#watch = linkSignal(this.#context.signal)))
    try {
      return await asked
    } finally {
      this.#asked -= 1
      this.#answers += 1
      if (this.#isTold) this.#tell(false)
    }
  }

  /** Nothing more is asked. Without it the watch, and with it the process, goes on for up to two times `SILENT_MS`. */
  end(): void {
    this.#watch?.abort(OVER)
  }

  /** Goes on while anything is asked at all: to begin and end with each question costs more than most answers. */
  async #look(watch: LinkedSignal): Promise<void> {
    try {
      do {
        const before = this.#heard()
        const wasAsked = this.#asked > 0
        await this.#context.deps.clock.sleep(SILENT_MS, watch.signal)
        const isSilent = wasAsked && this.#asked > 0 && this.#heard() === before
        if (isSilent !== this.#isTold) this.#tell(isSilent)
      } while (this.#asked > 0)
    } catch (failure) {
      if (!watch.signal.aborted) throw failure
    } finally {
      watch.release()
      this.#watch = null
    }
  }

  #heard(): number {
    return this.#answers + this.#signs()
  }

  #tell(isSilent: boolean): void {
    this.#isTold = isSilent
    this.#context.report.waiting(isSilent ? { reason: 'drive-unresponsive', retryAtMs: null, attempt: 1 } : null, this)
  }
}
