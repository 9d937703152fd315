import { createSystemClock, type RetryContext } from '../engine/index.ts'
import type { CommandConnection } from './connection.ts'
import type { Output } from './output.ts'

/** How requests beside the transfers are repeated: by the same policy, and saying what is waited for. */
export function commandRetryContext(
  signal: AbortSignal,
  output: Output,
  { patience }: Pick<CommandConnection, 'patience'>,
  deps: RetryContext['deps'] = { clock: createSystemClock(), random: Math.random },
): RetryContext {
  const report: RetryContext['report'] = {
    waiting(wait) {
      if (wait !== null) output.waiting(wait)
    },
  }
  return { deps, signal, giveUpAfterMs: patience, report }
}
