// Remembers why this window asked a transfer to stop, until it has stopped.

import type { TransferId } from '../../../shared/transfer/transfer.ts'
import { liveRow } from './queue-store.ts'
import type { RowAction } from './row-actions.ts'

/**
 * What was last asked of a transfer that has to stop for it. Main says `pausing` until the transfer has stopped, and
 * only the one who asked knows that it won't stay paused: "keeping parts" would be untrue of a cancel.
 */
const pendingActions = new Map<TransferId, RowAction>()

export function notePendingAction(action: RowAction, ids: readonly TransferId[]): void {
  for (const id of ids) pendingActions.set(id, action)
}

/** The action that a pausing transfer stops for; null when it was not this window's. */
export function stoppingFor(id: TransferId): 'cancel' | 'start-over' | 'resume' | null {
  const action = liveRow(id)?.status === 'pausing' ? pendingActions.get(id) : null
  return action === 'cancel' || action === 'start-over' || action === 'resume' ? action : null
}

/** Rows left the list. */
export function forgetPendingActions(ids: readonly TransferId[]): void {
  for (const id of ids) pendingActions.delete(id)
}
