import type { TransferErrorInfo } from '../../../../shared/transfer/transfer-error.ts'
import { droppedWords } from '../../../../shared/transfer/words/stopping-words.ts'
import type { ConnectionGovernors } from '../../core/connections.ts'
import type { EngineOptions } from '../../core/requests.ts'
import type { FolderContext, FolderOutcome, FolderReporter, StopReason } from '../../core/run.ts'
import type { EngineLimits } from '../../flow-control/rate-limits.ts'
import { outcomeOfFailure } from '../../retry/classify.ts'
import { createRetryBudgets } from '../../retry/retry-budget.ts'
import { createRunControl, type RunControl } from '../../transfer/run-control.ts'
import { isOutcomeUnknown, outcomeEventOf } from '../../transfer/settled-outcome.ts'
import { directionOf, isBegun, type TransferEntry } from '../../transfer/transfer-entry.ts'
import { endedMsOf } from '../../transfer/transfer-row.ts'
import { givenUpOf } from '../../transfer/transfer-state.ts'
import { hasFileChanged } from '../../upload/bind-source.ts'
import { waitAsAsked } from './asked-wait.ts'
import { abandon, discard, reset, type DiscardParts } from './discarding.ts'
import { LeftHanging } from './left-hanging.ts'
import { NextStarts } from './next-starts.ts'
import { Occupancy } from './occupancy.ts'

type Run = (context: Omit<FolderContext, 'record'>) => Promise<FolderOutcome>

/** What the pool is made of. */
export interface RunPoolParts extends DiscardParts {
  readonly limits: EngineLimits
  readonly governors: ConnectionGovernors
  /** Returns the current options. */
  readonly options: () => EngineOptions
  /** Called when a run or clean-up is over. */
  readonly onFreed: () => void
}

/** Starts queued transfers while there is room, and records their outcomes. */
export class RunPool {
  readonly #parts: RunPoolParts
  readonly #occupancy: Occupancy
  readonly #retryBudgetOf = createRetryBudgets()
  readonly #left: LeftHanging
  #held = false
  readonly #next: NextStarts

  constructor(parts: RunPoolParts) {
    this.#parts = parts
    this.#left = new LeftHanging(parts.deps.clock)
    this.#occupancy = new Occupancy(() => {
      this.pump()
      parts.onFreed()
    })
    this.#next = new NextStarts({ ...parts, clock: parts.deps.clock, onRoom: () => this.pump() })
  }

  get isQuiet(): boolean {
    return this.#occupancy.isQuiet
  }

  /** Starts every transfer that may start. Call it whenever something was queued, freed or allowed. */
  pump(): void {
    if (this.#held) return
    for (const entry of this.#next.take(this.#occupancy)) this.#start(entry)
  }

  /** Starts a queued transfer however many run, unless what it writes to is busy or the pool is held. */
  startNow(entry: TransferEntry): void {
    if (!this.#held && !this.#occupancy.has(entry.exclusiveKey)) this.#start(entry)
  }

  /** Lets transfers start again after `stopAll`. */
  release(): void {
    this.#held = false
    this.pump()
  }

  /**
   * Tells a run to stop once everything that can end within `finishMs` has ended. Resolves when the run has stopped, or
   * was left alone because its drive doesn't respond, and the result is durable; at once if there is no run.
   */
  async stop(entry: TransferEntry, reason: StopReason, finishMs = 0): Promise<void> {
    windDown(entry, finishMs, reason)
    await entry.busy
  }

  /** Stops all running transfers, which continue later by themselves, and starts nothing until `release`. */
  async stopAll(finishMs: number): Promise<void> {
    const { queue } = this.#parts
    this.#held = true
    this.#next.stop()
    for (const entry of queue.running) {
      queue.transition(entry, { kind: 'suspend' })
      windDown(entry, finishMs, 'close')
    }
    await this.#occupancy.untilQuiet()
  }

  /** Stops a run for good, and records that to keep it from going on after a crash. */
  async cancel(entry: TransferEntry): Promise<void> {
    await Promise.all([this.#parts.queue.keep(entry, {}), this.stop(entry, 'cancel')])
  }

  /** Does `work` on a transfer while nothing else happens to it or to what it writes to. `work` must not reject. */
  occupy(entry: TransferEntry, work: () => Promise<void>): Promise<void> {
    return this.#occupancy.occupy(entry, work)
  }

  /** Drops what was transferred and forgets it. Never rejects: the log says what could not be dropped. */
  async discard(entry: TransferEntry): Promise<void> {
    await this.cleanUp(entry, () => discard(this.#parts, entry))
  }

  /** Does the same for a canceled transfer, and then records when it ended: until then it is not known to be clean. */
  async discardCanceled(entry: TransferEntry, ended: CanceledAt): Promise<void> {
    await this.cleanUp(entry, async () => {
      const isGone = await discard(this.#parts, entry)
      await this.#parts.queue.keep(entry, ended)
      return isGone
    })
  }

  /**
   * Cleans up after a transfer. If that takes long because its drive doesn't respond, it goes on by itself, and this
   * resolves with false. `work` must not reject.
   */
  cleanUp(entry: TransferEntry, work: () => Promise<boolean>): Promise<boolean> {
    const isOnDrive = entry.record.direction === 'download' || entry.record.direction === 'folder'
    // Where nothing hangs, what an upload left is cleaned up at the service alone.
    if (!isOnDrive && this.leftHanging(entry) === null) return work()
    return this.#left.cleanUpOrLeave(entry.exclusiveKey, work)
  }

  /** Resolves once the run and clean-ups of a transfer that were left alone have ended; null if there are none. */
  leftHanging(entry: TransferEntry): Promise<void> | null {
    return this.#left.on(entry.exclusiveKey)
  }

  /** Drops what was transferred: the next run begins from nothing, or with the parts that a changed file still has. */
  reset(entry: TransferEntry): Promise<void> {
    return reset(this.#parts, entry, () => this.cleanUp(entry, () => discard(this.#parts, entry)))
  }

  /**
   * Cancels an upload that has no run and whose outcome is unknown. The outcome is found out first, because the row
   * must end up telling the truth.
   */
  async findOutAndCancel(entry: TransferEntry): Promise<void> {
    const { queue } = this.#parts
    for (const kind of ['resume', 'retry', 'started', 'cancel'] as const) queue.transition(entry, { kind })
    await Promise.all([queue.keep(entry, {}), this.#occupyWithRun(entry, null)])
  }

  /** Finds out the outcome of a queued upload that is to start over. */
  #findOut(entry: TransferEntry): Promise<void> {
    this.#parts.queue.transition(entry, { kind: 'started' })
    return this.#occupyWithRun(entry, null)
  }

  /**
   * Has a transfer that starts over begin from nothing: after its run has stopped, or its unknown outcome is found
   * out. Either takes a while, so the intent is durable: the next process won't continue what there was.
   */
  async startOver(entry: TransferEntry): Promise<void> {
    const isRunning = entry.controller !== null
    if (isRunning || isOutcomeUnknown(entry.record)) {
      const ended = isRunning ? this.stop(entry, 'cancel') : this.#findOut(entry)
      await Promise.all([this.#parts.queue.keep(entry, {}), ended])
      return
    }
    await this.occupy(entry, async () => {
      if (startsOver(entry)) await this.reset(entry)
    })
  }

  #start(entry: TransferEntry): void {
    const { queue, runs } = this.#parts
    const givenUp = givenUpOf(entry.state)
    if (givenUp === 'start-over') return void this.startOver(entry)
    queue.transition(entry, { kind: 'started' })
    if (givenUp === 'cancel') return void this.#occupyWithRun(entry, null)
    void this.#occupyWithRun(entry, (context) => {
      const { record, retried: only } = entry
      entry.retried = null
      switch (record.direction) {
        case 'upload':
          return runs.upload({ ...context, record })
        case 'download':
          return runs.download({ ...context, record })
        case 'folder':
          return runs.folder({ ...context, record, only })
        case 'upload-folder':
          return runs.uploadFolder({ ...context, record, only })
      }
    })
  }

  /** @param run null to only find out the outcome. */
  #occupyWithRun(entry: TransferEntry, run: Run | null): Promise<void> {
    const { deps, queue } = this.#parts
    const control = (entry.controller = createRunControl(deps.clock))
    const { signal } = control
    queue.running.add(entry)
    const isFirst = entry.record.activeMs === 0 && !isBegun(entry.record) && !entry.wasCut
    queue.histories.of(entry).started(isFirst ? 'started' : 'continued')
    return this.occupy(entry, async () => {
      queue.progressOf(entry).start()
      const { error } = entry.record
      const kept = queue.keep(entry, { error: null, finishedAtMs: null })
      let outcome = run === null ? STOPPED : await this.#runOrLeave(entry, run, control)
      // A run that stops unasked would be restarted at once, forever.
      if (run !== null && outcome.kind === 'stopped' && !signal.aborted) {
        outcome = outcomeOfFailure(signal, new Error('It stopped unexpectedly.'))
      }
      outcome = await this.#foundOut(entry, outcome, error?.code === 'source-changed')
      await kept
      await this.#settle(entry, outcome, error)
    })
  }

  /** How a given-up transfer ended. If that is unknown, it is found out first, unless the pool is held. */
  async #foundOut(entry: TransferEntry, outcome: FolderOutcome, isOfOldFile: boolean): Promise<FolderOutcome> {
    const { deps, queue, runs } = this.#parts
    const { record } = entry
    if (givenUpOf(entry.state) === null || outcome.kind === 'completed' || !isOutcomeUnknown(record)) return outcome
    if (this.#held) return STOPPED
    entry.controller = createRunControl(deps.clock)
    let isOld = isOfOldFile
    const findOut: Run = async (context) => {
      const found = await runs.resolveUpload({ ...context, record })
      if (startsOver(entry) && found.kind === 'completed') isOld ||= await hasFileChanged({ ...context, record })
      return found
    }
    const found = await this.#run(entry, findOut, entry.controller)
    if (!startsOver(entry) || !isOld || found.kind !== 'completed') return found
    // The service now has the file as it was: it is to be replaced, and there is nothing to abort.
    await queue.keep(entry, { uploadId: null, intent: null, onConflict: 'replace' })
    return STOPPED
  }

  /** Runs `run`, and leaves it alone if its drive doesn't respond when it is to stop. Never rejects. */
  async #runOrLeave(entry: TransferEntry, run: Run, control: RunControl): Promise<FolderOutcome> {
    const progress = this.#parts.queue.progressOf(entry)
    const begin = (report: FolderReporter) => this.#run(entry, run, control, report)
    const { signal } = control
    const isSilent = () => isDriveSilent(entry)
    const outcome = await this.#left.orLeave(entry.exclusiveKey, begin, { signal, report: progress, isSilent })
    if (outcome === null) progress.log('The drive doesn’t respond; what is being written to it counts once it does.')
    return outcome ?? STOPPED
  }

  /** Runs `run` with everything that it needs. Never rejects. */
  async #run(
    entry: TransferEntry,
    run: Run,
    control: RunControl,
    report: FolderReporter = this.#parts.queue.progressOf(entry),
  ): Promise<FolderOutcome> {
    const { deps, queue, limits, options } = this.#parts
    const { signal, windDown } = control
    const { id, retryAtMs = null } = entry.record
    try {
      await this.#left.untilOver(entry.exclusiveKey, signal, report)
      await waitAsAsked(retryAtMs, deps.clock, signal, report)
      // Read only now, because the wait may have taken minutes.
      const { location, limitBytesPerSecond = null } = entry.record
      const { connectionsPerTransfer, partSizeBytes, giveUpAfterMs } = options()
      const store = deps.openStore(location)
      entry.host = store.host
      return await run({
        store,
        deps: { ...deps, checkpoints: queue.checkpoints },
        limiter: limits.enter(id, directionOf(entry.record), limitBytesPerSecond),
        connections: connectionsPerTransfer ?? this.#parts.governors,
        partSizeBytes,
        giveUpAfterMs,
        retryBudget: this.#retryBudgetOf(location),
        signal,
        windDown,
        isTaken: (uploadId) => queue.isTaken(uploadId, entry),
        abandon: (upload) => abandon(this.#parts, entry, upload),
        report,
      })
    } catch (failure) {
      return outcomeOfFailure(signal, failure)
    } finally {
      control.release()
      limits.leave(id)
    }
  }

  /** @param error what the transfer had failed with before this run. */
  async #settle(entry: TransferEntry, outcome: FolderOutcome, error: TransferErrorInfo | null): Promise<void> {
    const { deps, queue } = this.#parts
    const activeMs = endedMsOf(entry) + Math.round(entry.progress?.stop() ?? 0)
    entry.controller = null
    queue.running.delete(entry)
    // The transfer's slot is free during its clean-up.
    queueMicrotask(() => this.pump())
    const settled = outcomeEventOf(entry, outcome)
    const isToBeReset = startsOver(entry) && settled === 'stopped'
    queue.transition(entry, { kind: 'settled', outcome: settled })
    const { status } = entry.state
    const ended = { activeMs, finishedAtMs: deps.clock.nowMs() }
    if (status === 'canceled') {
      await this.discardCanceled(entry, ended)
    } else if (isToBeReset) await this.reset(entry)
    else if (outcome.kind === 'completed') {
      queue.histories.of(entry).mark('finished')
      const published = entry.record.direction === 'download' ? { publishing: null } : {}
      await queue.keep(entry, { ...ended, ...published, verification: outcome.verification, proofLack: outcome.lack })
    } else if (outcome.kind === 'failed') {
      entry.progress?.log(`Stopped: ${outcome.error.detail}`, outcome.error.requestId)
      await queue.keep(entry, { ...ended, error: outcome.error })
    } else {
      const droppedBytes = entry.progress?.droppedBytes ?? 0
      const what = status === 'paused' ? 'Paused' : 'Stopped'
      if (droppedBytes > 0) entry.progress?.log(`${what}. ${droppedWords(droppedBytes, directionOf(entry.record))}`)
      // How it starts over depends on what it had failed with.
      await queue.keep(entry, startsOver(entry) ? { activeMs, error } : { activeMs })
    }
  }
}

const STOPPED: FolderOutcome = { kind: 'stopped' }

/** When a canceled transfer ended, epoch milliseconds, and how long its runs took. */
interface CanceledAt {
  readonly finishedAtMs: number
  readonly activeMs?: number
}

/** Has a run stopped. On a drive that doesn't respond no download ends soon, so it gets no time for that. */
function windDown(entry: TransferEntry, finishMs: number, reason: StopReason): void {
  const isHopeless = directionOf(entry.record) === 'download' && isDriveSilent(entry)
  entry.controller?.windDownFor(isHopeless ? 0 : finishMs, reason)
}

function isDriveSilent({ progress }: TransferEntry): boolean {
  return progress?.wait?.reason === 'drive-unresponsive'
}

function startsOver({ state }: TransferEntry): boolean {
  return givenUpOf(state) === 'start-over'
}
