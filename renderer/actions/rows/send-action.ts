import type { TransferId } from '../../../shared/transfer/transfer.ts'
import { requestForRows } from '../../bridge.ts'
import { notePendingAction } from '../../state/queue/pending-actions.ts'
import { run } from '../../state/ui/messages.ts'

/** Actions on rows that main carries out without a question. None removes a row from the list; `takeOff` does that. */
export type SentAction = 'pause' | 'resume' | 'retry' | 'start-over' | 'cancel' | 'start-now'

/** Doesn't change the row's status in advance, as the delta arrives within a frame. A refusal becomes a notice. */
export function sendAction(action: SentAction, ids: readonly TransferId[]): void {
  notePendingAction(action, ids)
  // Started rows move to the front of the queue one by one, so the last one ends up first.
  run(requestForRows(`transfers:${action}`, { ids: action === 'start-now' ? ids.toReversed() : ids }))
}
