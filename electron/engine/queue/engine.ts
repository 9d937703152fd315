import { PAUSE_FINISH_MS } from '../../../shared/limits.ts'
import type { FolderFileName, FolderFiles, FolderFilesQuery } from '../../../shared/transfer/folder-file.ts'
import type { Milestone, RetryCause } from '../../../shared/transfer/milestones.ts'
import { isFinal, type TransferId } from '../../../shared/transfer/transfer.ts'
import { batches } from '../async/batches.ts'
import { thrownBy } from '../async/thrown-by.ts'
import type { EngineDeps } from '../core/deps.ts'
import { downloadRecord, folderRecord, uploadFolderRecord, uploadRecord } from '../core/new-records.ts'
import type { DueAbort, KeptHistory, TransferRecord } from '../core/records.ts'
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
import {
  adoptedRecord,
  AdoptionRefused,
  inspectPartial,
  mayTakeOver,
  type FoundPartial,
} from '../partial-file/adopt-partial.ts'
import { watchSaturation } from '../system/load.ts'
import { isOutcomeUnknown } from '../transfer/settled-outcome.ts'
import {
  hasPartialFile,
  isOfMany,
  isOver,
  isPausing,
  mayStart,
  type TransferEntry,
} from '../transfer/transfer-entry.ts'
import { toDetails } from '../transfer/transfer-row.ts'
import { createAbortQueue } from '../upload/abort-queue.ts'
import type { Engine } from './api.ts'
import { firstLook } from './first-look.ts'
import { failuresOf, filesOf, localPathOf, withRetried } from './commands/folder-files.ts'
import { loadQueue } from './load-queue.ts'
import { decideUpload, rebucket, recordAdopted, relinkDownload } from './commands/redirect-transfer.ts'
import { RunPool } from './runs/run-pool.ts'
import { reorder } from './commands/reorder.ts'
import { measureSources } from './rows/source-sizes.ts'
import { TransferQueue } from './rows/transfer-queue.ts'

/** What the history says of what a person asks for. */
const ASKED = {
  pause: 'paused',
  resume: 'resumed',
  retry: 'retried',
  startOver: 'started-over',
  cancel: 'canceled',
} as const satisfies Readonly<Record<string, Milestone>>

/** What a person asks of transfers that are there. */
type AskedEvent = { readonly kind: keyof typeof ASKED }

/** The transfers of one state folder, moved by `runs`. */
export class TransferEngine implements Engine {
  readonly #deps: EngineDeps
  readonly #queue: TransferQueue
  readonly #pool: RunPool
  readonly #aborts: ReturnType<typeof createAbortQueue>
  readonly #limits: EngineLimits
  readonly #closing = new AbortController()
  #options: EngineOptions
  #isLoading = false
  #idleWaiters: (() => void)[] = []
  /** What the latest `remove` took off. */
  #takenOff: readonly TransferRecord[] = []
  #takenHistories: ReadonlyMap<TransferId, KeptHistory> = new Map()
  #closed: Promise<void> | null = null

  constructor(deps: EngineDeps, options: EngineOptions, runs: Runs) {
    this.#deps = deps
    this.#options = options
    this.#queue = new TransferQueue(deps.checkpoints, deps.clock)
    this.#queue.limits = options.limits
    this.#limits = createEngineLimits(deps.clock, options.limits)
    const onFreed = () => {
      this.#tellIfIdle()
    }
    this.#aborts = createAbortQueue(deps, onFreed)
    this.#pool = new RunPool({
      deps,
      queue: this.#queue,
      runs,
      aborts: this.#aborts,
      limits: this.#limits,
      governors: createConnectionGovernors({ clock: deps.clock, isSaturated: watchSaturation() }),
      options: () => this.#options,
      onFreed,
    })
  }

  firstLook(): ReturnType<Engine['firstLook']> {
    return firstLook(this.#deps)
  }

  async load({ isPaused = false } = {}): Promise<{ readonly setAside: number }> {
    this.#isLoading = true
    const loaded = await loadQueue(this.#queue, this.#deps.checkpoints)
    for (const entry of loaded.discarded) void this.#finishCancel(entry)
    if (isPaused) await this.pause('all')
    else await this.#aborts.resume()
    this.#measure(loaded.unmeasured)
    this.#isLoading = false
    this.#pool.pump()
    return { setAside: loaded.setAside }
  }

  async enqueueUploads(requests: readonly UploadRequest[], adding?: Adding): Promise<readonly TransferId[]> {
    const records = requests.map((request) => uploadRecord(request, this.#newRecordFacts(adding)))
    await recordAdopted({ checkpoints: this.#deps.checkpoints, aborts: this.#aborts }, requests, records)
    this.#deps.openUploads?.expect(requests)
    const entries = await this.#enqueue(records)
    this.#measure(entries)
    return entries.map((entry) => entry.id)
  }

  async enqueueDownloads(requests: readonly DownloadRequest[], adding?: Adding): Promise<readonly TransferId[]> {
    const entries = await this.#enqueue(
      requests.map((request) => downloadRecord(request, this.#newRecordFacts(adding))),
    )
    return entries.map((entry) => entry.id)
  }

  async enqueueFolder(request: FolderRequest, adding?: Adding): Promise<TransferId> {
    const record = folderRecord(request, this.#newRecordFacts(adding))
    await this.#enqueue([record])
    return record.id
  }

  async enqueueUploadFolder(request: UploadFolderRequest, adding?: Adding): Promise<TransferId> {
    const record = uploadFolderRecord(request, this.#newRecordFacts(adding))
    await this.#enqueue([record])
    return record.id
  }

  inspectPartial(path: string): Promise<FoundPartial> {
    return inspectPartial(this.#deps, path)
  }

  async adoptPartial(path: string, request: DownloadRequest): Promise<TransferId> {
    const found = await this.inspectPartial(path)
    const isOf = (record: TransferRecord): boolean =>
      record.direction === 'download' && [record.partialPath, record.borrowedFrom].includes(found.partialPath)
    const listed = this.#queue.entriesOf('all').find(({ record }) => isOf(record))
    if (listed !== undefined) {
      throw new AdoptionRefused('in-list', `${found.partialPath} belongs to a download in the list.`, listed.id)
    }
    const isTakenOver = await mayTakeOver(this.#deps.hasher, found, this.#closing.signal)
    const record = adoptedRecord(found, isTakenOver, request, this.#newRecordFacts())
    await this.#enqueue([record])
    return record.id
  }

  async pause(ids: TransferSelection): Promise<void> {
    const pause = { kind: 'pause' } as const
    // Asked again while all that is left of it are parts that are let end: now they are not.
    const finishMs = this.#queue.select(ids, pause).every(isPausing) ? 0 : PAUSE_FINISH_MS
    await this.#each(ids, pause, async (entry) => {
      await Promise.all([this.#queue.change(entry), this.#pool.stop(entry, 'pause', finishMs)])
    })
  }

  async resume(ids: TransferSelection): Promise<void> {
    await this.#each(ids, { kind: 'resume' }, (entry) => this.#queue.change(entry))
  }

  async retry(ids: TransferSelection, cause: RetryCause = 'retried'): Promise<void> {
    for (const entry of this.#queue.entriesOf(ids)) entry.retried = null
    await this.#retry(ids, cause)
  }

  async #retry(ids: TransferSelection, cause: RetryCause): Promise<void> {
    const goOn = async (entry: TransferEntry): Promise<void> => {
      // A wait ends with its run: the next one begins at once.
      entry.controller?.abort('pause')
      await this.#queue.change(entry, { error: null, finishedAtMs: null, retryAtMs: null })
    }
    await this.#each(ids, { kind: 'retry' }, goOn, cause)
  }

  async startOver(ids: TransferSelection): Promise<void> {
    const event = { kind: 'startOver' } as const
    // All at once: whichever of them has its turn first begins from nothing.
    for (const entry of this.#queue.select(ids, event)) entry.startsOver = true
    await this.#each(ids, event, (entry) => this.#pool.startOver(entry))
  }

  relink(id: TransferId, url: string, signIn?: string): Promise<boolean> {
    const location = { kind: 'link', url, signIn } as const
    return relinkDownload({ queue: this.#queue, pool: this.#pool }, this.#queue.get(id), location)
  }

  async rebucket(ids: TransferSelection, bucket: string): Promise<void> {
    const parts = { queue: this.#queue, pool: this.#pool }
    await Promise.all(this.#queue.entriesOf(ids).map((entry) => rebucket(parts, entry, bucket)))
  }

  decideUpload(id: TransferId, match: UploadMatch | null): Promise<boolean> {
    return decideUpload(
      { ...this.#deps, aborts: this.#aborts, queue: this.#queue, pool: this.#pool },
      this.#queue.get(id),
      match,
    )
  }

  discardUpload(upload: DueAbort): Promise<void> {
    return this.#aborts.add(upload)
  }

  isDiscarding(uploadId: string): boolean {
    return this.#aborts.isTrying(uploadId)
  }

  async cancel(ids: TransferSelection): Promise<void> {
    const cancel = { kind: 'cancel' } as const
    const unknown = this.#queue
      .select(ids, cancel)
      .filter((entry) => !entry.controller && isOutcomeUnknown(entry.record))
    const foundOut = unknown.map((entry) => this.#pool.findOutAndCancel(entry))
    await this.#each(ids, cancel, (entry) =>
      entry.controller === null ? this.#finishCancel(entry) : this.#pool.cancel(entry),
    )
    await Promise.all(foundOut)
  }

  async remove(ids: TransferSelection): Promise<void> {
    const leaving = await this.#cleanedUp(ids)
    this.#takenHistories = await this.#queue.histories.take(leaving)
    // What was begun anew meanwhile stays.
    const gone = leaving.filter(isOver)
    this.#takenOff = gone.map(({ record }) => record)
    await this.#takeOff(gone.map(({ id }) => id))
  }

  async clear(ids: TransferSelection): Promise<void> {
    const leaving = await this.#cleanedUp(ids)
    await this.#takeOff(leaving.filter(isOver).map(({ id }) => id))
  }

  /** Those that are over, with nothing left of them that can be deleted. */
  async #cleanedUp(ids: TransferSelection): Promise<readonly TransferEntry[]> {
    const leaving = this.#queue.entriesOf(ids).filter(isOver)
    await this.cancel(leaving.filter(({ state }) => state.status === 'failed').map(({ id }) => id))
    await Promise.all(leaving.map(async (entry) => entry.busy))
    // What could not be deleted before gets another chance, as long as it is known of.
    const littered = leaving.filter((entry) => isOver(entry) && hasPartialFile(entry))
    await Promise.all(littered.map((entry) => this.#pool.occupy(entry, () => this.#pool.discard(entry))))
    return leaving
  }

  async letGo(ids: TransferSelection): Promise<void> {
    const leaving = this.#queue.entriesOf(ids).filter(({ state }) => !isFinal(state.status))
    await this.pause(leaving.filter((entry) => !isOver(entry)).map(({ id }) => id))
    await Promise.all(leaving.map(async (entry) => entry.busy))
    // What was resumed or finished meanwhile stays.
    const gone = leaving.filter(({ state, busy }) => busy === null && ['paused', 'failed'].includes(state.status))
    await this.#takeOff(gone.map(({ id }) => id))
  }

  async restore(): Promise<void> {
    const records = this.#takenOff
    const histories = this.#takenHistories
    this.#takenOff = []
    this.#takenHistories = new Map()
    try {
      for (const entry of await this.#enqueue(records)) this.#queue.histories.restore(entry, histories.get(entry.id))
    } catch (failure) {
      // Some of many may be there.
      this.#takenOff = records.filter(({ id }) => this.#queue.get(id) === undefined)
      this.#takenHistories = histories
      throw failure
    }
  }

  async #takeOff(ids: readonly TransferId[]): Promise<void> {
    for (const id of ids) this.#queue.remove(id)
    await this.#deps.checkpoints.remove(ids)
  }

  async move(ids: readonly TransferId[], before: TransferId | null): Promise<void> {
    const positions = reorder(this.#queue.inOrder(), new Set(ids), before)
    await this.#moveTo(positions)
    this.#pool.pump()
  }

  async startNow(ids: TransferSelection): Promise<void> {
    const chosen = this.#queue.entriesOf(ids).filter(mayStart)
    const first = this.#queue.inOrder().find((entry) => !chosen.includes(entry) && !isOver(entry))
    // What can't start at once, and all of it after a restart, is first in line.
    const moved = this.#moveTo(reorder(this.#queue.inOrder(), new Set(chosen.map(({ id }) => id)), first?.id ?? null))
    for (const entry of chosen) {
      if (entry.state.status !== 'queued') {
        this.#queue.transition(entry, { kind: 'resume' })
        this.#queue.histories.of(entry).mark(ASKED.resume)
      }
      this.#pool.startNow(entry)
    }
    await Promise.all([moved, ...chosen.map((entry) => this.#queue.change(entry))])
    this.#pool.pump()
  }

  async #moveTo(positions: ReadonlyMap<TransferId, number>): Promise<void> {
    for (const some of batches([...positions])) {
      await Promise.all(
        some.map(async ([id, position]) => {
          const entry = this.#queue.get(id)
          if (entry !== undefined) await this.#queue.moveTo(entry, position)
        }),
      )
    }
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

  filesOf(query: FolderFilesQuery): Promise<FolderFiles | null> {
    return filesOf(this.#queue, this.#queue.get(query.id), query)
  }

  async retryFile({ id, path }: FolderFileName): Promise<void> {
    const entry = this.#queue.get(id)
    if (entry === undefined || !isOfMany(entry.record)) return
    const plan = await this.#queue.plans.of(entry.record, this.#queue.progressOf(entry).files)
    if (!plan.hasFailed(path, { failures: failuresOf(entry) })) return
    // What is to be tried again as a whole stays so.
    const isWhole = entry.state.status === 'queued' && entry.retried === null
    if (!isWhole) entry.retried = withRetried(entry, path)
    this.#queue.touch(entry)
    await entry.busy
    if (entry.state.status === 'failed') await this.#retry([id], 'retried')
  }

  async localPathOf(file: FolderFileName): Promise<string | null> {
    const record = this.#queue.get(file.id)?.record
    return record === undefined || !isOfMany(record) ? null : localPathOf(this.#deps.checkpoints, record, file)
  }

  configure(options: EngineOptions): void {
    this.#options = options
    this.#limits.set(options.limits)
    this.#queue.limits = options.limits
    // Of a queue that is read in turns the first would start before those that come before it.
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
    this.#closed ??= this.#shutDown(running, stopped)
    return this.#closed
  }

  async #shutDown(running: readonly TransferEntry[], stopped: Promise<void>): Promise<void> {
    this.#closing.abort('close')
    await Promise.all([stopped, this.#aborts.close()])
    this.#tellIfIdle()
    for (const entry of running) if (entry.state.status === 'queued') this.#queue.histories.of(entry).mark('closed')
    await this.#queue.histories.write()
    await this.#deps.checkpoints.close()
  }

  #newRecordFacts({ isPaused = this.#options.addsPaused === true }: Adding = {}) {
    return {
      id: this.#deps.uuid(),
      position: this.#queue.nextPosition(),
      createdAtMs: this.#deps.clock.nowMs(),
      ...(isPaused ? { status: 'paused' as const } : {}),
    }
  }

  async #enqueue(records: readonly TransferRecord[]): Promise<readonly TransferEntry[]> {
    const entries: TransferEntry[] = []
    for (const some of batches(records)) {
      await this.#deps.checkpoints.insert(some)
      entries.push(...some.map((record) => this.#queue.add(record)))
      this.#pool.pump()
    }
    return entries
  }

  /**
   * Applies `event` to every transfer it applies to at once, then does what follows from it: at once for what runs,
   * bit by bit for the rest, so that a command for 100,000 rows does not stop the window.
   */
  async #each(
    ids: TransferSelection,
    event: AskedEvent,
    follow: (entry: TransferEntry) => Promise<void>,
    milestone: Milestone = ASKED[event.kind],
  ): Promise<void> {
    const entries = this.#queue.select(ids, event)
    for (const entry of entries) this.#queue.histories.of(entry).mark(milestone)
    const states = new Map(entries.map((entry) => [entry, this.#queue.transition(entry, event)]))
    const running = entries.filter((entry) => entry.controller !== null)
    const failing = [thrownBy(running.map(follow))]
    for (const some of batches(entries.filter((entry) => entry.controller === null))) {
      // Another command may have overtaken this one; then it also does what follows.
      const following = thrownBy(some.filter((entry) => entry.state === states.get(entry)).map(follow))
      failing.push(following)
      await following
      this.#pool.pump()
    }
    const failures = (await Promise.all(failing)).flat()
    this.#pool.pump()
    this.#tellIfIdle()
    // One that can't be written down is told once all are done.
    if (failures.length > 0) throw failures[0]
  }

  #finishCancel(entry: TransferEntry): Promise<void> {
    return this.#pool.occupy(entry, async () => {
      await this.#pool.discard(entry)
      await this.#pool.keep(entry, { finishedAtMs: this.#deps.clock.nowMs() })
    })
  }

  #measure(entries: readonly TransferEntry[]): void {
    void measureSources(entries, this.#deps.fileSystem, this.#closing.signal, (entry) => this.#queue.touch(entry))
  }

  /** Reads what was kept of its past, and tells that there is more of it. */
  async #tellPast(entry: TransferEntry): Promise<void> {
    await this.#queue.histories.read([entry])
    this.#queue.touch(entry)
  }

  #tellIfIdle(): void {
    const isClosing = this.#closing.signal.aborted
    if (!this.#pool.isQuiet || !this.#aborts.isQuiet || (this.#queue.line.size > 0 && !isClosing)) return
    const waiters = this.#idleWaiters
    this.#idleWaiters = []
    for (const resolve of waiters) resolve()
  }
}
