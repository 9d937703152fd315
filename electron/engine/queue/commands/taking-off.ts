import { isFinal, type TransferId } from '../../../../shared/transfer/transfer.ts'
import type { FileSystem } from '../../core/deps.ts'
import { recordAnew } from '../../core/new-records.ts'
import type { TransferRecord } from '../../core/records.ts'
import type { TransferSelection } from '../../core/requests.ts'
import { removePlaceholder } from '../../partial-file/placeholder.ts'
import { hasPartialFile, isBegun, isOver, type TransferEntry } from '../../transfer/transfer-entry.ts'
import { isUnmeasured } from '../rows/source-sizes.ts'
import { abandon, dueAbortOf } from '../runs/discarding.ts'
import { addRecords, measure } from './adding.ts'
import { readProgress, writeProgress, type DurableProgress } from './durable-progress.ts'
import type { CommandParts } from './command-parts.ts'
import { Removals } from './removals.ts'
import { cancel, pause } from './stop-and-go.ts'

/** Takes transfers off the list, and puts back those that were taken off. */
export class TakingOff {
  readonly #parts: CommandParts
  readonly #removals = new Removals()

  constructor(parts: CommandParts) {
    this.#parts = parts
  }

  /** Takes off transfers that are over. A failed one is canceled first. */
  async remove(ids: TransferSelection, removal = this.#parts.deps.uuid()): Promise<void> {
    const leaving = await this.#cleanedUp(ids)
    const histories = await this.#parts.queue.histories.take(leaving)
    // Transfers that were started over meanwhile stay.
    const gone = leaving.filter(isOver)
    // What still has to be cleaned up can't come back as it was.
    const clean = gone.filter((entry) => this.#cleaning(entry) === null)
    const taken = clean.map(({ id, record }) => ({ record, history: histories.get(id), progress: null }))
    await this.#takeOff(gone)
    this.#removals.add(removal, taken)
  }

  /** Does the same, but nothing can be put back. */
  async clear(ids: TransferSelection): Promise<void> {
    const leaving = await this.#cleanedUp(ids)
    await this.#takeOff(leaving.filter(isOver))
  }

  /** Takes off unfinished transfers once they have stopped, and leaves what they have transferred where it is. */
  async letGo(ids: TransferSelection, removal = this.#parts.deps.uuid()): Promise<void> {
    const leaving = this.#parts.queue.entriesOf(ids).filter(({ state }) => !isFinal(state.status))
    const atRest = new Set(leaving.filter(({ state }) => ['paused', 'failed'].includes(state.status)))
    const unfinished = leaving.filter((entry) => !isOver(entry))
    const busy = leaving.filter((entry) => entry.busy !== null)
    // Both at once: none may start in place of one that stops.
    const stopping = pause(this.#parts, idsOf(unfinished.filter((entry) => entry.busy !== null)), 'paused')
    const resting = pause(this.#parts, idsOf(unfinished.filter((entry) => entry.busy === null)), 'paused')
    await Promise.all([stopping, resting, ...busy.map(async (entry) => entry.busy)])
    await this.#letGoStopped(leaving, atRest, removal)
  }

  async #letGoStopped(
    leaving: readonly TransferEntry[],
    atRest: ReadonlySet<TransferEntry>,
    removal: string,
  ): Promise<void> {
    const { queue, pool } = this.#parts
    const progress = await this.#progressOf(leaving)
    const histories = await queue.histories.take(leaving)
    // Transfers that were resumed or finished meanwhile stay.
    const gone = leaving.filter(({ state, busy }) => busy === null && ['paused', 'failed'].includes(state.status))
    const taken = gone.map((entry) => ({
      record: recordToPutBack(entry.record, progress.get(entry) ?? null, atRest.has(entry)),
      history: histories.get(entry.id),
      progress: progress.get(entry) ?? null,
    }))
    // In one commit with the removal: after a stop in between nothing would know of these uploads.
    const aborted = gone.flatMap((entry) => {
      const due = dueAbortOfEmpty(entry.record, progress.get(entry) ?? null)
      return due === null ? [] : abandon(this.#parts, entry, due)
    })
    const { fileSystem } = this.#parts.deps
    const freed = gone.filter(holdsName).map((entry) => pool.cleanUp(entry, () => freeName(entry.record, fileSystem)))
    await Promise.all([...aborted, ...freed, this.#takeOff(gone)])
    this.#removals.add(removal, taken)
  }

  /** Puts back, once, what a removal, or with null the latest one, took off. */
  async restore(removal: string | null): Promise<void> {
    const { deps, queue } = this.#parts
    const found = this.#removals.take(removal)
    if (found === null) return
    // An upload that another row continues by now must not be transferred by two.
    const wanted = found.taken.filter(({ record }) => !isTaken(this.#parts, record))
    try {
      for (const { record, progress } of wanted)
        if (progress !== null) await writeProgress(deps.checkpoints, record.id, progress)
      const histories = new Map(wanted.map(({ record, history }) => [record.id, history]))
      const entries = await addRecords(
        this.#parts,
        wanted.map(({ record }) => record),
      )
      for (const entry of entries) queue.histories.restore(entry, histories.get(entry.id))
      measure(this.#parts, entries.filter(isUnmeasured))
    } catch (failure) {
      // Some of them may already be back.
      const missing = wanted.filter(({ record }) => queue.get(record.id) === undefined)
      this.#removals.add(found.removal, missing)
      throw failure
    }
  }

  /** Returns the transfers that are over, after deleting whatever is left of them. */
  async #cleanedUp(ids: TransferSelection): Promise<readonly TransferEntry[]> {
    const { queue, pool } = this.#parts
    const leaving = queue.entriesOf(ids).filter(isOver)
    const failed = leaving.filter(({ state }) => state.status === 'failed')
    await cancel(this.#parts, idsOf(failed))
    await Promise.all(leaving.map(async (entry) => entry.busy))
    // Files that could not be deleted before get another chance, as long as they are known.
    const littered = leaving.filter((entry) => isOver(entry) && hasPartialFile(entry) && this.#cleaning(entry) === null)
    await Promise.all(littered.map((entry) => pool.occupy(entry, () => pool.discard(entry))))
    return leaving
  }

  async #progressOf(entries: readonly TransferEntry[]): Promise<ReadonlyMap<TransferEntry, DurableProgress>> {
    const progress = new Map<TransferEntry, DurableProgress>()
    for (const entry of entries) {
      if (mayHaveProgress(entry.record)) progress.set(entry, await readProgress(this.#parts.deps.checkpoints, entry.id))
    }
    return progress
  }

  /** Removes entries. If they can't be forgotten (a full disk), they come back at once, not only after a restart. */
  async #takeOff(entries: readonly TransferEntry[]): Promise<void> {
    const { deps, queue } = this.#parts
    const ids = idsOf(entries)
    const cleaning = new Map(entries.map((entry) => [entry, this.#cleaning(entry)]))
    // Removed from the list before the records go: nothing must begin one of them anew meanwhile.
    for (const id of ids) queue.remove(id)
    try {
      await deps.checkpoints.remove(idsOf(entries.filter((entry) => cleaning.get(entry) === null)))
    } catch (failure) {
      for (const entry of entries) queue.putBack(entry)
      throw failure
    }
    for (const [{ id }, cleaned] of cleaning) void this.#forgetAfter(cleaned, id)
  }

  /** Forgets a transfer once it is cleaned up: if the process ends before that, the next one has to clean up. */
  async #forgetAfter(cleaned: Promise<void> | null, id: TransferId): Promise<void> {
    if (cleaned === null) return
    await cleaned
    await this.#parts.deps.checkpoints.remove([id]).catch(() => undefined)
  }

  /** Resolves once what a canceled transfer had is gone, which its drive holds up; null if it is, or nothing is. */
  #cleaning(entry: TransferEntry): Promise<void> | null {
    return entry.state.status === 'canceled' ? this.#parts.pool.leftHanging(entry) : null
  }
}

/** Whether a placeholder may have a download's final name. */
function holdsName({ record }: TransferEntry): boolean {
  return record.direction === 'download' && record.publishing?.isPlaceholder === true
}

/**
 * Removes the placeholder under a download's final name: whatever continues its partial file doesn't know of it.
 * @returns whether it is gone.
 */
async function freeName(record: TransferRecord, fileSystem: FileSystem): Promise<boolean> {
  if (record.direction !== 'download') return true
  return removePlaceholder(fileSystem, record.publishing).then(
    () => true,
    () => false,
  )
}

function idsOf(entries: readonly TransferEntry[]): readonly TransferId[] {
  return entries.map(({ id }) => id)
}

function mayHaveProgress(record: TransferRecord): boolean {
  return isBegun(record) || (record.direction === 'upload' && record.uploadId !== null)
}

/** The abort for a begun upload without any part: left open forever, it would only be in the way. */
function dueAbortOfEmpty(record: TransferRecord, progress: DurableProgress | null) {
  const isEmpty = record.direction === 'upload' && (progress === null || progress.parts.length === 0)
  return isEmpty ? dueAbortOf(record) : null
}

/** The record as it was before the transfer was stopped to be taken off. */
function recordToPutBack(record: TransferRecord, progress: DurableProgress | null, wasAtRest: boolean): TransferRecord {
  const anew = dueAbortOfEmpty(record, progress) === null ? {} : { ...recordAnew(record), givenUp: null }
  return { ...record, ...anew, status: wasAtRest ? record.status : 'queued' }
}

function isTaken({ queue }: CommandParts, record: TransferRecord): boolean {
  return record.direction === 'upload' && record.uploadId !== null && queue.isTaken(record.uploadId, null)
}
