// Commands that stop transfers or let them go on. Ids that a command doesn't apply to are left as they are.

import { PAUSE_FINISH_MS } from '../../../../shared/limits.ts'
import type { PauseCause, ResumeCause, RetryCause } from '../../../../shared/transfer/milestones.ts'
import type { TransferSelection } from '../../core/requests.ts'
import { isOutcomeUnknown } from '../../transfer/settled-outcome.ts'
import { isBegun, isPausing, type TransferEntry } from '../../transfer/transfer-entry.ts'
import { applyToEach } from './apply-to-each.ts'
import type { CommandParts } from './command-parts.ts'

/** Pauses transfers. Resolves when they have stopped, which may take PAUSE_FINISH_MS. */
export async function pause(parts: CommandParts, ids: TransferSelection, cause: PauseCause): Promise<void> {
  const { queue, pool } = parts
  const event = { kind: 'pause' } as const
  // A second pause, while all of them are only finishing what can end soon, stops them at once.
  const finishMs = queue.select(ids, event).every(isPausing) ? 0 : PAUSE_FINISH_MS
  const stop = async (entry: TransferEntry): Promise<void> => {
    await Promise.all([queue.change(entry), pool.stop(entry, 'pause', finishMs)])
  }
  await applyToEach(parts, ids, event, stop, cause)
}

/** Puts paused transfers in line again. */
export function resume(parts: CommandParts, ids: TransferSelection, cause: ResumeCause): Promise<void> {
  return applyToEach(parts, ids, { kind: 'resume' }, (entry) => parts.queue.change(entry), cause)
}

/** Continues failed transfers, and ends the waits of waiting ones. */
export async function retry(parts: CommandParts, ids: TransferSelection, cause: RetryCause): Promise<void> {
  for (const entry of parts.queue.entriesOf(ids)) entry.retried = null
  await retryChosen(parts, ids, cause)
}

/** Does the same, but tries only those files of a folder again that were chosen for it. */
export async function retryChosen(parts: CommandParts, ids: TransferSelection, cause: RetryCause): Promise<void> {
  const goOn = async (entry: TransferEntry): Promise<void> => {
    // A wait ends with its run, and the next run begins at once.
    entry.controller?.abort('pause')
    await parts.queue.change(entry, { error: null, finishedAtMs: null, retryAtMs: null })
  }
  await applyToEach(parts, ids, { kind: 'retry' }, goOn, cause)
}

/** Starts transfers over from the file or object as it is now. */
export async function startOver(parts: CommandParts, ids: TransferSelection): Promise<void> {
  await applyToEach(parts, ids, { kind: 'start-over' }, (entry) => parts.pool.startOver(entry))
}

/** Stops transfers for good and discards them. If an upload may have become an object, that is found out first. */
export async function cancel(parts: CommandParts, ids: TransferSelection): Promise<void> {
  const { queue, pool } = parts
  const event = { kind: 'cancel' } as const
  const unknown = queue.select(ids, event).filter((entry) => !entry.controller && isOutcomeUnknown(entry.record))
  const foundOut = unknown.map((entry) => pool.findOutAndCancel(entry))
  await applyToEach(parts, ids, event, (entry) =>
    entry.controller === null ? finishCancel(parts, entry) : pool.cancel(entry),
  )
  await Promise.all(foundOut)
}

/** Discards what a canceled transfer that has no run left behind. Never rejects. */
export function finishCancel({ deps, queue, pool }: CommandParts, entry: TransferEntry): Promise<void> {
  return pool.occupy(entry, async () => {
    // Without this mark it would begin anew after a kill in between, as it does if the mark can't be written.
    if (isBegun(entry.record)) await queue.checkpoints.update(entry.id, { givenUp: 'cancel' }).catch(() => undefined)
    await pool.discardCanceled(entry, { finishedAtMs: deps.clock.nowMs() })
  })
}
