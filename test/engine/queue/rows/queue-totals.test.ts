import { expect, it } from 'vitest'
import { createTotalsKeeper } from '../../../../electron/engine/queue/rows/queue-totals.ts'
import { NO_LIMITS } from '../../../../shared/settings.ts'
import { withinLimits } from '../../../../shared/within-limits.ts'
import { transferRow } from '../../../support/fakes/transfer-rows.ts'

it('counts what is paused apart from what goes on by itself, and leaves it out of the time', () => {
  const totals = createTotalsKeeper()
  totals.replace(null, transferRow({ id: 'a', status: 'paused', sizeBytes: 900 }))
  totals.replace(null, transferRow({ id: 'b', status: 'queued', sizeBytes: 50 }))
  totals.replace(
    null,
    transferRow({ id: 'c', status: 'transferring', sizeBytes: 50, bytesPerSecond: 10, etaSeconds: 5 }),
  )
  expect(totals.totals()).toMatchObject({
    counts: { all: 3, active: 1, waiting: 1, paused: 1, attention: 0, done: 0 },
    remainingBytes: 1000,
    pausedBytes: 900,
    etaSeconds: 10,
  })
})

it('shows no rate above a limit', () => {
  const totals = createTotalsKeeper()
  totals.replace(
    null,
    transferRow({ id: 'a', status: 'transferring', sizeBytes: 120, bytesPerSecond: 6, etaSeconds: 20 }),
  )
  totals.replace(null, transferRow({ id: 'b', status: 'transferring', direction: 'download', bytesPerSecond: 6 }))
  const rates = (limits: object) => {
    const shown = withinLimits(totals.totals(), { ...NO_LIMITS, ...limits })
    return [shown.uploadBytesPerSecond, shown.downloadBytesPerSecond, shown.etaSeconds]
  }
  expect(rates({})).toEqual([6, 6, 11])
  expect(rates({ totalBytesPerSecond: 20 })).toEqual([6, 6, 11])
  expect(rates({ totalBytesPerSecond: 6 })).toEqual([3, 3, 22])
  expect(rates({ uploadBytesPerSecond: 3 })).toEqual([3, 6, 15])
})

it('tells the time left of a single transfer as its row does, and none while no row can', () => {
  const totals = createTotalsKeeper()
  const row = transferRow({ id: 'a', status: 'transferring', sizeBytes: 100, bytesPerSecond: 10, etaSeconds: null })
  totals.replace(null, row)
  expect(totals.totals().etaSeconds).toBeNull()
  const told = { ...row, etaSeconds: 14 }
  totals.replace(row, told)
  expect(totals.totals().etaSeconds).toBe(14)
  totals.replace(null, { ...row, id: 'b' })
  expect(totals.totals().etaSeconds).toBe(10)
  totals.replace(told, { ...told, status: 'completed', bytesPerSecond: 0, etaSeconds: null })
  expect(totals.totals().etaSeconds).toBeNull()
})
