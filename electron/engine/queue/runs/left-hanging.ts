import { unlessAborted } from '../../../async/unless-aborted.ts'
import { waitAtMost } from '../../../async/wait-at-most.ts'
import type { Clock } from '../../core/deps.ts'
import type { FolderReporter } from '../../core/run.ts'
import { reportUnless } from './report-unless.ts'

/** A run that is told to stop is left alone once its drive has been said to be silent for this long (milliseconds). */
const HANGING_MS = 2000
/** How often to look whether it is silent (milliseconds). */
const LOOK_MS = 250
/** A clean-up that takes longer is left alone (milliseconds). */
const CLEAN_UP_MS = 3000

/**
 * Work on files that nobody waits for any more, because their drive doesn't respond: no call to a file can be taken
 * back. It ends once the drive responds. Until then nothing else may touch what it writes to.
 */
export class LeftHanging {
  readonly #clock: Clock
  /** By the key of what it writes to. */
  readonly #work = new Map<string, Promise<void>>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Resolves once nothing hangs any more on what has this key; null if nothing does. */
  on(key: string): Promise<void> | null {
    return this.#work.get(key) ?? null
  }

  /** Waits, and says so, as long as an earlier run hangs on what has this key. Throws the reason of `signal`. */
  async untilOver(key: string, signal: AbortSignal, report: Pick<FolderReporter, 'waiting'>): Promise<void> {
    const hanging = this.on(key)
    if (hanging === null) return
    report.waiting({ reason: 'drive-unresponsive', retryAtMs: null, attempt: 1 }, hanging)
    await unlessAborted(hanging, signal)
    report.waiting(null, hanging)
  }

  /**
   * Returns what `begin` returns, or null if it was left alone: it was told to stop by `signal`, and `isSilent` said all
   * the while that its drive doesn't respond. What it reports is ignored from then on. `begin` must not reject.
   */
  async orLeave<Outcome>(
    key: string,
    begin: (report: FolderReporter) => Promise<Outcome>,
    { signal, report, isSilent }: StoppableRun,
  ): Promise<Outcome | null> {
    let isLeft = false
    const over = new AbortController()
    const running = begin(reportUnless(() => isLeft, report))
    const hangs = this.#hangs(signal, isSilent, over.signal).then(() => null)
    const outcome = await Promise.race([running, hangs]).finally(() => over.abort())
    isLeft = outcome === null
    if (isLeft) this.#add(key, running)
    return outcome
  }

  /**
   * Cleans up what has this key, once nothing hangs on it any more. @returns false if that takes long and goes on by
   * itself, else what `cleanUp` returns. `cleanUp` must not reject.
   */
  async cleanUpOrLeave(key: string, cleanUp: () => Promise<boolean>): Promise<boolean> {
    const hanging = this.on(key)
    if (hanging !== null) {
      this.#add(key, hanging.then(cleanUp))
      return false
    }
    const cleaning = cleanUp()
    const isClean = await waitAtMost(CLEAN_UP_MS, cleaning, this.#clock)
    if (isClean === null) this.#add(key, cleaning)
    return isClean ?? false
  }

  #add(key: string, work: Promise<unknown>): void {
    const all: Promise<void> = Promise.all([this.#work.get(key), work]).then(() => {
      if (this.#work.get(key) === all) this.#work.delete(key)
    })
    this.#work.set(key, all)
  }

  /** Resolves once the drive of a run that was told to stop hangs. Never resolves after `over`. */
  async #hangs(signal: AbortSignal, isSilent: () => boolean, over: AbortSignal): Promise<void> {
    const never = new Promise<never>(() => undefined)
    if (!signal.aborted) {
      await new Promise<void>((resolve) =>
        signal.addEventListener('abort', () => resolve(), { once: true, signal: over }),
      )
    }
    for (let silentMs = 0; silentMs < HANGING_MS; silentMs = isSilent() ? silentMs + LOOK_MS : 0) {
      try {
        await this.#clock.sleep(LOOK_MS, over)
      } catch {
        return never
      }
    }
  }
}

/** A run that may have to be left alone. */
interface StoppableRun {
  /** Tells it to stop. */
  readonly signal: AbortSignal
  readonly report: FolderReporter
  /** Whether its drive is said not to respond. */
  readonly isSilent: () => boolean
}
