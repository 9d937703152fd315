import type { TransferId } from '../../../shared/transfer/transfer.ts'
import { requestForRows } from '../../bridge.ts'
import { notePendingAction } from '../../state/queue/pending-actions.ts'
import { run } from '../../state/ui/messages.ts'

/** What main does with rows, and nothing is asked before. None of it takes a row off the list: that is `takeOff`. */
export type SentAction = 'pause' | 'resume' | 'retry' | 'start-over' | 'cancel' | 'start-now'

/** No status is guessed in advance: the delta comes back within a frame. A refused request becomes a notice. */
export function sendAction(action: SentAction, ids: readonly TransferId[]): void {
  notePendingAction(action, ids)
  // What is started goes before all others: of several requests the last one is first in line.
  run(requestForRows(`transfers:${action}`, { ids: action === 'start-now' ? ids.toReversed() : ids }))
}
