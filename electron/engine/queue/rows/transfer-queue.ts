import { NO_LIMITS, type RateLimits } from '../../../../shared/settings.ts'
import { withinLimits } from '../../../../shared/within-limits.ts'
import type { TransferDelta, TransferSnapshot } from '../../../../shared/transfer/transfer-delta.ts'
import type { TransferId, TransferRow } from '../../../../shared/transfer/transfer.ts'
import type { CheckpointStore } from '../../core/checkpoint-store.ts'
import type { Clock } from '../../core/deps.ts'
import type { TransferChanges, TransferRecord } from '../../core/records.ts'
import type { TransferSelection } from '../../core/requests.ts'
import { createEntry, isEnded, lowestLimit, shownRate, type TransferEntry } from '../../transfer/transfer-entry.ts'
import { durableOf } from '../../transfer/durable-state.ts'
import { drivesOf } from '../../volumes/drives.ts'
import { TransferProgress, type FoundProgress } from '../../transfer/transfer-progress.ts'
import { toRow } from '../../transfer/transfer-row.ts'
import { givenUpOf, reduce, type TransferEvent, type TransferState } from '../../transfer/transfer-state.ts'
import { HistoryKeeper } from './history-keeper.ts'
import { followUpdates } from './observed-checkpoints.ts'
import { PlanKeeper } from './plan-keeper.ts'
import { createQueuedLanes } from './queued-lanes.ts'
import { createTransferTable } from './transfer-table.ts'

const NOTHING_FOUND: FoundProgress = { confirmedBytes: 0, map: null }

/** Changes to a record except to what follows the state. */
type EntryChanges = WithoutState<TransferChanges>
type WithoutState<Changes> = Changes extends unknown ? Omit<Changes, 'status' | 'givenUp'> : never

/** All transfers: their states, what is durable, and the rows that show them. */
export class TransferQueue {
  /** The checkpoints as runs use them: the queue hears of what they make durable. */
  readonly checkpoints: CheckpointStore
  /** Queued transfers. Those in one lane share a line, a direction and their drives. */
  readonly queued = createQueuedLanes<TransferEntry>(({ lineKey, record }) => [lineKey, ...drivesOf(record)].join('\n'))

  readonly histories: HistoryKeeper

  /** The plans of folder transfers that are looked into. */
  readonly plans: PlanKeeper

  /** Transfers that have a run. */
  readonly running = new Set<TransferEntry>()
  /** Called when a running transfer begins to wait. */
  onWait: () => void = () => undefined

  /** No rate is shown above these limits. */
  limits: RateLimits = NO_LIMITS

  readonly #store: CheckpointStore
  readonly #clock: Clock
  readonly #entries = new Map<TransferId, TransferEntry>()
  readonly #table = createTransferTable()
  /** Entries whose row is out of date. Rows are made when they are asked for, not when a byte moves. */
  readonly #stale = new Set<TransferEntry>()
  /** Whether something has changed since `takeDelta`, and `onChange` was called. */
  #isTold = false
  #lastPosition = 0

  /** Called once when something changes after `takeDelta`, and not again until the next `takeDelta`. */
  onChange: () => void = () => undefined

  constructor(checkpoints: CheckpointStore, clock: Clock) {
    this.#store = checkpoints
    this.#clock = clock
    this.histories = new HistoryKeeper(checkpoints, clock, () => this.#tell())
    this.checkpoints = followUpdates(checkpoints, {
      update: async (id, changes) => {
        const entry = this.#entries.get(id)
        if (entry === undefined) return checkpoints.update(id, changes)
        await this.#write(entry, changes)
        this.#merge(entry, changes)
      },
      planned: (id, page) => this.plans.known(id)?.add(page),
      failed: (id, failures) => this.plans.known(id)?.addFailed(failures),
      failedRemoved: (id) => this.plans.known(id)?.forgetFailed(),
      planRemoved: (id) => {
        this.plans.known(id)?.restart()
        this.#entries.get(id)?.progress?.files.clear()
      },
    })
    this.plans = new PlanKeeper(checkpoints)
  }

  get(id: TransferId): TransferEntry | undefined {
    return this.#entries.get(id)
  }

  nextPosition(): number {
    this.#lastPosition += 1
    return this.#lastPosition
  }

  /** Adds a transfer whose record was there when the process began. */
  load(record: TransferRecord, found: FoundProgress | null): TransferEntry {
    const entry = createEntry(record, 'kept')
    if (found !== null) this.progressOf(entry, found)
    this.#hold(entry)
    this.#table.load(toRow(entry, this.limits))
    this.#tell()
    return entry
  }

  /** Adds a transfer whose record has become durable. */
  add(record: TransferRecord, found: FoundProgress | null): TransferEntry {
    const entry = createEntry(record, 'new')
    if (found !== null) this.progressOf(entry, found)
    this.putBack(entry)
    return entry
  }

  /** Puts a removed entry back as it is now. */
  putBack(entry: TransferEntry): void {
    this.#hold(entry)
    this.#table.put(toRow(entry, this.limits))
    this.#tell()
  }

  #hold(entry: TransferEntry): void {
    this.#entries.set(entry.id, entry)
    this.#lastPosition = Math.max(this.#lastPosition, entry.position)
    if (entry.state.status === 'queued') this.queued.add(entry)
  }

  remove(id: TransferId): void {
    const entry = this.#entries.get(id)
    if (entry === undefined) return
    this.#entries.delete(id)
    this.#stale.delete(entry)
    this.queued.delete(id)
    this.#table.remove(id)
    this.#tell()
    this.plans.forget(id)
  }

  /** Entries that `event` would change. */
  select(selection: TransferSelection, event: TransferEvent): TransferEntry[] {
    return this.entriesOf(selection).filter((entry) => reduce(entry.state, event) !== entry.state)
  }

  /** The entries of a selection that are still in the list, in the order of the selection. */
  entriesOf(selection: TransferSelection): TransferEntry[] {
    const candidates = selection === 'all' ? [...this.#entries.values()] : selection.map((id) => this.#entries.get(id))
    return candidates.filter((entry) => entry !== undefined)
  }

  /** Whether a transfer other than `entry` (any, if null) continues this multipart upload. */
  isTaken(uploadId: string, entry: TransferEntry | null): boolean {
    for (const other of this.#entries.values()) {
      const { record, state } = other
      if (other === entry || record.direction !== 'upload' || record.uploadId !== uploadId) continue
      if (!isEnded(other) && givenUpOf(state) !== 'start-over') return true
    }
    return false
  }

  /** Applies `event` and returns the state after it. */
  transition(entry: TransferEntry, event: TransferEvent): TransferState {
    const before = entry.state
    entry.state = reduce(before, event)
    if (entry.state === before) return before
    this.touch(entry)
    const [from, to] = [before.status, entry.state.status]
    if (from !== 'queued' && to === 'queued') this.queued.add(entry)
    else if (from === 'queued' && to !== 'queued') this.queued.delete(entry.id)
    return entry.state
  }

  /** Changes the record now and on disk, where its state is kept, too. Resolves when it is durable. */
  change(entry: TransferEntry, changes: EntryChanges = {}): Promise<void> {
    const { status, givenUp = null } = durableOf(entry.state)
    const isOther = givenUp !== (entry.record.givenUp ?? null)
    const all = { ...changes, status, ...(isOther ? { givenUp } : {}) }
    this.#merge(entry, all)
    for (const name of Object.keys(all)) entry.unwritten.add(name)
    return this.#write(entry, all)
  }

  /**
   * Does the same as `change`, but never rejects: if a state can't be written (a full disk), the next start only has to
   * look again at what is there.
   */
  async keep(entry: TransferEntry, changes: EntryChanges): Promise<void> {
    try {
      await this.change(entry, changes)
    } catch (failure) {
      this.progressOf(entry).log(`The state could not be saved: ${String(failure)}`)
    }
  }

  /** All entries in queue order. */
  inOrder(): readonly TransferEntry[] {
    return [...this.#entries.values()].sort((left, right) => left.position - right.position)
  }

  /** Gives a transfer another place in the queue. Resolves when that is durable. */
  moveTo(entry: TransferEntry, position: number): Promise<void> {
    this.#lastPosition = Math.max(this.#lastPosition, Math.ceil(position))
    const isQueued = entry.state.status === 'queued'
    if (isQueued) this.queued.delete(entry.id)
    const changed = this.change(entry, { position })
    if (isQueued) this.queued.add(entry)
    return changed
  }

  /** Marks the row as out of date, to be made anew when it is next asked for. */
  touch(entry: TransferEntry): void {
    this.#stale.add(entry)
    this.#tell()
  }

  /** The progress of an entry, made when it is first needed. */
  progressOf(entry: TransferEntry, found: FoundProgress = NOTHING_FOUND): TransferProgress {
    entry.progress ??= new TransferProgress(
      this.#clock,
      found,
      (event) => {
        this.touch(entry)
        if (event !== null) this.transition(entry, event)
        if (event?.kind === 'waiting') this.#waits(entry)
      },
      (text, requestId) => this.histories.of(entry).note(text, requestId),
    )
    return entry.progress
  }

  /** Lets others start meanwhile. A wait that the server asked for holds after a restart, too. */
  #waits(entry: TransferEntry): void {
    this.onWait()
    const { wait = null } = entry.progress ?? {}
    const retryAtMs = wait?.isAsked === true ? wait.retryAtMs : null
    if (retryAtMs === null || retryAtMs <= (entry.record.retryAtMs ?? -Infinity)) return
    // If this can't be written, the server will just ask again.
    this.change(entry, { retryAtMs }).catch(() => undefined)
  }

  snapshot(): TransferSnapshot {
    this.#refresh()
    const { totals, ...snapshot } = this.#table.snapshot()
    return { ...snapshot, totals: withinLimits(totals, this.limits) }
  }

  row(id: TransferId): TransferRow | null {
    this.#refresh()
    return this.#table.get(id) ?? null
  }

  takeDelta(): TransferDelta | null {
    this.#isTold = false
    this.#refresh()
    const delta = this.#table.takeDelta()
    return delta === null ? null : { ...delta, totals: withinLimits(delta.totals, this.limits) }
  }

  /** Adds changes that could not be written before: the record on disk must not be half one state and half another. */
  async #write(entry: TransferEntry, changes: TransferChanges): Promise<void> {
    const { record, unwritten } = entry
    const late = Object.entries(record).filter(([name]) => unwritten.has(name))
    const all: TransferChanges = { ...Object.fromEntries(late), ...changes }
    await this.#store.update(entry.id, all)
    // Fields that have changed again meanwhile still need writing.
    const now = new Map<string, unknown>(Object.entries(entry.record))
    for (const [name, value] of Object.entries(all)) if (now.get(name) === value) unwritten.delete(name)
  }

  #merge(entry: TransferEntry, changes: TransferChanges): void {
    entry.record = { ...entry.record, ...changes } as TransferRecord
    this.touch(entry)
  }

  #tell(): void {
    if (this.#isTold) return
    this.#isTold = true
    this.onChange()
  }

  #sample(entry: TransferEntry): void {
    const { progress, state } = entry
    if (progress === null) return
    progress.sample(lowestLimit(entry, this.limits))
    const isMoving = state.status === 'transferring' || state.status === 'pausing'
    const rate = isMoving ? shownRate(entry, progress, this.limits) : null
    this.histories.of(entry).sample(rate)
  }

  #refresh(): void {
    // A running transfer's rate falls and its time passes even when nothing happens.
    for (const entry of this.running) this.#sample(entry)
    for (const entry of [...this.running, ...this.#stale]) {
      if (!this.#entries.has(entry.id)) continue
      this.#table.put(toRow(entry, this.limits))
    }
    this.#stale.clear()
    this.histories.writeIfDue()
  }
}
