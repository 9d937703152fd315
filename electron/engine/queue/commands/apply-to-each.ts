import type { Milestone } from '../../../../shared/transfer/milestones.ts'
import { batches } from '../../async/batches.ts'
import { thrownBy } from '../../async/thrown-by.ts'
import type { TransferSelection } from '../../core/requests.ts'
import type { TransferEntry } from '../../transfer/transfer-entry.ts'
import type { CommandParts } from './command-parts.ts'

/** The milestone in the history for each thing that a person asks for. */
export const ASKED = {
  pause: 'paused',
  resume: 'resumed',
  retry: 'retried',
  'start-over': 'started-over',
  cancel: 'canceled',
} as const satisfies Readonly<Record<string, Milestone>>

/** What a person asks of existing transfers. */
type AskedEvent = { readonly kind: keyof typeof ASKED }

/**
 * Applies `event` at once to every transfer that it applies to, then does what follows: at once for running transfers,
 * bit by bit for the others, because a command for 100,000 rows must not block the window.
 */
export async function applyToEach(
  { queue, pool, onDone }: CommandParts,
  ids: TransferSelection,
  event: AskedEvent,
  follow: (entry: TransferEntry) => Promise<void>,
  milestone: Milestone = ASKED[event.kind],
): Promise<void> {
  const entries = queue.select(ids, event)
  for (const entry of entries) queue.histories.of(entry).mark(milestone)
  const states = new Map(entries.map((entry) => [entry, queue.transition(entry, event)]))
  const running = entries.filter((entry) => entry.controller !== null)
  const failing = [thrownBy(running.map(follow))]
  for (const some of batches(entries.filter((entry) => entry.controller === null))) {
    // Another command may have overtaken this one; that one then does what follows.
    const following = thrownBy(some.filter((entry) => entry.state === states.get(entry)).map(follow))
    failing.push(following)
    await following
    pool.pump()
  }
  const failures = (await Promise.all(failing)).flat()
  pool.pump()
  onDone()
  // A failure to write one down is thrown once all are done.
  if (failures.length > 0) throw failures[0]
}
