import type { FolderFileName, FolderFiles, FolderFilesQuery } from '../../../shared/transfer/folder-file.ts'
import type { PauseCause, ResumeCause, RetryCause } from '../../../shared/transfer/milestones.ts'
import { isFinal, type TransferId } from '../../../shared/transfer/transfer.ts'
import { waitAtMost } from '../../async/wait-at-most.ts'
import { batches } from '../async/batches.ts'
import type { EngineDeps } from '../core/deps.ts'
import type { DueAbort } from '../core/records.ts'
import type {
  Adding,
  DownloadRequest,
  EngineOptions,
  FolderRequest,
  TransferSelection,
  UploadFolderRequest,
  UploadMatch,
  UploadRequest,
} from '../core/requests.ts'
import type { Runs } from '../core/run.ts'
import { createEngineLimits, type EngineLimits } from '../flow-control/rate-limits.ts'
import { createConnectionGovernors } from '../line/host-governors.ts'
import { inspectPartial, type FoundPartial } from '../partial-file/adopt-partial.ts'
import { watchSaturation } from '../system/load.ts'
import type { TransferEntry } from '../transfer/transfer-entry.ts'
import { failuresOf, toDetails, uploadIdOf } from '../transfer/transfer-row.ts'
import { createAbortQueue, type AbortQueue, type OnRefused } from '../upload/abort-queue.ts'
import type { Engine } from './api.ts'
import { addDownloads, addFolder, addPartial, addUploadFolder, addUploads, measure } from './commands/adding.ts'
import type { CommandParts } from './commands/command-parts.ts'
import { filesOf, localPathOf, retryFile } from './commands/folder-files.ts'
import { move, startNow } from './commands/ordering.ts'
import { decideUpload, rebucket, relink } from './commands/redirect-transfer.ts'
import { cancel, finishCancel, pause, resume, retry, startOver } from './commands/stop-and-go.ts'
import { TakingOff } from './commands/taking-off.ts'
import { firstLook } from './first-look.ts'
import { loadQueue } from './load-queue.ts'
import { TransferQueue } from './rows/transfer-queue.ts'
import { RunPool } from './runs/run-pool.ts'

/** When the engine closes, whatever has time to end has ended this long afterwards, unless a drive hangs (milliseconds). */
const STOPS_WITHIN_MS = 1500

/** The transfers of one state folder, carried out by `runs`. What each command does is in `commands/`. */
export class TransferEngine implements Engine {
  readonly #deps: EngineDeps
  readonly #queue: TransferQueue
  readonly #pool: RunPool
  readonly #aborts: AbortQueue
  readonly #limits: EngineLimits
  readonly #parts: CommandParts
  readonly #takingOff: TakingOff
  readonly #closing = new AbortController()
  #options: EngineOptions
  #isLoading = false
  #idleWaiters: (() => void)[] = []
  #closed: Promise<void> | null = null
  #onNotDiscarded: OnRefused = () => undefined

  constructor(deps: EngineDeps, options: EngineOptions, runs: Runs) {
    this.#deps = deps
    this.#options = options
    this.#queue = new TransferQueue(deps.checkpoints, deps.clock)
    this.#queue.limits = options.limits
    this.#limits = createEngineLimits(deps.clock, options.limits)
    const onFreed = () => {
      this.#tellIfIdle()
    }
    this.#aborts = createAbortQueue(deps, onFreed, (due, error) => this.#onNotDiscarded(due, error))
    const shared = { deps, queue: this.#queue, aborts: this.#aborts, options: () => this.#options }
    this.#pool = new RunPool({
      ...shared,
      runs,
      limits: this.#limits,
      governors: createConnectionGovernors({ clock: deps.clock, isSaturated: watchSaturation() }),
      onFreed,
    })
    this.#queue.onWait = () => this.#pool.pump()
    this.#parts = { ...shared, pool: this.#pool, closing: this.#closing.signal, onDone: onFreed }
    this.#takingOff = new TakingOff(this.#parts)
  }

  firstLook(): ReturnType<Engine['firstLook']> {
    return firstLook(this.#deps)
  }

  async load({ isPaused = false } = {}): Promise<{ readonly setAside: number }> {
    this.#isLoading = true
    const loaded = await loadQueue(this.#queue, this.#deps.checkpoints)
    for (const entry of loaded.discarded) void finishCancel(this.#parts, entry)
    if (isPaused) await this.pause('all', 'safe-mode')
    else await this.#aborts.resume()
    measure(this.#parts, loaded.unmeasured)
    this.#isLoading = false
    this.#pool.pump()
    return { setAside: loaded.setAside }
  }

  enqueueUploads(requests: readonly UploadRequest[], adding?: Adding): Promise<readonly TransferId[]> {
    return addUploads(this.#parts, requests, adding)
  }

  enqueueDownloads(requests: readonly DownloadRequest[], adding?: Adding): Promise<readonly TransferId[]> {
    return addDownloads(this.#parts, requests, adding)
  }

  enqueueFolder(request: FolderRequest, adding?: Adding): Promise<TransferId> {
    return addFolder(this.#parts, request, adding)
  }

  enqueueUploadFolder(request: UploadFolderRequest, adding?: Adding): Promise<TransferId> {
    return addUploadFolder(this.#parts, request, adding)
  }

  inspectPartial(path: string): Promise<FoundPartial> {
    return inspectPartial(this.#deps, path)
  }

  adoptPartial(path: string, request: DownloadRequest): Promise<TransferId> {
    return addPartial(this.#parts, path, request)
  }

  pause(ids: TransferSelection, cause: PauseCause = 'paused'): Promise<void> {
    return pause(this.#parts, ids, cause)
  }

  resume(ids: TransferSelection, cause: ResumeCause = 'resumed'): Promise<void> {
    return resume(this.#parts, ids, cause)
  }

  retry(ids: TransferSelection, cause: RetryCause = 'retried'): Promise<void> {
    return retry(this.#parts, ids, cause)
  }

  startOver(ids: TransferSelection): Promise<void> {
    return startOver(this.#parts, ids)
  }

  cancel(ids: TransferSelection): Promise<void> {
    return cancel(this.#parts, ids)
  }

  relink(id: TransferId, url: string, signIn?: string): Promise<boolean> {
    return relink(this.#parts, id, { kind: 'link', url, signIn })
  }

  rebucket(ids: TransferSelection, bucket: string): Promise<void> {
    return rebucket(this.#parts, ids, bucket)
  }

  decideUpload(id: TransferId, match: UploadMatch | null): Promise<boolean> {
    return decideUpload(this.#parts, id, match)
  }

  discardUpload(upload: DueAbort): Promise<void> {
    return this.#aborts.add(upload)
  }

  isDiscarding(uploadId: string): boolean {
    return this.#aborts.isTrying(uploadId)
  }

  onNotDiscarded(listener: OnRefused): void {
    this.#onNotDiscarded = listener
  }

  remove(ids: TransferSelection, removal?: string): Promise<void> {
    return this.#takingOff.remove(ids, removal)
  }

  clear(ids: TransferSelection): Promise<void> {
    return this.#takingOff.clear(ids)
  }

  letGo(ids: TransferSelection, removal?: string): Promise<void> {
    return this.#takingOff.letGo(ids, removal)
  }

  restore(removal: string | null = null): Promise<void> {
    return this.#takingOff.restore(removal)
  }

  move(ids: readonly TransferId[], before: TransferId | null): Promise<void> {
    return move(this.#parts, ids, before)
  }

  startNow(ids: TransferSelection): Promise<void> {
    return startNow(this.#parts, ids)
  }

  async setLimit(ids: TransferSelection, bytesPerSecond: number | null): Promise<void> {
    const limited = this.#queue.entriesOf(ids).filter(({ state }) => !isFinal(state.status))
    for (const some of batches(limited)) {
      for (const { id } of some) this.#limits.setTransfer(id, bytesPerSecond)
      await Promise.all(some.map((entry) => this.#queue.change(entry, { limitBytesPerSecond: bytesPerSecond })))
    }
  }

  snapshot(): ReturnType<Engine['snapshot']> {
    return this.#queue.snapshot()
  }

  row(id: TransferId): ReturnType<Engine['row']> {
    return this.#queue.row(id)
  }

  uploadsBegun(): ReturnType<Engine['uploadsBegun']> {
    const begun = this.#queue.entriesOf('all').map((entry) => [uploadIdOf(entry), entry.id] as const)
    return new Map(begun.filter((upload): upload is [string, TransferId] => upload[0] !== null))
  }

  takeDelta(): ReturnType<Engine['takeDelta']> {
    return this.#queue.takeDelta()
  }

  onChange(listener: () => void): void {
    this.#queue.onChange = listener
  }

  get isAtRest(): boolean {
    return this.#queue.running.size === 0 && !this.#queue.histories.isToBeWritten
  }

  details(id: TransferId): ReturnType<Engine['details']> {
    const entry = this.#queue.get(id)
    if (entry === undefined) return null
    if (!this.#queue.histories.of(entry).isWhole) void this.#tellPast(entry)
    return toDetails(entry)
  }

  failuresOf(id: TransferId): ReturnType<Engine['failuresOf']> {
    const entry = this.#queue.get(id)
    return entry === undefined ? [] : failuresOf(entry)
  }

  filesOf(query: FolderFilesQuery): Promise<FolderFiles | null> {
    return filesOf(this.#parts, query)
  }

  retryFile(file: FolderFileName): Promise<void> {
    return retryFile(this.#parts, file)
  }

  localPathOf(file: FolderFileName): Promise<string | null> {
    return localPathOf(this.#parts, file)
  }

  configure(options: EngineOptions): void {
    this.#options = options
    this.#limits.set(options.limits)
    this.#queue.limits = options.limits
    // While the queue is being read, a transfer would start before others that are ahead of it.
    if (!this.#isLoading) this.#pool.pump()
  }

  suspend(finishMs = 0): Promise<void> {
    if (this.#closed === null) {
      for (const entry of this.#queue.running) this.#queue.histories.of(entry).mark('interrupted')
    }
    return this.#pool.stopAll(finishMs)
  }

  wake(): void {
    if (this.#closed === null) this.#pool.release()
  }

  get isWaitingForNetwork(): boolean {
    return [...this.#queue.running].some(({ progress }) => ['network', 'proxy'].includes(progress?.wait?.reason ?? ''))
  }

  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#idleWaiters.push(resolve)
      this.#tellIfIdle()
    })
  }

  close(finishMs = 0): Promise<void> {
    const running = [...this.#queue.running]
    const stopped = this.#pool.stopAll(finishMs)
    this.#closed ??= this.#shutDown(running, stopped, finishMs + STOPS_WITHIN_MS)
    return this.#closed
  }

  /** @param soonMs the histories are written by then, even if something has not stopped (milliseconds). */
  async #shutDown(running: readonly TransferEntry[], stopped: Promise<void>, soonMs: number): Promise<void> {
    this.#closing.abort('close')
    const ended = Promise.all([stopped, this.#aborts.close()])
    await waitAtMost(soonMs, ended, this.#deps.clock)
    this.#tellIfIdle()
    for (const entry of running) if (goesOnLater(entry)) this.#queue.histories.of(entry).mark('closed')
    await this.#queue.histories.write()
    await ended
    this.#tellIfIdle()
    if (this.#queue.histories.isToBeWritten) await this.#queue.histories.write()
    await this.#deps.checkpoints.close()
  }

  /** Reads the kept past of a transfer, then has its row told as changed. */
  async #tellPast(entry: TransferEntry): Promise<void> {
    await this.#queue.histories.read([entry])
    this.#queue.touch(entry)
  }

  #tellIfIdle(): void {
    const isClosing = this.#closing.signal.aborted
    if (!this.#pool.isQuiet || !this.#aborts.isQuiet || (this.#queue.queued.size > 0 && !isClosing)) return
    const waiters = this.#idleWaiters
    this.#idleWaiters = []
    for (const resolve of waiters) resolve()
  }
}

/** Whether a transfer that was running continues by itself when the engine is opened again. */
function goesOnLater({ state }: TransferEntry): boolean {
  return (state.status === 'pausing' ? state.afterStop.status : state.status) === 'queued'
}
