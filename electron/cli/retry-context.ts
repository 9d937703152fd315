// How commands try again, and what they print while they wait.

import type { TransferRow, WaitState } from '../../shared/transfer/transfer.ts'
import { createSystemClock, type RetryContext } from '../engine/index.ts'
import type { CommandConnection } from './connection.ts'
import type { Output } from './output.ts'

/** How requests beside the transfers are repeated: by the same policy, and saying what is waited for. */
export function commandRetryContext(
  signal: AbortSignal,
  output: Output,
  { giveUpAfter }: Pick<CommandConnection, 'giveUpAfter'>,
  deps: RetryContext['deps'] = { clock: createSystemClock(), random: Math.random },
): RetryContext {
  const report: RetryContext['report'] = {
    waiting(wait) {
      if (wait !== null) output.waiting(wait)
    },
  }
  return { deps, signal, giveUpAfterMs: giveUpAfter, report }
}

/** Says of each transfer that it is shown why it waits: every try once. A new cause is news, the same one is not. */
export function createWaitNotes(output: Output): (row: TransferRow) => void {
  const said = new Map<string, WaitState>()
  return ({ id, wait }) => {
    if (wait === null || said.get(id) === wait) return
    said.set(id, wait)
    output.waiting(wait)
  }
}
