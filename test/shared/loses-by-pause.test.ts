import { expect, test } from 'vitest'
import { losesByPause } from '../../shared/transfer/loses-by-pause.ts'
import { makeRow } from '../renderer/rows.ts'

test('a pause loses bytes of which no version is known, and only while they come', () => {
  const stream = {
    direction: 'download',
    status: 'transferring',
    unitsTotal: 0,
    inFlightBytes: 5,
    confirmedBytes: 0,
  } as const
  expect(losesByPause(makeRow(stream))).toBe(true)
  expect(losesByPause(makeRow({ ...stream, unitsTotal: 3 }))).toBe(false)
  expect(losesByPause(makeRow({ ...stream, status: 'waiting' }))).toBe(false)
  expect(losesByPause(makeRow({ ...stream, direction: 'upload' }))).toBe(false)
})
