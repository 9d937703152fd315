import { MILESTONES, type Milestone } from '../../../shared/transfer/milestones.ts'
import type { TransferLogEntry } from '../../../shared/transfer/transfer.ts'
import type { Clock } from '../core/deps.ts'
import type { KeptHistory } from '../core/records.ts'
import { addSecond, joinSeries, NO_SPEED, samplesOf, type SpeedSeries } from './speed-series.ts'

/** The most entries of a transfer; beyond that the oldest are dropped. */
export const MAX_LOG_ENTRIES = 100
/** Longer texts are cut. */
const MAX_TEXT_CHARS = 500
/** Samples of the last minute, one a second. */
const RECENT_SAMPLES = 60

/** What runs have moved, and how fast. */
export interface MovedTotals {
  readonly movedBytes: number
  readonly activeMs: number
  readonly peakBytesPerSecond: number
}

export const NOTHING_MOVED: MovedTotals = { movedBytes: 0, activeMs: 0, peakBytesPerSecond: 0 }

/**
 * What happened to one transfer, and how fast it was: at most 100 entries of at most 500 characters, and 120 samples,
 * however long the transfer lives.
 */
export class TransferHistory {
  entries: readonly TransferLogEntry[] = []
  /** What runs of earlier processes moved. */
  totals: MovedTotals = NOTHING_MOVED
  /** One sample a second, latest last; null when nothing was to move. */
  recent: readonly (number | null)[] = []
  /** False until the kept history has been read. */
  isWhole: boolean

  /** Whether the transfer started over, so the kept totals no longer count. */
  #isAnew = false
  readonly #clock: Clock
  readonly #onChange: () => void
  #life: SpeedSeries = NO_SPEED
  #sampledAtMs = -Infinity

  /** @param isWhole whether no history was kept before. */
  constructor(clock: Clock, isWhole: boolean, onChange: () => void) {
    this.#clock = clock
    this.isWhole = isWhole
    this.#onChange = onChange
  }

  get life(): { readonly stepMs: number; readonly samples: readonly (number | null)[] } {
    return { stepMs: this.#life.stepMs, samples: samplesOf(this.#life) }
  }

  /** Adds an entry. One that repeats the latest is counted with it. */
  note(text: string, requestId: string | null = null): void {
    this.#add([{ atMs: this.#clock.nowMs(), text: text.slice(0, MAX_TEXT_CHARS), requestId }])
  }

  /** Adds an entry for a milestone unless the latest entry says the same. */
  mark(milestone: Milestone): void {
    const text = MILESTONES[milestone]
    if (this.entries.at(-1)?.text !== text) this.note(text)
  }

  /** Drops the totals of what runs have moved so far. */
  startOver(): void {
    this.totals = NOTHING_MOVED
    this.#isAnew = true
    this.#onChange()
  }

  /** Begins a run. Adds no entry right after one that says why the run begins. */
  started(how: 'started' | 'continued'): void {
    this.#sampledAtMs = this.#clock.monotonicMs()
    this.#life = addSecond(this.#life, null)
    this.recent = [...this.recent, null].slice(-RECENT_SAMPLES)
    const last = this.entries.at(-1)
    const isAsked = last !== undefined && ASKED.includes(last.text) && this.#clock.nowMs() - last.atMs < 2000
    if (!isAsked) this.note(MILESTONES[how])
  }

  /** Takes the samples that are due, one a second. @param bytesPerSecond null when nothing is to move. */
  sample(bytesPerSecond: number | null): void {
    const elapsedMs = this.#clock.monotonicMs() - this.#sampledAtMs
    if (elapsedMs < 1000) return
    const seconds = Math.min(RECENT_SAMPLES, Math.floor(elapsedMs / 1000))
    this.#sampledAtMs += Math.floor(elapsedMs / 1000) * 1000
    for (let second = 0; second < seconds; second += 1) this.#life = addSecond(this.#life, bytesPerSecond)
    const added = Array.from({ length: seconds }, () => bytesPerSecond)
    this.recent = [...this.recent, ...added].slice(-RECENT_SAMPLES)
    this.#onChange()
  }

  /** What is kept of the history. @param now what the runs of this process have moved so far. */
  toKeep(now: MovedTotals): KeptHistory {
    return { ...sumOf(this.totals, now), ...this.life, entries: this.entries, keptAtMs: this.#clock.nowMs() }
  }

  /**
   * Puts the kept history before what has happened since.
   * @param wasCut whether the previous process ended without a word while the transfer ran.
   */
  restore(kept: KeptHistory | null, wasCut: boolean): void {
    this.isWhole = true
    if (kept === null) return
    const { stepMs, samples } = kept
    if (!this.#isAnew) this.totals = sumOf(this.totals, kept)
    this.#life = joinSeries({ ...NO_SPEED, stepMs, samples }, this.#life)
    const since = this.entries
    this.entries = kept.entries
    if (wasCut && kept.entries.at(-1)?.text !== MILESTONES.closed) {
      this.#add([{ atMs: kept.keptAtMs, text: MILESTONES.closed, requestId: null }])
    }
    this.#add(since)
  }

  #add(entries: readonly TransferLogEntry[]): void {
    this.entries = entries.reduce(folded, this.entries).slice(-MAX_LOG_ENTRIES)
    this.#onChange()
  }
}

const LETS_BEGIN: readonly Milestone[] = [
  ...(['resumed', 'pause-over', 'retried', 'started-over'] as const),
  ...(['place-removed', 'place-stays', 'place-edited', 'keyring-unlocked', 'demo-store-back'] as const),
]
const ASKED: readonly string[] = LETS_BEGIN.map((milestone) => MILESTONES[milestone])

function folded(entries: readonly TransferLogEntry[], entry: TransferLogEntry): readonly TransferLogEntry[] {
  const last = entries.at(-1)
  if (last?.text !== entry.text) return [...entries, entry]
  return [...entries.slice(0, -1), { ...entry, times: (last.times ?? 1) + (entry.times ?? 1) }]
}

export function sumOf(before: MovedTotals, after: MovedTotals): MovedTotals {
  return {
    movedBytes: before.movedBytes + after.movedBytes,
    activeMs: before.activeMs + after.activeMs,
    peakBytesPerSecond: Math.max(before.peakBytesPerSecond, after.peakBytesPerSecond),
  }
}
