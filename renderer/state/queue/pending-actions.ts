// Remembers why this window asked a transfer to stop, until it has stopped.

import type { TransferId, TransferStatus } from '../../../shared/transfer/transfer.ts'
import type { StatusChange } from './apply-delta.ts'
import { liveRow, onRowChanges, onStatusChanges } from './queue-store.ts'
import type { RowAction } from './row-actions.ts'

/**
 * What was last asked of a transfer that has to stop for it. Main says `pausing` until the transfer has stopped, and
 * only the one who asked knows that it won't stay paused: "keeping parts" would be untrue of a cancel.
 */
const pendingActions = new Map<TransferId, RowAction>()

export function notePendingAction(action: RowAction, ids: readonly TransferId[]): void {
  for (const id of ids) pendingActions.set(id, action)
}

/** Ends what was asked once it was seen: a later pause, of all or of the command line, was asked for otherwise. */
export function connectPendingActions(): void {
  onStatusChanges((changes) => {
    for (const change of changes) if (!isBeforeStop(change)) pendingActions.delete(change.id)
  })
  onRowChanges((changes) => {
    if (changes !== 'all') return
    for (const id of pendingActions.keys()) if (liveRow(id)?.status !== 'pausing') pendingActions.delete(id)
  })
}

/** What a transfer does while main has yet to hear of what was asked. */
const MOVES: ReadonlySet<TransferStatus> = new Set(['transferring', 'waiting', 'verifying', 'completing'])

/** Whether it has not stopped yet. One that starts again has, even where nothing was told of the states between. */
function isBeforeStop({ from, to }: StatusChange): boolean {
  return to === 'pausing' || (MOVES.has(to) && (MOVES.has(from) || from === 'preparing'))
}

/** What a transfer stops for that won't stay paused. */
const STOPS = ['cancel', 'let-go', 'resume', 'start-over'] as const satisfies readonly RowAction[]

/** The action that a pausing transfer stops for; null when it was not this window's. */
export function stoppingFor(id: TransferId): (typeof STOPS)[number] | null {
  if (liveRow(id)?.status !== 'pausing') return null
  return STOPS.find((action) => action === pendingActions.get(id)) ?? null
}

/** Rows left the list. */
export function forgetPendingActions(ids: readonly TransferId[]): void {
  for (const id of ids) pendingActions.delete(id)
}
