import { expect, test } from 'vitest'
import { losesByPause, pauseQuestion } from '../../shared/transfer/pause-question.ts'
import { makeRow } from '../renderer/rows.ts'

const stream = makeRow({
  name: 'big.iso',
  direction: 'download',
  status: 'transferring',
  keepsNothing: true,
  confirmedBytes: 0,
  inFlightBytes: 5_000_000,
})

test('asks before a pause about what it loses, and about nothing else', () => {
  const other = makeRow({ name: 'film.mov', direction: 'download', status: 'transferring', inFlightBytes: 7_000_000 })
  expect(pauseQuestion([other, stream])).toEqual({
    title: 'Pause big.iso?',
    consequence:
      'Its server can’t continue a download. The 5.00 MB downloaded so far will be downloaded again once you resume.',
  })
  expect(pauseQuestion([stream, stream])).toMatchObject({
    title: 'Pause 2 downloads?',
    consequence: expect.stringContaining('The 10.0 MB downloaded so far') as string,
  })
  expect(pauseQuestion([])).toBeNull()
  expect(pauseQuestion([other, { ...stream, status: 'paused' }])).toBeNull()
})

test('a pause loses bytes of what starts over, and only while they come', () => {
  // Its size was told, and so its segments are known.
  const known = {
    direction: 'download',
    status: 'transferring',
    keepsNothing: true,
    unitsTotal: 3,
    inFlightBytes: 5,
    confirmedBytes: 0,
  } as const
  expect(losesByPause(makeRow(known))).toBe(true)
  expect(losesByPause(makeRow({ ...known, keepsNothing: false, unitsTotal: 0 }))).toBe(false)
  expect(losesByPause(makeRow({ ...known, status: 'waiting' }))).toBe(false)
  expect(losesByPause(makeRow({ ...known, inFlightBytes: 0 }))).toBe(false)
})
