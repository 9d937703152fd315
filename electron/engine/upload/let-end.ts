import type { RunContext } from '../core/run.ts'
import type { Sending } from '../core/upload-line.ts'

/**
 * Whether a body will have ended in `ms` milliseconds. `sending` is null if its turn has not come. One whose file has
 * long given nothing won't. Pure.
 */
export function endsWithin(sending: Sending | null, ms: number): boolean {
  // A body whose time can't be told gets the time that there is.
  return sending !== null && !sending.isOver && !sending.isStarved && (sending.leftMs ?? 0) <= ms
}

/**
 * Makes one request of a run. A wind-down of the run lets the request end if it will in time. Throws what it throws.
 */
export async function letEnd<Answer>(
  { windDown, report, deps, signal }: Pick<RunContext<never>, 'windDown' | 'report' | 'deps' | 'signal'>,
  request: (onBegun: (sending: Sending) => void) => Promise<Answer>,
): Promise<Answer> {
  const latest: { sending: Sending | null } = { sending: null }
  const answering = request((sending) => (latest.sending = sending))
  const over = answering.then(
    () => undefined,
    () => undefined,
  )
  const leave = windDown.onWindDown((deadlineMs) => {
    if (!endsWithin(latest.sending, deadlineMs - deps.clock.monotonicMs())) return null
    report.finishing(1)
    return over.finally(() => report.finishing(null))
  })
  try {
    return await answering
  } catch (failure) {
    if (signal.aborted && latest.sending !== null) report.dropped(latest.sending.handedBytes)
    throw failure
  } finally {
    leave()
  }
}
