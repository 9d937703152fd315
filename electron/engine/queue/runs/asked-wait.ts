import { RETRY_AFTER_CAP_MS } from '../../../../shared/limits.ts'
import type { Clock } from '../../core/deps.ts'
import type { RunReporter } from '../../core/run.ts'

/**
 * Waits until `retryAtMs`, the time that the server named to an earlier run (epoch milliseconds; null if none). Never
 * waits longer than a server may ask, even if the clock was set back. Rejects with `signal.reason` when aborted.
 */
export async function waitAsAsked(
  retryAtMs: number | null,
  clock: Clock,
  signal: AbortSignal,
  report: Pick<RunReporter, 'waiting'>,
): Promise<void> {
  signal.throwIfAborted()
  if (retryAtMs === null) return
  const nowMs = clock.nowMs()
  const delayMs = Math.min(RETRY_AFTER_CAP_MS, retryAtMs - nowMs)
  if (delayMs <= 0) return
  report.waiting({ reason: 'server-busy', retryAtMs: nowMs + delayMs, attempt: 1 })
  await clock.sleep(delayMs, signal)
  report.waiting(null)
}
