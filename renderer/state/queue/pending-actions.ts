// Remembers why this window asked a transfer to stop, until it has stopped.

import type { TransferId, TransferStatus } from '../../../shared/transfer/transfer.ts'
import type { StatusChange } from './apply-delta.ts'
import { liveRow, onRowChanges, onStatusChanges } from './queue-store.ts'
import type { LetGo, RowAction } from './row-actions.ts'

/**
 * The last action requested of a transfer that has to stop for it. Until the transfer has stopped, main says `pausing`,
 * and only this window knows that it won't stay paused: "keeping parts" would be untrue for a cancel.
 */
const pendingActions = new Map<TransferId, RowAction | LetGo>()

export function notePendingAction(action: RowAction | LetGo, ids: readonly TransferId[]): void {
  for (const id of ids) pendingActions.set(id, action)
}

/** Forgets an action once it has taken effect: a later pause, such as one of all transfers, has another cause. */
export function connectPendingActions(): void {
  onStatusChanges((changes) => {
    for (const change of changes) if (!isBeforeStop(change)) pendingActions.delete(change.id)
  })
  onRowChanges((changes) => {
    if (changes !== 'all') return
    for (const id of pendingActions.keys()) if (liveRow(id)?.status !== 'pausing') pendingActions.delete(id)
  })
}

/** States of a transfer while main has yet to receive the request. */
const MOVES: ReadonlySet<TransferStatus> = new Set(['transferring', 'waiting', 'verifying', 'completing'])

/** Whether a transfer has not stopped yet. One that starts again has, even if no state in between was reported. */
function isBeforeStop({ from, to }: StatusChange): boolean {
  return to === 'pausing' || (MOVES.has(to) && (MOVES.has(from) || from === 'preparing'))
}

/** The actions for which a transfer stops without staying paused. */
const STOPS = ['cancel', 'let-go', 'resume', 'start-over'] as const satisfies readonly (RowAction | LetGo)[]

/** The action for which a pausing transfer stops; null when it was not requested by this window. */
export function stoppingFor(id: TransferId): (typeof STOPS)[number] | null {
  if (liveRow(id)?.status !== 'pausing') return null
  return STOPS.find((action) => action === pendingActions.get(id)) ?? null
}

/** Forgets the actions of rows that left the list. */
export function forgetPendingActions(ids: readonly TransferId[]): void {
  for (const id of ids) pendingActions.delete(id)
}
