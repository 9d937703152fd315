// The only way to remove rows from the list. A removal can be undone, and a message offers that.

import { t } from '../../../shared/language/translate.ts'
import type { TransferId } from '../../../shared/transfer/transfer.ts'
import { request, requestForRows } from '../../bridge.ts'
import { notePendingAction } from '../../state/queue/pending-actions.ts'
import { liveRow } from '../../state/queue/queue-store.ts'
import { shownIds } from '../../state/shown-ids.ts'
import { noteTakenOff } from '../../state/reveal-added.ts'
import { dismissToast, run, showToast } from '../../state/ui/messages.ts'
import { focusRow, noteLeaving } from '../../state/ui/row-selection.ts'
import { uiStore } from '../../state/ui/ui-store.ts'

/** The removal that was asked for last. */
let latest: Promise<void> = Promise.resolve()

/** The key of the message that offers to undo a removal. */
const REMOVED = 'removed'

/**
 * Removes rows from the list without asking. Finished rows are simply removed; what the others have transferred is kept
 * where it is, or discarded.
 */
export function takeOff(ids: readonly TransferId[], fate: 'keep' | 'discard'): void {
  if (ids.length === 0) return
  noteTakenOff(ids)
  const next = rowBeside(ids)
  if (next !== undefined) noteLeaving(ids, next)
  latest = takeOffAndTell(ids, fate)
  run(latest)
}

export function isDone(id: TransferId): boolean {
  const status = liveRow(id)?.status
  return status === 'completed' || status === 'canceled'
}

/** Restores what was removed last, even if its message is gone. */
export function undoRemoval(): void {
  giveBack(null)
  uiStore
    .getState()
    .toasts.filter(({ key }) => key === REMOVED)
    .forEach(dismissToast)
}

async function takeOffAndTell(ids: readonly TransferId[], fate: 'keep' | 'discard'): Promise<void> {
  const removal = crypto.randomUUID()
  const done = ids.filter(isDone)
  const unfinished = ids.filter((id) => !isDone(id))
  const results = await Promise.allSettled([
    goesOff(done, requestForRows('transfers:remove', { ids: done, removal })),
    goesOff(unfinished, fate === 'keep' ? letGo(unfinished, removal) : discard(unfinished, removal)),
  ])
  const count = results.reduce((sum, result) => sum + (result.status === 'fulfilled' ? result.value : 0), 0)
  if (count > 0) {
    const undo = { label: () => t('common.undo'), onPress: () => giveBack(removal) }
    showToast(() => t('commands.remove.removed', { count }), [undo], REMOVED)
  }
  const refused = results.find((result) => result.status === 'rejected')
  if (refused !== undefined) throw refused.reason
}

/** @returns how many were removed. */
async function goesOff({ length }: readonly TransferId[], going: Promise<unknown>): Promise<number> {
  await going
  return length
}

function letGo(ids: readonly TransferId[], removal: string): Promise<void> {
  notePendingAction('let-go', ids)
  return requestForRows('transfers:let-go', { ids, removal })
}

async function discard(ids: readonly TransferId[], removal: string): Promise<void> {
  const next = rowBeside(ids)
  notePendingAction('cancel', ids)
  await requestForRows('transfers:cancel', { ids })
  // Canceled rows are in another group by now, and focus should not follow them there.
  const { focusedId } = uiStore.getState()
  if (next !== undefined && focusedId !== null && ids.includes(focusedId)) focusRow(next)
  await requestForRows('transfers:remove', { ids, removal })
}

/** The row after them in the list, or before them if they are the last. */
function rowBeside(ids: readonly TransferId[]): TransferId | undefined {
  const leaving = new Set(ids)
  const shown = shownIds()
  const last = shown.findLastIndex((id) => leaving.has(id))
  const stays = (id: TransferId): boolean => !leaving.has(id)
  return shown.slice(last + 1).find(stays) ?? shown.slice(0, last + 1).findLast(stays)
}

/** @param removal null for the latest one */
function giveBack(removal: string | null): void {
  run(giveBackOnceOff(removal))
}

/** Rows leave the list before their removal is on the disk, and only then can it be undone. */
async function giveBackOnceOff(removal: string | null): Promise<void> {
  await latest.catch(() => undefined)
  await request('transfers:restore', { removal })
}
