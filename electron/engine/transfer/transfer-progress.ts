import type {
  ItemFailure,
  RenamedItem,
  TransferItems,
  UnitState,
  WaitState,
} from '../../../shared/transfer/transfer.ts'
import type { Clock } from '../core/deps.ts'
import type { FileState } from '../../../shared/transfer/folder-file.ts'
import { FileStates } from './file-states.ts'
import { createPartsMap, type PartsMap } from './parts-map.ts'
import { createProgressCounter } from './progress-counter.ts'
import {
  etaSeconds,
  sampleRate,
  spreadMoved,
  startRate,
  steadyEnd,
  type RateEstimate,
  type ShownEnd,
} from './rate-estimator.ts'
import type { FolderReporter, RunFacts, RunStage } from '../core/run.ts'
import { ShownWait } from './shown-wait.ts'
import type { MovedTotals } from './transfer-history.ts'
import type { TransferEvent } from './transfer-state.ts'

/** What the checkpoints say about a transfer that no run has reported on yet. */
export interface FoundProgress {
  readonly confirmedBytes: number
  readonly map: PartsMap | null
  /** Of a folder: how many of its files are done. */
  readonly done?: number
}

/** What is shown of a transfer beyond its record. The transfer's runs report to it. */
export class TransferProgress implements FolderReporter {
  sizeBytes: number | null = null
  wait: WaitState | null = null
  rate: RateEstimate
  told: RunFacts = {}
  /** The failures of the latest run that are listed by name; null before the first run of this process. */
  namedFailures: readonly ItemFailure[] | null = null
  renamedItems: readonly RenamedItem[] = []
  longPathsFound: readonly string[] = []
  /** The states of a folder's files, over all runs of this process. */
  readonly files = new FileStates()
  /** How many parts or files are given time to end before the run stops; null when none are. */
  finishingUnits: number | null = null

  readonly #clock: Clock
  readonly #onChange: (event: TransferEvent | null) => void
  readonly #note: (text: string, requestId: string | null) => void
  #counter = createProgressCounter()
  /** Shown until the run has looked for itself, because a resumed transfer must not seem to start from nothing. */
  #knownBytes: number | null
  /** The map of the parts that have those bytes. */
  #knownMap: PartsMap | null
  #map: PartsMap | null
  /** Of a folder: its files as the last run counted them, and how many were done before that run. */
  #items: TransferItems | null = null
  #knownDone = 0
  #startedAtMs: number | null = null
  /** How long the run has waited, and since when it has been waiting now; null when it is not. */
  #waitedMs = 0
  #waitsSinceMs: number | null = null
  #endedMs = 0
  #peakBytesPerSecond = 0
  #limitBytesPerSecond = Infinity
  #movedBefore = 0
  #shownEnd: ShownEnd | null = null
  /** How long the work after the last byte takes, milliseconds; and since when only that is left, null if more is. */
  #closingMs = 0
  #closesSinceMs: number | null = null
  #droppedBytes = 0
  readonly #waits = new ShownWait()

  /**
   * @param onChange is called when something shown has changed, with an event if that changes the state as well.
   * @param note takes lines for the history.
   */
  constructor(
    clock: Clock,
    found: FoundProgress,
    onChange: (event: TransferEvent | null) => void,
    note: (text: string, requestId: string | null) => void,
  ) {
    this.#clock = clock
    this.#onChange = onChange
    this.#note = note
    this.#knownBytes = found.confirmedBytes
    this.#knownMap = found.map
    this.#map = found.map
    this.#knownDone = found.done ?? 0
    this.rate = startRate(clock.monotonicMs())
  }

  get confirmedBytes(): number {
    // The known bytes may be of an earlier, larger version.
    const knownBytes = Math.min(this.#knownBytes ?? 0, this.sizeBytes ?? Infinity)
    return Math.max(knownBytes, this.#counter.confirmedBytes)
  }

  /** Of a folder: its files as the last run counts them, but never fewer done than are known to have been. */
  get counted(): TransferItems | null {
    if (this.#items === null) return null
    const { done, total, failed } = this.#items
    return { ...this.#items, done: Math.max(done, Math.min(this.#knownDone, total - failed)) }
  }

  /** Shows the same bytes as `confirmedBytes`; null while nothing is known about parts. */
  get map(): PartsMap | null {
    return (this.#knownBytes === null ? null : this.#knownMap) ?? this.#map
  }

  get inFlightBytes(): number {
    return this.#startedAtMs === null ? 0 : this.#counter.inFlightBytes
  }

  /** How long the run has taken so far, milliseconds, without its waits; 0 while there is no run. */
  get activeMs(): number {
    if (this.#startedAtMs === null) return 0
    return (this.#waitsSinceMs ?? this.#clock.monotonicMs()) - this.#startedAtMs - this.#waitedMs
  }

  /** What the transfer's runs in this process have moved. */
  get totals(): MovedTotals {
    return {
      movedBytes: this.#movedBefore + Math.max(0, this.#counter.movedBytes),
      activeMs: this.#endedMs + this.activeMs,
      peakBytesPerSecond: this.#peakBytesPerSecond,
    }
  }

  /** Begins a run, which will report anew what it finds already there. */
  start(): void {
    this.#knownBytes = this.confirmedBytes
    this.#knownMap = this.map
    this.#knownDone = this.counted?.done ?? this.#knownDone
    this.#movedBefore += Math.max(0, this.#counter.movedBytes)
    this.#counter = createProgressCounter()
    this.namedFailures = []
    this.told = { ...this.told, keepsNothing: false }
    this.files.start()
    this.#droppedBytes = 0
    this.#startedAtMs = this.#clock.monotonicMs()
    this.#waitedMs = 0
    this.#waitsSinceMs = null
    this.#closingMs = 0
    this.rate = startRate(this.#clock.monotonicMs())
  }

  /** Ends the run. Returns how long it took without its waits, milliseconds. */
  stop(): number {
    const durationMs = this.activeMs
    this.#endedMs += durationMs
    this.#startedAtMs = null
    this.#noteMean()
    this.#waits.clear()
    this.wait = null
    this.finishingUnits = null
    this.#map?.settle()
    this.files.stop()
    this.rate = startRate(this.#clock.monotonicMs())
    this.#onChange(null)
    return durationMs
  }

  /**
   * Brings the rate up to date, and shows a wait that moving bytes had hidden.
   * @param limitBytesPerSecond the limit in force now: no peak is shown above it.
   */
  sample(limitBytesPerSecond: number): void {
    if (this.#startedAtMs === null) return
    this.#showWait()
    const nowMs = this.#clock.monotonicMs()
    const isAllMoved = this.sizeBytes !== null && this.confirmedBytes + this.inFlightBytes >= this.sizeBytes
    // While only the closing work is left, movement says nothing about the pace.
    const tellsPace = this.#closesSinceMs === null || !isAllMoved || this.#closingLeftMs(nowMs) === 0
    this.#closesSinceMs = isAllMoved ? (this.#closesSinceMs ?? nowMs) : null
    this.rate = tellsPace
      ? sampleRate(this.rate, nowMs, this.#counter.movedBytes)
      : { ...this.rate, sampledAtMs: nowMs }
    this.#limitBytesPerSecond = limitBytesPerSecond
    this.#notePeak(this.rate.bytesPerSecond)
  }

  /**
   * Seconds, rounded up, until `remainingBytes` have moved and all is closed, counting down evenly; null while unknown.
   */
  etaSeconds(remainingBytes: number): number | null {
    const nowMs = this.#clock.monotonicMs()
    const movingSeconds = etaSeconds(this.rate, remainingBytes)
    const freshSeconds = movingSeconds === null ? null : movingSeconds + this.#closingLeftMs(nowMs) / 1000
    this.#shownEnd = steadyEnd(this.#shownEnd, nowMs, freshSeconds)
    return this.#shownEnd === null ? null : Math.max(1, Math.ceil((this.#shownEnd.endMs - nowMs) / 1000))
  }

  stage(stage: RunStage): void {
    // A published file is verified before anything is counted; if that fails, its bytes are there all the same.
    // A folder finds its files one by one while others are under way: until all are there, a lower count is no loss.
    const isFound = this.#items === null ? stage !== 'preparing' && stage !== 'verifying' : stage === 'completing'
    if (isFound) {
      this.#knownBytes = null
      this.#knownDone = 0
    }
    this.#onChange({ kind: 'stage', stage })
  }

  size(sizeBytes: number): void {
    this.sizeBytes = sizeBytes
    this.#onChange(null)
  }

  units(layout: { readonly count: number; readonly unitSizeBytes: number }): void {
    this.#map = createPartsMap(layout.count, layout.unitSizeBytes)
    this.#onChange(null)
  }

  unit(index: number, state: UnitState): void {
    this.#map?.set(index, state)
    this.#onChange(null)
  }

  items(items: TransferItems): void {
    this.#items = items
    this.#onChange(null)
  }

  failures(failures: readonly ItemFailure[]): void {
    this.namedFailures = failures
  }

  renamed(renamed: readonly RenamedItem[]): void {
    this.renamedItems = renamed
  }

  longPaths(paths: readonly string[]): void {
    this.longPathsFound = paths
  }

  file(number: number, state: FileState): void {
    this.files.set(number, state)
    this.#onChange(null)
  }

  moved(bytes: number, overMs = 0): void {
    this.#counter.moved(bytes)
    if (overMs > 0) this.rate = spreadMoved(this.rate, bytes, overMs, this.#clock.monotonicMs())
    if (bytes > 0) {
      this.#waits.moved(this.#clock.monotonicMs())
      this.#showWait()
    }
    this.#onChange(null)
  }

  confirmed(bytes: number, how: 'moved' | 'found'): void {
    this.#counter.confirmed(bytes, how)
    if (how === 'moved' && bytes > 0) {
      this.#waits.saved()
      this.#showWait()
    }
    this.#onChange(null)
  }

  closing(ms: number): void {
    this.#closingMs = ms
  }

  waiting(wait: WaitState | null, who: unknown = this): void {
    this.#waits.set(who, wait, this.#clock.monotonicMs())
    this.#showWait()
  }

  finishing(units: number | null): void {
    this.finishingUnits = units
    this.#onChange(null)
  }

  dropped(bytes: number): void {
    this.#droppedBytes += bytes
  }

  /** Bytes that were on their way when the latest run stopped, and were given up. */
  get droppedBytes(): number {
    return this.#droppedBytes
  }

  log(text: string, requestId: string | null = null): void {
    this.#note(text, requestId)
  }

  facts(facts: RunFacts): void {
    this.told = { ...this.told, ...facts }
    this.#onChange(null)
  }

  #closingLeftMs(nowMs: number): number {
    return Math.max(0, this.#closingMs - (nowMs - (this.#closesSinceMs ?? nowMs)))
  }

  #showWait(): void {
    const wait = this.#waits.at(this.#clock.monotonicMs())
    if (wait === this.wait) return
    if (this.wait === null) this.#waitsSinceMs = this.#clock.monotonicMs()
    if (wait === null && this.#waitsSinceMs !== null) {
      this.#waitedMs += this.#clock.monotonicMs() - this.#waitsSinceMs
      this.#waitsSinceMs = null
    }
    this.wait = wait
    this.#onChange({ kind: wait === null ? 'proceeding' : 'waiting' })
  }

  /** Counts the mean for the peak: the last fraction of a second is in no sample, and a short run may have none. */
  #noteMean(): void {
    const { movedBytes, activeMs, peakBytesPerSecond } = this.totals
    if (activeMs >= 1000 || (activeMs > 0 && peakBytesPerSecond === 0)) this.#notePeak((movedBytes * 1000) / activeMs)
  }

  #notePeak(bytesPerSecond: number): void {
    const told = Math.round(Math.min(bytesPerSecond, this.#limitBytesPerSecond))
    this.#peakBytesPerSecond = Math.max(this.#peakBytesPerSecond, told)
  }
}
