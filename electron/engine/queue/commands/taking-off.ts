import { PAUSE_FINISH_MS } from '../../../../shared/limits.ts'
import { isFinal, type TransferId } from '../../../../shared/transfer/transfer.ts'
import { recordAnew } from '../../core/new-records.ts'
import type { TransferRecord } from '../../core/records.ts'
import type { TransferSelection } from '../../core/requests.ts'
import { removePlaceholder } from '../../partial-file/placeholder.ts'
import { hasPartialFile, isBegun, isOver, type TransferEntry } from '../../transfer/transfer-entry.ts'
import { isUnmeasured } from '../rows/source-sizes.ts'
import { abandon, dueAbortOf } from '../runs/discarding.ts'
import { addRecords, measure } from './adding.ts'
import { claimsOf, putClaims, type Claims } from './claims.ts'
import type { CommandParts } from './command-parts.ts'
import { Removals } from './removals.ts'
import { cancel, pause } from './stop-and-go.ts'

/** What is stopped has ended by then, unless its drive hangs (milliseconds). */
const STOPS_WITHIN_MS = 1500

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
    await this.#takeOff(gone)
    const taken = gone.map(({ id, record }) => ({ record, history: histories.get(id), claims: null }))
    this.#removals.add(removal, taken)
  }

  /** Does the same, but nothing can be put back. */
  async clear(ids: TransferSelection): Promise<void> {
    const leaving = await this.#cleanedUp(ids)
    await this.#takeOff(leaving.filter(isOver))
  }

  /**
   * Takes off unfinished transfers, and leaves what they have transferred where it is. Each goes once it has stopped:
   * one whose drive doesn't respond holds up none of the others.
   */
  async letGo(ids: TransferSelection, removal = this.#parts.deps.uuid()): Promise<void> {
    const leaving = this.#parts.queue.entriesOf(ids).filter(({ state }) => !isFinal(state.status))
    const atRest = new Set(leaving.filter(({ state }) => ['paused', 'failed'].includes(state.status)))
    const unfinished = leaving.filter((entry) => !isOver(entry))
    const busy = leaving.filter((entry) => entry.busy !== null)
    // Both at once: none may start in place of one that stops.
    const stopping = pause(this.#parts, idsOf(unfinished.filter((entry) => entry.busy !== null)), 'paused')
    const resting = pause(this.#parts, idsOf(unfinished.filter((entry) => entry.busy === null)), 'paused')
    await this.#soon(Promise.all([stopping, ...busy.map(async (entry) => entry.busy)]))
    await resting
    const late = busy.filter((entry) => entry.busy !== null)
    const isLate = new Set(late)
    await this.#letGoStopped(
      leaving.filter((entry) => !isLate.has(entry)),
      atRest,
      removal,
    )
    await Promise.all([
      stopping,
      ...late.map(async (entry) => {
        await entry.busy
        await this.#letGoStopped([entry], atRest, removal)
      }),
    ])
  }

  /** Settles as `work` does, or resolves once all that doesn't hang must have stopped. */
  async #soon(work: Promise<unknown>): Promise<void> {
    const over = new AbortController()
    const { clock } = this.#parts.deps
    const late = clock.sleep(PAUSE_FINISH_MS + STOPS_WITHIN_MS, over.signal).catch(() => undefined)
    await Promise.race([work, late]).finally(() => over.abort())
  }

  async #letGoStopped(
    leaving: readonly TransferEntry[],
    atRest: ReadonlySet<TransferEntry>,
    removal: string,
  ): Promise<void> {
    const { queue } = this.#parts
    const claims = await this.#claimsOf(leaving)
    const histories = await queue.histories.take(leaving)
    // Transfers that were resumed or finished meanwhile stay.
    const gone = leaving.filter(({ state, busy }) => busy === null && ['paused', 'failed'].includes(state.status))
    const taken = gone.map((entry) => ({
      record: recordToPutBack(entry.record, claims.get(entry) ?? null, atRest.has(entry)),
      history: histories.get(entry.id),
      claims: claims.get(entry) ?? null,
    }))
    // In one commit with the removal: after a stop in between nothing would know of these uploads.
    const aborted = gone.flatMap((entry) => {
      const due = dueAbortOfEmpty(entry.record, claims.get(entry) ?? null)
      return due === null ? [] : abandon(this.#parts, entry, due)
    })
    const { fileSystem } = this.#parts.deps
    // Whatever continues a partial file doesn't know of the placeholder under its final name.
    const held = gone.flatMap(({ record }) => (record.direction === 'download' ? [record.publishing] : []))
    const freed = held.map((publishing) => removePlaceholder(fileSystem, publishing).catch(() => undefined))
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
      for (const { record, claims } of wanted) if (claims !== null) await putClaims(deps.checkpoints, record.id, claims)
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
    const littered = leaving.filter((entry) => isOver(entry) && hasPartialFile(entry))
    await Promise.all(littered.map((entry) => pool.occupy(entry, () => pool.discard(entry))))
    return leaving
  }

  async #claimsOf(entries: readonly TransferEntry[]): Promise<ReadonlyMap<TransferEntry, Claims>> {
    const claims = new Map<TransferEntry, Claims>()
    for (const entry of entries) {
      if (hasClaims(entry.record)) claims.set(entry, await claimsOf(this.#parts.deps.checkpoints, entry.id))
    }
    return claims
  }

  /** Removes entries. If they can't be forgotten (a full disk), they come back at once, not only after a restart. */
  async #takeOff(entries: readonly TransferEntry[]): Promise<void> {
    const { deps, queue } = this.#parts
    const ids = idsOf(entries)
    // Removed from the list before the records go: nothing must begin one of them anew meanwhile.
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

function hasClaims(record: TransferRecord): boolean {
  return isBegun(record) || (record.direction === 'upload' && record.uploadId !== null)
}

/** The abort for a begun upload without any part: left open forever, it would only be in the way. */
function dueAbortOfEmpty(record: TransferRecord, claims: Claims | null) {
  const isEmpty = record.direction === 'upload' && (claims === null || claims.parts.length === 0)
  return isEmpty ? dueAbortOf(record) : null
}

/** The record as it was before the transfer was stopped to be taken off. */
function recordToPutBack(record: TransferRecord, claims: Claims | null, wasAtRest: boolean): TransferRecord {
  const anew = dueAbortOfEmpty(record, claims) === null ? {} : { ...recordAnew(record), givenUp: null }
  return { ...record, ...anew, status: wasAtRest ? record.status : 'queued' }
}

function isTaken({ queue }: CommandParts, record: TransferRecord): boolean {
  return record.direction === 'upload' && record.uploadId !== null && queue.isTaken(record.uploadId, null)
}
