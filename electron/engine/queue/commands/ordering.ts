// Which of the transfers come first.

import type { TransferId } from '../../../../shared/transfer/transfer.ts'
import { batches } from '../../async/batches.ts'
import type { TransferSelection } from '../../core/requests.ts'
import { isOver, mayStart } from '../../transfer/transfer-entry.ts'
import { ASKED } from './apply-to-each.ts'
import type { CommandParts } from './command-parts.ts'
import { reorder } from './reorder.ts'

/** Brings transfers together right before another one, or to the end where that is null. */
export async function move(parts: CommandParts, ids: readonly TransferId[], before: TransferId | null): Promise<void> {
  await moveTo(parts, reorder(parts.queue.inOrder(), new Set(ids), before))
  parts.pool.pump()
}

/** Starts queued and paused transfers, however many run; what can't start at once is first in line. */
export async function startNow(parts: CommandParts, ids: TransferSelection): Promise<void> {
  const { queue, pool } = parts
  const chosen = queue.entriesOf(ids).filter(mayStart)
  const first = queue.inOrder().find((entry) => !chosen.includes(entry) && !isOver(entry))
  // What can't start at once, and all of it after a restart, is first in line.
  const moved = moveTo(parts, reorder(queue.inOrder(), new Set(chosen.map(({ id }) => id)), first?.id ?? null))
  for (const entry of chosen) {
    if (entry.state.status !== 'queued') {
      queue.transition(entry, { kind: 'resume' })
      queue.histories.of(entry).mark(ASKED.resume)
    }
    pool.startNow(entry)
  }
  await Promise.all([moved, ...chosen.map((entry) => queue.change(entry))])
  pool.pump()
}

async function moveTo({ queue }: CommandParts, positions: ReadonlyMap<TransferId, number>): Promise<void> {
  for (const some of batches([...positions])) {
    await Promise.all(
      some.map(async ([id, position]) => {
        const entry = queue.get(id)
        if (entry !== undefined) await queue.moveTo(entry, position)
      }),
    )
  }
}
