import { beforeEach, expect, it } from 'vitest'
import { openLowSpeed, type LowSpeed } from '../../../electron/services/bandwidth/low-speed.ts'
import { DEFAULT_SETTINGS, limitsOf, type SpeedSchedule } from '../../../shared/settings.ts'
import { createFakeClock, type FakeClock } from '../../support/fakes/fake-clock.ts'
import { memoryValues } from '../../support/fakes/named-values.ts'

const HOUR_MS = 3_600_000
const NEVER: SpeedSchedule = { isOn: false, fromMinute: 0, toMinute: 0, weekdays: [] }
const BY_DAY: SpeedSchedule = { isOn: true, fromMinute: 9 * 60, toMinute: 17 * 60, weekdays: [0, 1, 2, 3, 4, 5, 6] }

let clock: FakeClock
let values: ReturnType<typeof memoryValues>
let low: LowSpeed
let told: boolean[]

const onError = (_: string, error: unknown) => {
  throw error
}

async function open(schedule: SpeedSchedule): Promise<void> {
  low = await openLowSpeed({ values, clock, schedule, onError })
  told = []
  low.follow(() => told.push(low.state().isOn))
}

/** The fake clock's midnight, local time. */
const clockAt = (hour: number) => createFakeClock(new Date(2026, 0, 5, hour).getTime())

beforeEach(() => {
  values = memoryValues()
  clock = clockAt(8)
})

it('turns itself on and off by the schedule, every day anew, and says until when', async () => {
  await open(BY_DAY)
  expect(low.state()).toEqual({ isOn: false, untilMs: clock.nowMs() + HOUR_MS })
  await clock.advance(HOUR_MS - 1)
  expect(told).toEqual([])
  await clock.advance(1)
  expect(low.state()).toEqual({ isOn: true, untilMs: clock.nowMs() + 8 * HOUR_MS })
  await clock.advance(8 * HOUR_MS)
  expect(told).toEqual([true, false])
  await clock.advance(16 * HOUR_MS)
  expect(told).toEqual([true, false, true])
})

it('does what a person wants until the schedule would change it anyway', async () => {
  clock = clockAt(10)
  await open(BY_DAY)
  await low.turn(false)
  expect(low.state()).toEqual({ isOn: false, untilMs: clock.nowMs() + 7 * HOUR_MS })
  await clock.advance(7 * HOUR_MS)
  expect(low.state().isOn).toBe(false)
  await clock.advance(16 * HOUR_MS)
  expect(low.state().isOn).toBe(true)
})

it('stays as a person wants it where there is no schedule, over a restart as well', async () => {
  await open(NEVER)
  await low.turn(true)
  await clock.advance(48 * HOUR_MS)
  low.close()
  await open(NEVER)
  expect(low.state()).toEqual({ isOn: true, untilMs: null })
  await low.turn(false)
  expect(low.state()).toEqual({ isOn: false, untilMs: null })
})

it('keeps what a person chose over a restart until its time, not beyond', async () => {
  clock = clockAt(10)
  await open(BY_DAY)
  await low.turn(false)
  low.close()
  await open(BY_DAY)
  expect(low.state().isOn).toBe(false)
  low.close()
  await clock.advance(24 * HOUR_MS)
  await open(BY_DAY)
  expect(low.state().isOn).toBe(true)
})

it('goes by another schedule at once, and leaves alone what a change of something else sets again', async () => {
  clock = clockAt(10)
  await open(NEVER)
  await low.turn(false)
  await low.reschedule(BY_DAY)
  expect(low.state().isOn).toBe(true)
  await low.turn(false)
  await low.reschedule({ ...BY_DAY })
  expect(low.state().isOn).toBe(false)
  await low.reschedule({ ...BY_DAY, toMinute: 9 * 60 + 30 })
  expect(low.state().isOn).toBe(false)
})

it('goes by the wall clock: after a sleep past its end it is off', async () => {
  clock = clockAt(10)
  await open(BY_DAY)
  clock.shiftWallClock(8 * HOUR_MS)
  low.check()
  expect(low.state().isOn).toBe(false)
  low.close()
  expect(clock.sleeping).toBe(0)
})

it('goes by a wall clock that was set back, within half a minute', async () => {
  clock = clockAt(10)
  await open(BY_DAY)
  clock.shiftWallClock(-2 * HOUR_MS)
  await clock.advance(30_000)
  expect(low.state()).toEqual({ isOn: false, untilMs: new Date(2026, 0, 5, 9).getTime() })
  await clock.advance(HOUR_MS)
  expect(low.state().isOn).toBe(true)
})

it('does what a person wanted until the schedule changes next by a clock that was set back, over a restart as well', async () => {
  clock = clockAt(10)
  clock.shiftWallClock(365 * 24 * HOUR_MS)
  await open(BY_DAY)
  await low.turn(false)
  clock.shiftWallClock(-365 * 24 * HOUR_MS)
  await clock.advance(30_000)
  expect(low.state()).toEqual({ isOn: false, untilMs: new Date(2026, 0, 5, 17).getTime() })
  low.close()
  await open(BY_DAY)
  expect(low.state().untilMs).toBe(new Date(2026, 0, 5, 17).getTime())
  await clock.advance(24 * HOUR_MS)
  expect(low.state().isOn).toBe(true)
})

it('makes no limit higher', () => {
  const settings = { ...DEFAULT_SETTINGS, lowSpeedBytesPerSecond: 1_000_000 }
  const total = (limitBytesPerSecond: number | null, isLow: boolean) =>
    limitsOf({ ...settings, limitBytesPerSecond }, isLow).totalBytesPerSecond
  expect([total(null, false), total(null, true), total(5_000_000, true), total(500_000, true)]).toEqual([
    null,
    1_000_000,
    1_000_000,
    500_000,
  ])
})
