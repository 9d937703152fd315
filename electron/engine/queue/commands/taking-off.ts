import { isFinal, type TransferId } from '../../../../shared/transfer/transfer.ts'
import type { DueAbort, KeptHistory, TransferRecord } from '../../core/records.ts'
import type { TransferSelection } from '../../core/requests.ts'
import { hasPartialFile, isOver, type TransferEntry } from '../../transfer/transfer-entry.ts'
import { abandon, dueAbortOf } from '../runs/discarding.ts'
import { addRecords } from './adding.ts'
import type { CommandParts } from './command-parts.ts'
import { cancel, pause } from './stop-and-go.ts'

/** Takes transfers off the list, and puts back those that were taken off last. */
export class TakingOff {
  readonly #parts: CommandParts
  /** What the latest `remove` took off. */
  #takenOff: readonly TransferRecord[] = []
  #takenHistories: ReadonlyMap<TransferId, KeptHistory> = new Map()

  constructor(parts: CommandParts) {
    this.#parts = parts
  }

  /** Takes off what is over. A failed one is canceled first. */
  async remove(ids: TransferSelection): Promise<void> {
    const leaving = await this.#cleanedUp(ids)
    const histories = await this.#parts.queue.histories.take(leaving)
    // What was begun anew meanwhile stays.
    const gone = leaving.filter(isOver)
    await this.#takeOff(gone)
    this.#takenOff = gone.map(({ record }) => record)
    this.#takenHistories = histories
  }

  /** The same, but `restore` puts back what `remove` took off before. */
  async clear(ids: TransferSelection): Promise<void> {
    const leaving = await this.#cleanedUp(ids)
    await this.#takeOff(leaving.filter(isOver))
  }

  /** Takes off what is unfinished, and leaves what it has transferred where it is. */
  async letGo(ids: TransferSelection): Promise<void> {
    const leaving = this.#parts.queue.entriesOf(ids).filter(({ state }) => !isFinal(state.status))
    const unfinished = leaving.filter((entry) => !isOver(entry))
    await pause(this.#parts, idsOf(unfinished))
    await Promise.all(leaving.map(async (entry) => entry.busy))
    const empty = await this.#emptyUploads(leaving)
    // What was resumed or finished meanwhile stays.
    const gone = leaving.filter(({ state, busy }) => busy === null && ['paused', 'failed'].includes(state.status))
    // In one commit: after a stop in between nobody would know of them.
    const aborted = gone.flatMap((entry) => {
      const due = empty.get(entry)
      return due === undefined ? [] : abandon(this.#parts, entry, due)
    })
    await Promise.all([...aborted, this.#takeOff(gone)])
  }

  /** Puts back what the latest `remove` took off, once. */
  async restore(): Promise<void> {
    const { queue } = this.#parts
    const records = this.#takenOff
    const histories = this.#takenHistories
    this.#takenOff = []
    this.#takenHistories = new Map()
    try {
      for (const entry of await addRecords(this.#parts, records)) {
        queue.histories.restore(entry, histories.get(entry.id))
      }
    } catch (failure) {
      // Some of many may be there.
      this.#takenOff = records.filter(({ id }) => queue.get(id) === undefined)
      this.#takenHistories = histories
      throw failure
    }
  }

  /** Those that are over, with nothing left of them that can be deleted. */
  async #cleanedUp(ids: TransferSelection): Promise<readonly TransferEntry[]> {
    const { queue, pool } = this.#parts
    const leaving = queue.entriesOf(ids).filter(isOver)
    const failed = leaving.filter(({ state }) => state.status === 'failed')
    await cancel(this.#parts, idsOf(failed))
    await Promise.all(leaving.map(async (entry) => entry.busy))
    // What could not be deleted before gets another chance, as long as it is known of.
    const littered = leaving.filter((entry) => isOver(entry) && hasPartialFile(entry))
    await Promise.all(littered.map((entry) => pool.occupy(entry, () => pool.discard(entry))))
    return leaving
  }

  /** Begun uploads of which no part is there: open for good, they would be nothing but in the way. */
  async #emptyUploads(entries: readonly TransferEntry[]): Promise<ReadonlyMap<TransferEntry, DueAbort>> {
    const empty = new Map<TransferEntry, DueAbort>()
    for (const entry of entries) {
      const due = entry.record.direction === 'upload' ? dueAbortOf(entry.record) : null
      if (due === null || (await this.#parts.deps.checkpoints.parts(entry.id)).length > 0) continue
      empty.set(entry, due)
    }
    return empty
  }

  /** What can't be forgotten (a full disk) comes back at once: after a restart it would be there again. */
  async #takeOff(entries: readonly TransferEntry[]): Promise<void> {
    const { deps, queue } = this.#parts
    const ids = idsOf(entries)
    // Gone before it is forgotten, so that nothing begins one of them anew meanwhile.
    for (const id of ids) queue.remove(id)
    try {
      await deps.checkpoints.remove(ids)
    } catch (failure) {
      for (const entry of entries) queue.putBack(entry)
      throw failure
    }
  }
}

function idsOf(entries: readonly TransferEntry[]): readonly TransferId[] {
  return entries.map(({ id }) => id)
}
