import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  applyToQueue,
  drawnRow,
  liveRow,
  queueStore,
  resetQueue,
} from '../../../../renderer/state/queue/queue-store.ts'
import type { TransferDelta } from '../../../../shared/transfer/transfer-delta.ts'
import { makeRow, noTotals } from '../../rows.ts'

beforeEach(() => {
  vi.useFakeTimers()
  resetQueue({ seq: 0, rows: [makeRow({ id: 'a', confirmedBytes: 1 }), makeRow({ id: 'b' })], totals: noTotals })
})
afterEach(() => {
  vi.useRealTimers()
})

const patch = (patched: TransferDelta['patched'], totals = noTotals): TransferDelta => ({
  seq: 1,
  added: [],
  patched,
  removed: [],
  totals,
})

test('numbers are live at once and drawn four times a second', () => {
  applyToQueue(patch([{ id: 'a', confirmedBytes: 2 }]))
  applyToQueue(patch([{ id: 'a', confirmedBytes: 3 }]))
  expect([liveRow('a')?.confirmedBytes, drawnRow('a')?.confirmedBytes]).toEqual([3, 1])
  vi.advanceTimersByTime(250)
  expect(drawnRow('a')?.confirmedBytes).toBe(3)
})

test('a new state is drawn at once', () => {
  applyToQueue(patch([{ id: 'a', status: 'paused', bytesPerSecond: 0 }]))
  expect(drawnRow('a')?.status).toBe('paused')
})

test('new counts are shown at once, speeds four times a second', () => {
  const faster = { ...noTotals, uploadBytesPerSecond: 5 }
  applyToQueue(patch([], faster))
  expect(queueStore.getState().totals).toEqual(noTotals)
  vi.advanceTimersByTime(250)
  expect(queueStore.getState().totals).toEqual(faster)
  const counted = { ...faster, counts: { ...noTotals.counts, all: 2 } }
  applyToQueue(patch([], counted))
  expect(queueStore.getState().totals).toEqual(counted)
})

test('a removed row is gone, and a late redraw does not bring it back', () => {
  applyToQueue(patch([{ id: 'a', confirmedBytes: 2 }]))
  applyToQueue({ ...patch([]), removed: ['a'] })
  vi.advanceTimersByTime(250)
  expect([queueStore.getState().order, drawnRow('a'), liveRow('a')]).toEqual([['b'], undefined, undefined])
})

test('a new list says which rows of the previous one it lacks', () => {
  expect(resetQueue({ seq: 5, rows: [makeRow({ id: 'b' }), makeRow({ id: 'c' })], totals: noTotals })).toEqual(['a'])
})
