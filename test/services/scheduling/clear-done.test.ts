import { expect, it } from 'vitest'
import { createClearing } from '../../../electron/services/scheduling/clear-done.ts'
import type { ClearsDone } from '../../../shared/settings.ts'
import type { TransferRow } from '../../../shared/transfer/transfer.ts'
import { queueTotals, transferRow } from '../../support/fakes/transfer-rows.ts'

const DAY_MS = 86_400_000
const NOW_MS = 100 * DAY_MS

const ended = (id: string, status: TransferRow['status'], daysAgo: number): TransferRow =>
  transferRow({ id, status, finishedAtMs: NOW_MS - daysAgo * DAY_MS })

const ROWS = [
  ended('new', 'completed', 0.5),
  ended('older', 'completed', 2),
  ended('oldest', 'completed', 8),
  ended('canceled', 'canceled', 8),
  ended('failed', 'failed', 30),
  transferRow({ id: 'running', status: 'transferring', finishedAtMs: null }),
]

async function cleared(wanted: ClearsDone): Promise<{ readonly now: readonly string[]; readonly atClose: unknown }> {
  const removed: string[][] = []
  const engine = {
    snapshot: () => ({ seq: 0, rows: ROWS, totals: queueTotals() }),
    clear: (ids: readonly string[] | 'all') => {
      removed.push([...ids])
      return Promise.resolve()
    },
  }
  const clearing = createClearing(
    engine,
    () => wanted,
    () => NOW_MS,
  )
  await clearing.clear()
  const now = removed.flat()
  await clearing.close()
  return { now, atClose: removed.flat().slice(now.length) }
}

it('takes finished rows off as the settings say, and nothing that a person still has to decide about', async () => {
  const all = ['new', 'older', 'oldest', 'canceled']
  expect(await cleared('never')).toEqual({ now: [], atClose: [] })
  expect(await cleared('day')).toEqual({ now: ['older', 'oldest', 'canceled'], atClose: [] })
  expect(await cleared('week')).toEqual({ now: ['oldest', 'canceled'], atClose: [] })
  expect(await cleared('closing')).toEqual({ now: [], atClose: all })
})
