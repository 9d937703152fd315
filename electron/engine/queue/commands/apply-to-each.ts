import type { Milestone } from '../../../../shared/transfer/milestones.ts'
import { batches } from '../../async/batches.ts'
import { thrownBy } from '../../async/thrown-by.ts'
import type { TransferSelection } from '../../core/requests.ts'
import type { TransferEntry } from '../../transfer/transfer-entry.ts'
import type { CommandParts } from './command-parts.ts'

/** What the history says of what a person asks for. */
export const ASKED = {
  pause: 'paused',
  resume: 'resumed',
  retry: 'retried',
  startOver: 'started-over',
  cancel: 'canceled',
} as const satisfies Readonly<Record<string, Milestone>>

/** What a person asks of transfers that are there. */
type AskedEvent = { readonly kind: keyof typeof ASKED }

/**
 * Applies `event` to every transfer it applies to at once, then does what follows from it: at once for what runs,
 * bit by bit for the rest, so that a command for 100,000 rows does not stop the window.
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
    // Another command may have overtaken this one; then it also does what follows.
    const following = thrownBy(some.filter((entry) => entry.state === states.get(entry)).map(follow))
    failing.push(following)
    await following
    pool.pump()
  }
  const failures = (await Promise.all(failing)).flat()
  pool.pump()
  onDone()
  // One that can't be written down is told once all are done.
  if (failures.length > 0) throw failures[0]
}
