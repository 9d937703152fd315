import { expect, test } from 'vitest'
import { losesByPause } from '../../shared/transfer/loses-by-pause.ts'
import { makeRow } from '../renderer/rows.ts'

test('a pause loses bytes of what starts over, and only while they come', () => {
  // Its size was told, and so its segments are known.
  const stream = {
    direction: 'download',
    status: 'transferring',
    startsOver: true,
    unitsTotal: 3,
    inFlightBytes: 5,
    confirmedBytes: 0,
  } as const
  expect(losesByPause(makeRow(stream))).toBe(true)
  expect(losesByPause(makeRow({ ...stream, startsOver: false, unitsTotal: 0 }))).toBe(false)
  expect(losesByPause(makeRow({ ...stream, status: 'waiting' }))).toBe(false)
  expect(losesByPause(makeRow({ ...stream, inFlightBytes: 0 }))).toBe(false)
})
