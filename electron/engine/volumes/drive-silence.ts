import { MIB } from '../../../shared/limits.ts'
import { linkSignal, type LinkedSignal } from '../async/linked-signal.ts'
import type { RunContext } from '../core/run.ts'

/** A transfer says that it waits for its drive once the drive has answered nothing for this long (milliseconds). */
export const SILENT_MS = 6000
/** The same while the transfer is being stopped, which takes until its calls are answered (milliseconds). */
const STOPPING_SILENT_MS = 1000
/** A call that reads many bytes before it answers gets the time that a slow drive takes for them (bytes a second). */
const SLOW_DRIVE_RATE = MIB
/** Ends the watch. */
const OVER = new Error('The watch has ended')

/** Watches whether a transfer's local files answer: while none does, as on a hanging share, it says that it waits. */
export class DriveSilence {
  readonly #context: Pick<RunContext<never>, 'deps' | 'report' | 'signal'>
  readonly #signs: () => number
  /** Calls that are not answered yet. */
  #asked = 0
  #answers = 0
  /** For so long a call may still be reading, milliseconds. */
  #readingMs = 0
  #watch: LinkedSignal | null = null
  readonly #over = new AbortController()
  #isTold = false

  /** `signs`: a number that grows with any sign of life of the drive other than a completed call. */
  constructor(context: Pick<RunContext<never>, 'deps' | 'report' | 'signal'>, signs: () => number = () => 0) {
    this.#context = context
    this.#signs = signs
  }

  /** Watches one call to a file, which reads `bytes` before it answers. Settles as the call does. */
  async during<T>(asked: Promise<T>, bytes = 0): Promise<T> {
    this.#asked += 1
    this.#readingMs = Math.max(this.#readingMs, (bytes * 1000) / SLOW_DRIVE_RATE)
    if (this.#watch === null) void this.#look((this.#watch = linkSignal(this.#context.signal)))
    try {
      return await asked
    } finally {
      this.#asked -= 1
      this.#answers += 1
      if (this.#isTold) this.#tell(false)
    }
  }

  /** Ends the watch. Otherwise it, and with it the process, would go on for up to twice `SILENT_MS`. */
  end(): void {
    this.#over.abort(OVER)
    this.#watch?.abort(OVER)
  }

  /** Goes on while any call is open: beginning and ending a watch with each call would cost more than most calls. */
  async #look(watch: LinkedSignal): Promise<void> {
    try {
      await this.#lookEvery(SILENT_MS, watch.signal)
      if (this.#context.signal.aborted) await this.#lookEvery(STOPPING_SILENT_MS, this.#over.signal)
    } finally {
      watch.release()
      this.#watch = null
    }
  }

  /** Ends when no call is open, or with the signal. */
  async #lookEvery(intervalMs: number, signal: AbortSignal): Promise<void> {
    try {
      do {
        const before = this.#heard()
        const wasAsked = this.#asked > 0
        await this.#context.deps.clock.sleep(intervalMs, signal)
        const isReading = this.#readingMs > intervalMs
        this.#readingMs -= intervalMs
        const isSilent = wasAsked && this.#asked > 0 && this.#heard() === before && !isReading
        if (isSilent !== this.#isTold) this.#tell(isSilent)
      } while (this.#asked > 0)
    } catch (failure) {
      if (!signal.aborted) throw failure
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
