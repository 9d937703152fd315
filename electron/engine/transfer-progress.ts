import type { TransferLogEntry, UnitState, WaitState } from '../../shared/transfer.ts'
import type { Clock } from './deps.ts'
import { createPartsMap, type PartsMap } from './parts-map.ts'
import { createProgressCounter } from './progress-counter.ts'
import { sampleRate, startRate, type RateEstimate } from './rate-estimator.ts'
import type { RunReporter } from './run.ts'
import type { TransferEvent } from './transfer-state.ts'

const MAX_LOG_ENTRIES = 200

/** What is shown of a transfer beyond its record. Filled by its runs through `reporter`. */
export interface TransferProgress {
  readonly reporter: RunReporter
  /** A run begins; it will report anew what it finds already there. */
  start(): void
  /** The run is over; returns how long it took, milliseconds. */
  stop(): number
  log(text: string, requestId?: string | null): void
  /** Brings the rate up to now. */
  sample(): void
  readonly sizeBytes: number | null
  readonly confirmedBytes: number
  readonly inFlightBytes: number
  readonly rate: RateEstimate
  readonly map: PartsMap | null
  readonly wait: WaitState | null
  /** How long the run has taken so far, milliseconds; 0 while there is none. */
  readonly activeMs: number
  readonly averageBytesPerSecond: number
  readonly facts: { readonly uploadId?: string; readonly etag?: string; readonly localPath?: string }
  readonly history: readonly TransferLogEntry[]
}

/** What the checkpoints tell of a transfer that no run has reported on yet. */
export interface FoundProgress {
  readonly confirmedBytes: number
  readonly map: PartsMap | null
}

/**
 * @param onChange is called when something shown changed; with an event where it changes the state as well.
 */
export function createTransferProgress(
  clock: Clock,
  found: FoundProgress,
  onChange: (event: TransferEvent | null) => void,
): TransferProgress {
  let counter = createProgressCounter()
  let rate = startRate(clock.monotonicMs())
  let map = found.map
  let wait: WaitState | null = null
  let sizeBytes: number | null = null
  /** Shown until the run has looked for itself, so that a resumed transfer does not start from nothing. */
  let knownBytes: number | null = found.confirmedBytes
  let facts: TransferProgress['facts'] = {}
  let startedAtMs: number | null = null
  let endedMs = 0
  let movedBefore = 0
  const history: TransferLogEntry[] = []

  function log(text: string, requestId: string | null = null): void {
    history.push({ atMs: clock.nowMs(), text, requestId })
    if (history.length > MAX_LOG_ENTRIES) history.shift()
  }
  function activeMs(): number {
    return startedAtMs === null ? 0 : clock.monotonicMs() - startedAtMs
  }
  function confirmedBytes(): number {
    return knownBytes === null ? counter.confirmedBytes : Math.max(knownBytes, counter.confirmedBytes)
  }
  function setWait(next: WaitState | null): void {
    if (next === null && wait === null) return
    wait = next
    onChange({ kind: next === null ? 'proceeding' : 'waiting' })
  }

  const reporter: RunReporter = {
    stage(stage) {
      if (stage !== 'preparing') knownBytes = null
      onChange({ kind: 'stage', stage })
    },
    size(bytes) {
      sizeBytes = bytes
      onChange(null)
    },
    units(layout) {
      map = createPartsMap(layout.count, layout.unitSizeBytes)
      onChange(null)
    },
    unit(index: number, state: UnitState) {
      map?.set(index, state)
      onChange(null)
    },
    moved(bytes) {
      counter.moved(bytes)
      // Others of its connections may wait; a transfer whose bytes move does not.
      if (bytes > 0) setWait(null)
      onChange(null)
    },
    confirmed(bytes, how) {
      counter.confirmed(bytes, how)
      onChange(null)
    },
    waiting: setWait,
    log,
    facts(more) {
      facts = { ...facts, ...more }
      onChange(null)
    },
  }

  return {
    reporter,
    log,
    start() {
      knownBytes = confirmedBytes()
      movedBefore += Math.max(0, counter.movedBytes)
      counter = createProgressCounter()
      startedAtMs = clock.monotonicMs()
      rate = { ...startRate(startedAtMs), peakBytesPerSecond: rate.peakBytesPerSecond }
    },
    stop() {
      const durationMs = activeMs()
      endedMs += durationMs
      startedAtMs = null
      wait = null
      rate = { ...startRate(clock.monotonicMs()), peakBytesPerSecond: rate.peakBytesPerSecond }
      onChange(null)
      return durationMs
    },
    sample() {
      if (startedAtMs !== null) rate = sampleRate(rate, clock.monotonicMs(), counter.movedBytes)
    },
    get sizeBytes() {
      return sizeBytes
    },
    get confirmedBytes() {
      return confirmedBytes()
    },
    get inFlightBytes() {
      return startedAtMs === null ? 0 : counter.inFlightBytes
    },
    get rate() {
      return rate
    },
    get map() {
      return map
    },
    get wait() {
      return wait
    },
    get activeMs() {
      return activeMs()
    },
    get averageBytesPerSecond() {
      const seconds = (endedMs + activeMs()) / 1000
      return seconds > 0 ? Math.round((movedBefore + Math.max(0, counter.movedBytes)) / seconds) : 0
    },
    get facts() {
      return facts
    },
    history,
  }
}
