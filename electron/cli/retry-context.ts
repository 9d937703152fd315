// How commands retry, and what they print while they wait.

import type { TransferRow, WaitState } from '../../shared/transfer/transfer.ts'
import { createSystemClock, type RetryContext } from '../engine/index.ts'
import type { CommandConnection } from './connection.ts'
import type { Output } from './output.ts'

/** How requests outside transfers are retried: by the same policy, printing what they wait for. */
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

/** Prints why a transfer waits, once for each try. `Output.waiting` leaves out a cause that it has just printed. */
export function createWaitNotes(output: Output): (row: TransferRow) => void {
  const said = new Map<string, WaitState>()
  return ({ id, wait }) => {
    if (wait === null || said.get(id) === wait) return
    said.set(id, wait)
    output.waiting(wait)
  }
}
