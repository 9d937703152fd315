import type { TransferId } from '../../../../shared/transfer/transfer.ts'
import { batches } from '../../async/batches.ts'
import type { CheckpointStore } from '../../core/checkpoint-store.ts'
import type { Clock } from '../../core/deps.ts'
import type { KeptHistory } from '../../core/records.ts'
import type { TransferEntry } from '../../transfer/transfer-entry.ts'
import { NOTHING_MOVED, TransferHistory } from '../../transfer/transfer-history.ts'

/** How much of a history a crash may lose, milliseconds. Everything that changed meanwhile is one transaction. */
const WRITE_EVERY_MS = 5000

/** Keeps the histories of transfers over restarts. Nothing relies on them: what can't be kept is left out. */
export class HistoryKeeper {
  readonly #store: Pick<CheckpointStore, 'histories' | 'putHistories'>
  readonly #clock: Clock
  /** Entries whose histories have changed since they were written. */
  readonly #changed = new Set<TransferEntry>()
  #writtenAtMs: number
  readonly #tell: () => void
  #reading: Promise<void> = Promise.resolve()

  /** `tell` is called when a history changes and has to be written. */
  constructor(store: Pick<CheckpointStore, 'histories' | 'putHistories'>, clock: Clock, tell: () => void) {
    this.#store = store
    this.#clock = clock
    this.#tell = tell
    this.#writtenAtMs = clock.monotonicMs()
  }

  /** The history of an entry, made when first needed. What was kept of it is added by `read` or the next write. */
  of(entry: TransferEntry): TransferHistory {
    entry.history ??= new TransferHistory(this.#clock, !entry.isKept, () => this.#note(entry))
    return entry.history
  }

  /** Whether any history has changed since it was written. */
  get isToBeWritten(): boolean {
    return this.#changed.size > 0
  }

  /** Reads what was kept of the histories of `entries`. */
  read(entries: readonly TransferEntry[]): Promise<void> {
    // One call after another, because what an earlier call is reading must not be read twice.
    this.#reading = this.#reading.then(async () => {
      for (const some of batches(entries.filter((entry) => !this.of(entry).isWhole))) {
        const found = await this.#find(some.map(({ id }) => id))
        for (const entry of some) {
          const history = this.of(entry)
          if (!history.isWhole) history.restore(found.get(entry.id) ?? null, entry.wasCut)
        }
      }
    })
    return this.#reading
  }

  /** Returns the histories of `entries`, to be given back with `restore`. */
  async take(entries: readonly TransferEntry[]): Promise<ReadonlyMap<TransferId, KeptHistory>> {
    await this.read(entries)
    return new Map(entries.map((entry) => [entry.id, toKeep(entry, this.of(entry))]))
  }

  restore(entry: TransferEntry, kept: KeptHistory | undefined): void {
    this.of(entry).restore(kept ?? null, false)
  }

  /** Writes what has changed if that is due. Called whenever the queue is looked at. */
  writeIfDue(): void {
    if (this.#changed.size === 0 || this.#clock.monotonicMs() - this.#writtenAtMs < WRITE_EVERY_MS) return
    this.#writtenAtMs = this.#clock.monotonicMs()
    void this.write()
  }

  /** Writes what has changed. Never rejects. */
  async write(): Promise<void> {
    const changed = [...this.#changed]
    await this.read(changed)
    // Other histories may have changed meanwhile.
    for (const entry of changed) this.#changed.delete(entry)
    for (const some of batches(changed)) {
      const histories = some.map((entry) => ({ id: entry.id, history: toKeep(entry, this.of(entry)) }))
      await this.#store.putHistories(histories).catch(() => undefined)
    }
  }

  #note(entry: TransferEntry): void {
    this.#changed.add(entry)
    this.#tell()
  }

  #find(ids: readonly TransferId[]): Promise<ReadonlyMap<TransferId, KeptHistory>> {
    return this.#store.histories(ids).catch(() => new Map<TransferId, KeptHistory>())
  }
}

function toKeep({ progress }: TransferEntry, history: TransferHistory): KeptHistory {
  return history.toKeep(progress?.totals ?? NOTHING_MOVED)
}
