import type { TransferRow } from '../../../shared/transfer/transfer.ts'
import { stateUnwritable, stopped, volumeUnwritable } from '../command-error.ts'
import { sayPlan, saySkipped } from '../folder-output.ts'
import { createWaitNotes } from '../retry-context.ts'
import { reportOutcomes } from './outcomes.ts'
import type { Session } from './session.ts'
import { stopTransfers } from './stop-transfers.ts'

/** How often the command checks on its transfers, milliseconds. */
const LOOK_INTERVAL_MS = 50

/**
 * Waits until all transfers have ended, showing progress, and prints one result for each. Throws CommandError for the
 * first that failed, with exit status 3 when stopped by a signal or by a volume that is full or read-only.
 */
export async function finishTransfers(session: Session): Promise<void> {
  await followTransfers(session)
  const outdated = outdatedOf(session)
  if (outdated.length > 0) {
    await session.engine.startOver(outdated)
    await followTransfers(session)
  }
  await reportOutcomes(session, session.engine.snapshot().rows)
}

/** Transfers of an earlier run whose source has changed since. This run is to send the file as it is now. */
function outdatedOf({ engine, earlier }: Session): readonly string[] {
  const begunEarlier = new Set(earlier.map(({ id }) => id))
  const rows = engine
    .snapshot()
    .rows.filter(({ id, error }) => begunEarlier.has(id) && error?.code === 'source-changed')
  return rows.map(({ id }) => id)
}

async function followTransfers(session: Session): Promise<void> {
  const { engine, output, signal } = session
  const planned = new Set<string>()
  const sayWhole = (row: TransferRow): void => {
    if (!sayPlan(output, row)) return
    planned.add(row.id)
    saySkipped(engine, output, row)
  }
  const sayWaits = createWaitNotes(output)
  const idle = engine.idle().then(() => 'idle' as const)
  for (;;) {
    const ended = await Promise.race([
      idle,
      session.deps.clock.sleep(LOOK_INTERVAL_MS, signal).then(
        () => 'look' as const,
        () => 'stop' as const,
      ),
    ])
    const rows = engine.snapshot().rows
    for (const row of rows) if (!planned.has(row.id)) sayWhole(row)
    if (ended === 'idle') break
    if (ended === 'stop') {
      await stopTransfers({ ...session, clock: session.deps.clock })
      throw stopped()
    }
    for (const row of rows) {
      if (row.wait?.reason === 'state-unwritable') throw stateUnwritable(session.stateFolder, row.confirmedBytes)
      const unwritable = row.wait === null ? null : volumeUnwritable(row.wait, row)
      if (unwritable !== null) throw unwritable
    }
    // Transfers whose source is gone are not waited for: a person may never bring it back. The others go on.
    const gone = rows.filter(({ wait }) => wait?.reason === 'source-missing').map(({ id }) => id)
    if (gone.length > 0) await engine.pause(gone)
    for (const row of rows) sayWaits(row)
    output.progress(rows.filter((row) => row.status !== 'completed'))
  }
  output.endProgress()
}
