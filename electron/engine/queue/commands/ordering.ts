// Commands that decide which transfers come first.

import { MAX_AT_A_TIME } from '../../../../shared/limits.ts'
import type { TransferId } from '../../../../shared/transfer/transfer.ts'
import { batches } from '../../async/batches.ts'
import type { TransferSelection } from '../../core/requests.ts'
import { isOver, mayStart, type TransferEntry } from '../../transfer/transfer-entry.ts'
import { ASKED } from './apply-to-each.ts'
import type { CommandParts } from './command-parts.ts'
import { reorder } from './reorder.ts'

/** Moves transfers together right before another one, or to the end if that is null. */
export async function move(parts: CommandParts, ids: readonly TransferId[], before: TransferId | null): Promise<void> {
  await moveTo(parts, reorder(parts.queue.inOrder(), new Set(ids), before))
  parts.pool.pump()
}

/**
 * The most transfers that one command starts at once: as many as the settings allow at a time. A whole long list would
 * need more files and connections than a process may have open.
 */
const STARTS_AT_ONCE = MAX_AT_A_TIME

/** Starts queued and paused transfers, up to 16 however many run. All others are first in line, in their order. */
export async function startNow(parts: CommandParts, ids: TransferSelection): Promise<void> {
  const { queue, pool } = parts
  const asked = new Set(queue.entriesOf(ids).filter(mayStart))
  const inOrder = queue.inOrder()
  const chosen = inOrder.filter((entry) => asked.has(entry))
  const first = inOrder.find((entry) => !asked.has(entry) && !isOver(entry))
  // Those that can't start at once, and after a restart all of them, are first in line.
  const moved = moveTo(parts, reorder(inOrder, new Set(chosen.map(({ id }) => id)), first?.id ?? null))
  for (const entry of chosen) {
    if (entry.state.status === 'queued') continue
    queue.transition(entry, { kind: 'resume' })
    queue.histories.of(entry).mark(ASKED.resume)
  }
  for (const entry of chosen.slice(0, STARTS_AT_ONCE)) pool.startNow(entry)
  await Promise.all([moved, keepStates(parts, chosen)])
  pool.pump()
}

async function keepStates({ queue }: CommandParts, entries: readonly TransferEntry[]): Promise<void> {
  for (const some of batches(entries)) await Promise.all(some.map((entry) => queue.change(entry)))
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
