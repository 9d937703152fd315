// What of a transfer's state is kept on disk, and the state that it gives back.

import type { TransferRecord } from '../core/records.ts'
import { givenUpOf, type TransferState } from './transfer-state.ts'

type DurableState = Pick<TransferRecord, 'status' | 'givenUp'>

/** The state with which a transfer is loaded. One that ran when the process ended continues by itself. Pure. */
export function stateOf({ status, givenUp = null }: DurableState): TransferState {
  switch (status) {
    case 'queued':
    case 'paused':
      return { status, givenUp }
    case 'running':
      return { status: 'queued', givenUp }
    case 'completed':
    case 'failed':
    case 'canceled':
      return { status }
  }
}

/** What to keep: where the transfer will be once everything asked for has happened. Pure. */
export function durableOf(state: TransferState): DurableState {
  return { status: durableStatus(state), givenUp: givenUpOf(state) }
}

function durableStatus(state: TransferState): DurableState['status'] {
  switch (state.status) {
    case 'preparing':
    case 'transferring':
    case 'waiting':
    case 'verifying':
    case 'completing':
      return 'running'
    case 'pausing':
      // `canceled` is written only after the transferred bytes are discarded, or a crash would leave them for good.
      return state.afterStop.status === 'canceled' ? 'running' : state.afterStop.status
    default:
      return state.status
  }
}
