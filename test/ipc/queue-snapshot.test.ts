import { expect, it } from 'vitest'
import { firstLookOnce } from '../../electron/ipc/queue-snapshot.ts'
import type { TransferSnapshot } from '../../shared/transfer/transfer-delta.ts'

const totals = {
  counts: { all: 0, active: 0, waiting: 0, paused: 0, attention: 0, done: 0 },
  uploadBytesPerSecond: 0,
  downloadBytesPerSecond: 0,
  remainingBytes: 0,
  pausedBytes: 0,
  etaSeconds: null,
}
const look: TransferSnapshot = { seq: 0, rows: [], totals, isFirstLook: true }
const list: TransferSnapshot = { seq: 7, rows: [], totals }

it('shows a first look once: whoever asks again gets the list', async () => {
  const snapshot = firstLookOnce(Promise.resolve(look), () => Promise.resolve(list))
  expect([await snapshot(), await snapshot(), await snapshot()]).toEqual([look, list, list])
})

it('shows the list where there is no first look', async () => {
  expect(await firstLookOnce(Promise.resolve(null), () => Promise.resolve(list))()).toBe(list)
})
