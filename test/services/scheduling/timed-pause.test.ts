import { randomUUID } from 'node:crypto'
import { beforeEach, expect, it } from 'vitest'
import { endOfPause } from '../../../electron/services/scheduling/pause-time.ts'
import type { NamedValues } from '../../../electron/services/persistence/named-values.ts'
import { openTimedPause, type TimedPause } from '../../../electron/services/scheduling/timed-pause.ts'
import type { TransferDelta } from '../../../shared/transfer/transfer-delta.ts'
import type { TransferId, TransferRow, TransferStatus } from '../../../shared/transfer/transfer.ts'
import { createFakeClock, type FakeClock } from '../../support/fakes/fake-clock.ts'
import { memoryValues } from '../../support/fakes/named-values.ts'
import { queueTotals, transferRow } from '../../support/fakes/transfer-rows.ts'

const HOUR_MS = 3_600_000

let clock: FakeClock
let values: ReturnType<typeof memoryValues>
let causes: (string | undefined)[]
let rows: Map<TransferId, TransferRow>
let pause: TimedPause

const add = (status: TransferStatus): TransferId => {
  const id = randomUUID()
  rows.set(id, transferRow({ id, status }))
  return id
}
const set = (ids: readonly TransferId[] | 'all', status: TransferStatus): Promise<void> => {
  for (const id of ids === 'all' ? rows.keys() : ids) rows.set(id, transferRow({ id, status }))
  return Promise.resolve()
}
const statusOf = (id: TransferId): TransferStatus | undefined => rows.get(id)?.status
/** A person, or the end of the file, changes a row, and the app is told. */
const change = (id: TransferId, status: TransferStatus): void => {
  void set([id], status)
  const delta: TransferDelta = { seq: 0, added: [], patched: [{ id, status }], removed: [], totals: queueTotals() }
  pause.observe(delta)
}

const open = (kept: NamedValues = values): Promise<TimedPause> =>
  openTimedPause({
    engine: {
      snapshot: () => ({ seq: 0, rows: [...rows.values()], totals: queueTotals() }),
      pause: (ids) => set(ids, 'paused'),
      resume: (ids, cause) => {
        causes.push(cause)
        return set(ids, 'queued')
      },
    },
    values: kept,
    clock,
    onError: (error) => {
      throw error
    },
  })

beforeEach(async () => {
  clock = createFakeClock()
  values = memoryValues()
  rows = new Map()
  causes = []
  pause = await open()
})

it('pauses what runs or waits, and lets that and nothing else go on when the time is over', async () => {
  const [running, waiting, paused, failed] = [add('transferring'), add('queued'), add('paused'), add('failed')]
  await pause.pauseUntil(clock.nowMs() + HOUR_MS)
  expect([running, waiting, paused, failed].map(statusOf)).toEqual(['paused', 'paused', 'paused', 'failed'])
  await clock.advance(HOUR_MS - 1)
  expect(statusOf(running)).toBe('paused')
  await clock.advance(1)
  expect([running, waiting, paused, failed].map(statusOf)).toEqual(['queued', 'queued', 'paused', 'failed'])
  expect(causes).toEqual(['pause-over'])
  expect(pause.untilMs()).toBeNull()
})

it('pauses nothing, and says so, where the end of the pause can’t be kept', async () => {
  const running = add('transferring')
  const told: (number | null)[] = []
  const full = await open({ ...values, write: () => Promise.reject(new Error('The disk is full')) })
  full.follow(() => told.push(full.untilMs()))
  await expect(full.pauseUntil(clock.nowMs() + HOUR_MS)).rejects.toThrow('The disk is full')
  expect([statusOf(running), full.untilMs(), told]).toEqual(['transferring', null, []])
  await clock.advance(HOUR_MS)
  expect(statusOf(running)).toBe('transferring')
})

it('leaves alone what a person resumes, and pauses again, meanwhile', async () => {
  const [touched, other] = [add('transferring'), add('transferring')]
  await pause.pauseUntil(clock.nowMs() + HOUR_MS)
  change(touched, 'queued')
  change(touched, 'paused')
  await clock.advance(HOUR_MS)
  expect([touched, other].map(statusOf)).toEqual(['paused', 'queued'])
})

it('is over once nothing of it is paused any more', async () => {
  const id = add('transferring')
  await pause.pauseUntil(clock.nowMs() + HOUR_MS)
  change(id, 'queued')
  expect(pause.untilMs()).toBeNull()
  await clock.advance(HOUR_MS)
  expect(clock.sleeping).toBe(0)
})

it('holds over a restart, and ends at once when its time is over by then', async () => {
  const [id, touched] = [add('transferring'), add('transferring')]
  await pause.pauseUntil(clock.nowMs() + HOUR_MS)
  change(touched, 'queued')
  change(touched, 'paused')
  await pause.close()
  await clock.advance(HOUR_MS / 2)
  pause = await open()
  expect(pause.untilMs()).toBe(clock.nowMs() + HOUR_MS / 2)
  expect(statusOf(id)).toBe('paused')
  await pause.close()
  await clock.advance(HOUR_MS)
  pause = await open()
  await clock.advance(0)
  expect([id, touched].map(statusOf)).toEqual(['queued', 'paused'])
})

it('goes by the wall clock: after a sleep past its time it ends at once', async () => {
  const id = add('transferring')
  await pause.pauseUntil(clock.nowMs() + HOUR_MS)
  clock.shiftWallClock(2 * HOUR_MS)
  pause.check()
  await clock.advance(0)
  expect(statusOf(id)).toBe('queued')
})

it.each([
  ['back', -24 * HOUR_MS],
  ['forward and back again', -HOUR_MS / 2],
  ['forward', HOUR_MS / 3],
])('ends after the hour at the latest when the clock is set %s, and says when', async (_how, byMs) => {
  const id = add('transferring')
  let told = 0
  pause.follow(() => (told += 1))
  await pause.pauseUntil(clock.nowMs() + HOUR_MS)
  await clock.advance(HOUR_MS / 4)
  clock.shiftWallClock(byMs)
  // As after another network, or a sleep.
  pause.check()
  await clock.advance(HOUR_MS / 4)
  expect(pause.untilMs()).toBe(byMs < 0 ? clock.nowMs() + HOUR_MS / 2 : clock.nowMs() + HOUR_MS / 2 - byMs)
  expect(told).toBe(byMs < 0 ? 2 : 1)
  expect(statusOf(id)).toBe('paused')
  await clock.advance(HOUR_MS / 2)
  expect(statusOf(id)).toBe('queued')
  expect(pause.untilMs()).toBeNull()
})

it('holds for the whole hour when the clock was set back by mistake, and that is mended', async () => {
  const id = add('transferring')
  const untilMs = clock.nowMs() + HOUR_MS
  await pause.pauseUntil(untilMs)
  clock.shiftWallClock(-24 * HOUR_MS)
  await clock.advance(HOUR_MS / 2)
  clock.shiftWallClock(24 * HOUR_MS)
  await clock.advance(HOUR_MS / 4)
  expect(pause.untilMs()).toBe(untilMs)
  expect(statusOf(id)).toBe('paused')
  await clock.advance(HOUR_MS / 4)
  expect(statusOf(id)).toBe('queued')
})

it('lasts no longer than was asked for after a restart, however far the clock was set back', async () => {
  const id = add('transferring')
  await pause.pauseUntil(clock.nowMs() + HOUR_MS)
  await clock.advance(HOUR_MS / 2)
  await pause.close()
  clock.shiftWallClock(-365 * 24 * HOUR_MS)
  pause = await open()
  expect(pause.untilMs()).toBe(clock.nowMs() + HOUR_MS)
  await clock.advance(HOUR_MS / 2)
  await pause.close()
  pause = await open()
  expect(pause.untilMs()).toBe(clock.nowMs() + HOUR_MS / 2)
  await clock.advance(HOUR_MS / 2)
  expect(statusOf(id)).toBe('queued')
})

it('is not made shorter by clocks that drift apart', async () => {
  const id = add('transferring')
  const untilMs = clock.nowMs() + HOUR_MS
  let told = 0
  pause.follow(() => (told += 1))
  await pause.pauseUntil(untilMs)
  for (let minute = 1; minute < 60; minute += 1) {
    await clock.advance(HOUR_MS / 60)
    clock.shiftWallClock(-30)
  }
  expect([pause.untilMs(), told]).toEqual([untilMs, 1])
  await clock.advance(HOUR_MS / 60)
  expect(statusOf(id)).toBe('queued')
})

it('takes another time for what is paused already, and ends when it is told to', async () => {
  const id = add('transferring')
  await pause.pauseUntil(clock.nowMs() + HOUR_MS)
  await pause.pauseUntil(clock.nowMs() + 2 * HOUR_MS)
  await clock.advance(HOUR_MS)
  expect(statusOf(id)).toBe('paused')
  await pause.resumeNow()
  expect(statusOf(id)).toBe('queued')
  expect(causes).toEqual(['resumed'])
  expect(pause.untilMs()).toBeNull()
})

it('knows when tomorrow begins', () => {
  const at = (day: number, hour: number): number => new Date(2026, 10, day, hour).getTime()
  expect(endOfPause('tomorrow', at(23, 18))).toBe(at(24, 8))
  expect(endOfPause('tomorrow', at(24, 1))).toBe(at(24, 8))
  expect(endOfPause('quarter', 0)).toBe(900_000)
})
