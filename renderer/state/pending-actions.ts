import type { TransferId } from '../../shared/transfer/transfer.ts'
import { liveRow } from './queue-store.ts'
import type { RowAction } from './row-actions.ts'

/**
 * What was last asked of a transfer that has to stop for it. Main says `pausing` until the transfer has stopped, and
 * only the one who asked knows that it won't stay paused: "keeping parts" would be untrue of a cancel.
 */
const wishes = new Map<TransferId, RowAction>()

export function noteWish(action: RowAction, ids: readonly TransferId[]): void {
  for (const id of ids) wishes.set(id, action)
}

/** The wish that a pausing transfer stops for; null when it was not this window's. */
export function stoppingFor(id: TransferId): 'cancel' | 'start-over' | 'resume' | null {
  const wish = liveRow(id)?.status === 'pausing' ? wishes.get(id) : null
  return wish === 'cancel' || wish === 'start-over' || wish === 'resume' ? wish : null
}

/** Rows left the list. */
export function forgetWishes(ids: readonly TransferId[]): void {
  for (const id of ids) wishes.delete(id)
}
