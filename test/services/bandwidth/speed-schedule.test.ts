import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isScheduled, nextChange } from '../../../electron/services/bandwidth/speed-schedule.ts'
import type { SpeedSchedule } from '../../../shared/settings.ts'

const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6]
const MONDAY = [1]
const before = process.env['TZ']

beforeAll(() => {
  process.env['TZ'] = 'Europe/Berlin'
})
afterAll(() => {
  if (before === undefined) delete process.env['TZ']
  else process.env['TZ'] = before
})

function schedule(from: string, to: string, weekdays: readonly number[] = EVERY_DAY): SpeedSchedule {
  const minuteOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
  return { isOn: true, fromMinute: minuteOf(from), toMinute: minuteOf(to), weekdays }
}

/** Monday, 2 November 2026, is in winter time. */
const at = (text: string) => Date.parse(text)
const next = (plan: SpeedSchedule, text: string) => {
  const change = nextChange(plan, at(text))
  return change === null ? null : new Date(change).toISOString()
}

it('holds from its first minute to before its last', () => {
  const plan = schedule('09:00', '17:00')
  const times = ['08:59:59.999', '09:00:00', '16:59:59.999', '17:00:00']
  expect(times.map((time) => isScheduled(plan, at(`2026-11-02T${time}+01:00`)))).toEqual([false, true, true, false])
  expect(next(plan, '2026-11-02T08:00:00+01:00')).toBe('2026-11-02T08:00:00.000Z')
  expect(next(plan, '2026-11-02T12:00:00+01:00')).toBe('2026-11-02T16:00:00.000Z')
  expect(next(plan, '2026-11-02T17:00:00+01:00')).toBe('2026-11-03T08:00:00.000Z')
})

it('goes on past midnight, on the day after the one that was chosen, and no other', () => {
  const plan = schedule('22:00', '06:00', MONDAY)
  const times = ['2026-11-02T05:00', '2026-11-02T22:00', '2026-11-03T00:00', '2026-11-03T05:59', '2026-11-03T06:00']
  expect(times.map((time) => isScheduled(plan, at(`${time}:00+01:00`)))).toEqual([false, true, true, true, false])
  expect(next(plan, '2026-11-03T00:30:00+01:00')).toBe('2026-11-03T05:00:00.000Z')
  expect(next(plan, '2026-11-03T06:00:00+01:00')).toBe('2026-11-09T21:00:00.000Z')
})

it('ends at midnight, and lasts a whole day where it ends with its beginning', () => {
  expect(next(schedule('22:00', '00:00', MONDAY), '2026-11-02T23:00:00+01:00')).toBe('2026-11-02T23:00:00.000Z')
  const whole = schedule('08:00', '08:00', MONDAY)
  expect(isScheduled(whole, at('2026-11-03T07:59:00+01:00'))).toBe(true)
  expect(next(whole, '2026-11-02T09:00:00+01:00')).toBe('2026-11-03T07:00:00.000Z')
})

it('changes nothing where one day’s time goes over into the next’s', () => {
  expect(next(schedule('00:00', '00:00', [1, 2]), '2026-11-02T12:00:00+01:00')).toBe('2026-11-03T23:00:00.000Z')
  expect(nextChange(schedule('00:00', '00:00'), at('2026-11-02T12:00:00+01:00'))).toBeNull()
})

it('never holds when it is off, or on no day', () => {
  for (const plan of [{ ...schedule('00:00', '00:00'), isOn: false }, schedule('00:00', '00:00', [])]) {
    expect(isScheduled(plan, at('2026-11-02T12:00:00+01:00'))).toBe(false)
    expect(nextChange(plan, at('2026-11-02T12:00:00+01:00'))).toBeNull()
  }
})

describe('when the clocks change', () => {
  it('keeps to the clock on the wall in the nights of 23 and of 25 hours', () => {
    const plan = schedule('22:00', '06:00')
    expect(next(plan, '2026-03-28T23:00:00+01:00')).toBe('2026-03-29T04:00:00.000Z')
    expect(next(plan, '2026-10-24T23:00:00+02:00')).toBe('2026-10-25T05:00:00.000Z')
  })

  it('begins later by what is skipped, and where all of it is skipped lasts as long', () => {
    expect(next(schedule('02:30', '06:00'), '2026-03-29T00:00:00+01:00')).toBe('2026-03-29T01:30:00.000Z')
    const skipped = schedule('02:15', '02:45')
    expect(next(skipped, '2026-03-29T00:00:00+01:00')).toBe('2026-03-29T01:15:00.000Z')
    expect(next(skipped, '2026-03-29T01:20:00Z')).toBe('2026-03-29T01:45:00.000Z')
  })

  it('means the first of the times that come twice, and holds once', () => {
    const plan = schedule('02:15', '02:45')
    expect(next(plan, '2026-10-25T00:00:00+02:00')).toBe('2026-10-25T00:15:00.000Z')
    expect(next(plan, '2026-10-25T00:30:00Z')).toBe('2026-10-25T00:45:00.000Z')
    expect(isScheduled(plan, at('2026-10-25T01:30:00Z'))).toBe(false)
  })
})
