import type { ConnectionGovernors } from '../../core/connections.ts'
import type { EngineDeps } from '../../core/deps.ts'
import { mayKeepParts, recordAnew, UPLOAD_UNBOUND } from '../../core/new-records.ts'
import type { DueAbort } from '../../core/records.ts'
import type { EngineOptions } from '../../core/requests.ts'
import type { FolderContext, FolderOutcome, Runs, StopReason } from '../../core/run.ts'
import type { EngineLimits } from '../../flow-control/rate-limits.ts'
import { outcomeOfFailure } from '../../retry/classify.ts'
import { createRetryBudgets } from '../../retry/retry-budget.ts'
import { createRunControl, type RunControl } from '../../transfer/run-control.ts'
import { isOutcomeUnknown, outcomeEventOf } from '../../transfer/settled-outcome.ts'
import { directionOf, isBegun, type TransferEntry } from '../../transfer/transfer-entry.ts'
import { endedMsOf } from '../../transfer/transfer-row.ts'
import type { AbortQueue } from '../../upload/abort-queue.ts'
import { waitAsAsked } from './asked-wait.ts'
import { droppedWords } from './dropped-words.ts'
import { NextStarts } from './next-starts.ts'
import type { EntryChanges, TransferQueue } from '../rows/transfer-queue.ts'

type Run = (context: Omit<FolderContext, 'record'>) => Promise<FolderOutcome>

/** What the pool is made of. */
export interface RunPoolParts {
  readonly deps: EngineDeps
  readonly queue: TransferQueue
  readonly runs: Runs
  readonly aborts: AbortQueue
  readonly limits: EngineLimits
  readonly governors: ConnectionGovernors
  /** As they are now. */
  readonly options: () => EngineOptions
  /** Called when a run or clean-up is over. */
  readonly onFreed: () => void
}

/** Starts queued transfers while there is room, and brings their outcomes home. */
export class RunPool {
  readonly #parts: RunPoolParts
  /** Keys and files of transfers that run or are being cleaned up, and how many do so. */
  readonly #busyKeys = new Map<string, number>()
  readonly #busy = new Set<Promise<void>>()
  readonly #retryBudgetOf = createRetryBudgets()
  #held = false
  readonly #next: NextStarts

  constructor(parts: RunPoolParts) {
    this.#parts = parts
    this.#next = new NextStarts({ ...parts, clock: parts.deps.clock, onRoom: () => this.pump() })
  }

  get isQuiet(): boolean {
    return this.#busy.size === 0
  }

  /** Starts what may start. Call it whenever something was queued, freed or allowed. */
  pump(): void {
    if (this.#held) return
    for (const entry of this.#next.take(this.#busyKeys)) this.#start(entry)
  }

  /** Starts a queued transfer however many run, unless what it writes to is busy or nothing is to run now. */
  startNow(entry: TransferEntry): void {
    if (!this.#held && !this.#busyKeys.has(entry.exclusiveKey)) this.#start(entry)
  }

  release(): void {
    this.#held = false
    this.pump()
  }

  /**
   * Tells a run to stop, once what can end within `finishMs` has. Resolves when it has stopped, and what follows from
   * it is durable; at once without a run.
   */
  async stop(entry: TransferEntry, reason: StopReason, finishMs = 0): Promise<void> {
    entry.controller?.windDownFor(finishMs, reason)
    await entry.busy
  }

  /** Stops all that runs, to go on with it later without being asked, and starts nothing until `release`. */
  async stopAll(finishMs: number): Promise<void> {
    const { queue } = this.#parts
    this.#held = true
    this.#next.stop()
    for (const entry of queue.running) {
      queue.transition(entry, { kind: 'suspend' })
      entry.controller?.windDownFor(finishMs, 'close')
    }
    while (this.#busy.size > 0) await Promise.all(this.#busy)
  }

  /** Stops a run for good: that is durable, so that nothing goes on with it after a crash. */
  async cancel(entry: TransferEntry): Promise<void> {
    await Promise.all([this.#noteCancel(entry), this.stop(entry, 'cancel')])
  }

  /** Does `work` on a transfer while nothing else happens to it or to what it writes to. `work` must not reject. */
  occupy(entry: TransferEntry, work: () => Promise<void>): Promise<void> {
    const key = entry.exclusiveKey
    const before = entry.busy ?? Promise.resolve()
    this.#busyKeys.set(key, (this.#busyKeys.get(key) ?? 0) + 1)
    const busy = before.then(work).finally(() => {
      this.#busy.delete(busy)
      this.#leave(key)
      if (entry.busy === busy) entry.busy = null
      this.pump()
      this.#parts.onFreed()
    })
    entry.busy = busy
    this.#busy.add(busy)
    return busy
  }

  /** Drops what was transferred and forgets it. Never rejects: what can't be dropped now is told in the log. */
  async discard(entry: TransferEntry): Promise<void> {
    const { deps, queue, runs } = this.#parts
    const { record } = entry
    try {
      if (record.direction === 'download') await runs.discardDownload(record, deps.fileSystem)
      else if (record.direction === 'folder')
        await runs.discardFolder(record, { ...deps, checkpoints: queue.checkpoints })
      else if (record.direction === 'upload-folder')
        await runs.discardUploadFolder(record, deps, (due) => this.#abandon(entry, due))
      else if (record.isPartsOnly === true) queue.progressOf(entry).log('The upload of another tool was left as it is.')
      else if (record.uploadId !== null && record.intent === null) {
        await this.#abandon(entry, { location: record.location, key: record.key, uploadId: record.uploadId })
      } else if (record.uploadId !== null) {
        // It may have become the object: aborting it could destroy what the service is still putting together.
        queue.progressOf(entry).log('The upload was not aborted, because the service may have finished it.')
      }
      await deps.checkpoints.removeParts(record.id, 'all')
      await deps.checkpoints.removeRanges(record.id, 'all')
    } catch (failure) {
      queue.progressOf(entry).log(`What was transferred could not be deleted: ${String(failure)}`)
    }
  }

  /** Has an upload aborted, unless another transfer goes on with it. */
  async #abandon(entry: TransferEntry, upload: DueAbort): Promise<void> {
    const { queue, aborts } = this.#parts
    if (!queue.isTaken(upload.uploadId, entry)) return aborts.add(upload)
    queue.progressOf(entry).log('The upload was not aborted, because another transfer goes on with it.')
  }

  /**
   * Drops what was transferred, so that the next run begins from nothing, or with what a changed file still has of it.
   */
  async reset(entry: TransferEntry): Promise<void> {
    const { queue } = this.#parts
    const isKept = mayKeepParts(entry.record)
    const anew = isKept ? UPLOAD_UNBOUND : recordAnew(entry.record)
    const discarded = isKept ? null : this.discard(entry)
    // A file goes before its record forgets it. An upload is forgotten with the commit that has it aborted: after a stop
    // in between it would count as canceled.
    if (entry.record.direction !== 'upload') await discarded
    entry.startsOver = false
    entry.progress = null
    queue.histories.of(entry).startOver()
    await Promise.all([discarded, this.keep(entry, anew)])
    queue.touch(entry)
  }

  /** A state that can't be written (a full disk) only makes the next start look again at what is there. */
  async keep(entry: TransferEntry, changes: EntryChanges): Promise<void> {
    const { queue } = this.#parts
    try {
      await queue.change(entry, changes)
    } catch (failure) {
      queue.progressOf(entry).log(`The state could not be saved: ${String(failure)}`)
    }
  }

  #leave(key: string): void {
    const left = (this.#busyKeys.get(key) ?? 0) - 1
    if (left > 0) this.#busyKeys.set(key, left)
    else this.#busyKeys.delete(key)
  }

  /**
   * Cancels an upload that has no run and whose outcome is unknown: it is found out first, so that the row ends up
   * saying what is true.
   */
  async findOutAndCancel(entry: TransferEntry): Promise<void> {
    const { queue } = this.#parts
    for (const kind of ['resume', 'retry', 'started', 'cancel'] as const) queue.transition(entry, { kind })
    await Promise.all([this.#noteCancel(entry), this.#occupyWithRun(entry, null)])
  }

  /** Does the same for a queued one that is to start over. */
  #findOut(entry: TransferEntry): Promise<void> {
    this.#parts.queue.transition(entry, { kind: 'started' })
    return this.#occupyWithRun(entry, null)
  }

  /** Has a transfer that `startsOver` begin from nothing: after its run, or what is found out of it, where there is any. */
  async startOver(entry: TransferEntry): Promise<void> {
    if (entry.controller !== null) return this.stop(entry, 'cancel')
    if (isOutcomeUnknown(entry.record)) return this.#findOut(entry)
    await this.occupy(entry, async () => {
      if (entry.startsOver) await this.reset(entry)
    })
  }

  async #noteCancel(entry: TransferEntry): Promise<void> {
    if (entry.record.direction === 'upload') await this.keep(entry, { isCanceling: true })
  }

  #start(entry: TransferEntry): void {
    const { queue, runs } = this.#parts
    if (entry.startsOver) return void this.startOver(entry)
    queue.transition(entry, { kind: 'started' })
    if (entry.record.direction === 'upload' && entry.record.isCanceling === true) {
      queue.transition(entry, { kind: 'cancel' })
      return void this.#occupyWithRun(entry, null)
    }
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

  /** @param run null: only what is still to be found out. */
  #occupyWithRun(entry: TransferEntry, run: Run | null): Promise<void> {
    const { queue, runs } = this.#parts
    const control = (entry.controller = createRunControl(this.#parts.deps.clock))
    const { signal } = control
    queue.running.add(entry)
    queue.histories.of(entry).started(entry.record.activeMs === 0 && !isBegun(entry.record) && !entry.wasCut)
    return this.occupy(entry, async () => {
      queue.progressOf(entry).start()
      const isOfOldFile = entry.record.error?.code === 'source-changed'
      const kept = this.keep(entry, { error: null, finishedAtMs: null })
      let outcome = run === null ? STOPPED : await this.#run(entry, run, control)
      // A run that stops unasked would be started again at once, for ever.
      if (run !== null && outcome.kind === 'stopped' && !signal.aborted) {
        outcome = outcomeOfFailure(signal, new Error('It just stopped.'))
      }
      const { record, state } = entry
      const isGivenUp = state.afterStop === 'canceled' || entry.startsOver
      if (isGivenUp && outcome.kind !== 'completed' && isOutcomeUnknown(record)) {
        if (this.#held) outcome = STOPPED
        else {
          entry.controller = createRunControl(this.#parts.deps.clock)
          const settle: Run = (context) => runs.resolveUpload({ ...context, record })
          outcome = await this.#run(entry, settle, entry.controller)
        }
        // The file as it was is there now: to be replaced, and nothing that could be aborted.
        if (entry.startsOver && isOfOldFile && outcome.kind === 'completed') {
          await this.keep(entry, { uploadId: null, intent: null, onConflict: 'replace' })
          outcome = STOPPED
        }
      }
      await kept
      await this.#settle(entry, outcome)
    })
  }

  /** Never rejects. */
  async #run(entry: TransferEntry, run: Run, control: RunControl): Promise<FolderOutcome> {
    const { deps, queue, limits, options } = this.#parts
    const { signal, windDown } = control
    const { id, location, limitBytesPerSecond = null, retryAtMs = null } = entry.record
    const report = queue.progressOf(entry)
    const { connectionsPerTransfer, partSizeBytes, giveUpAfterMs } = options()
    try {
      await waitAsAsked(retryAtMs, deps.clock, signal, report)
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
        abandon: (upload) => this.#abandon(entry, upload),
        report,
      })
    } catch (failure) {
      return outcomeOfFailure(signal, failure)
    } finally {
      control.release()
      limits.leave(id)
    }
  }

  async #settle(entry: TransferEntry, outcome: FolderOutcome): Promise<void> {
    const { deps, queue } = this.#parts
    const activeMs = endedMsOf(entry) + Math.round(entry.progress?.stop() ?? 0)
    entry.controller = null
    queue.running.delete(entry)
    // Its slot is free while it is cleaned up after.
    queueMicrotask(() => this.pump())
    const settled = outcomeEventOf(entry, outcome)
    const startsOver = entry.startsOver && settled === 'stopped'
    entry.startsOver = false
    queue.transition(entry, { kind: 'settled', outcome: settled })
    const { status } = entry.state
    const isCanceled = entry.record.direction === 'upload' && settled !== 'interrupted' ? { isCanceling: false } : {}
    const ended = { ...isCanceled, activeMs, finishedAtMs: deps.clock.nowMs() }
    if (status === 'canceled') {
      await this.discard(entry)
      await this.keep(entry, ended)
    } else if (startsOver) await this.reset(entry)
    else if (outcome.kind === 'completed') {
      queue.histories.of(entry).mark('finished')
      await this.keep(entry, { ...ended, verification: outcome.verification, proofLack: outcome.lack })
    } else if (outcome.kind === 'failed') {
      entry.progress?.log(`Stopped: ${outcome.error.detail}`, outcome.error.requestId)
      await this.keep(entry, { ...ended, error: outcome.error })
    } else {
      const dropped = droppedWords(entry.progress?.droppedBytes ?? 0, status === 'paused', directionOf(entry.record))
      if (dropped !== null) entry.progress?.log(dropped)
      await this.keep(entry, { activeMs })
    }
  }
}

const STOPPED: FolderOutcome = { kind: 'stopped' }
