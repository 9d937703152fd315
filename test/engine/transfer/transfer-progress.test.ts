import { expect, it } from 'vitest'
import { createPartsMap } from '../../../electron/engine/transfer/parts-map.ts'
import { TransferProgress } from '../../../electron/engine/transfer/transfer-progress.ts'
import type { WaitState } from '../../../shared/transfer/transfer.ts'
import { MIB } from '../../../shared/limits.ts'
import { createFakeClock } from '../../support/fakes/fake-clock.ts'

const PART = 8 * MIB
const LAYOUT = { count: 4, unitSizeBytes: PART }

/** Two of four parts are there, as the checkpoints say. */
function found() {
  const map = createPartsMap(LAYOUT.count, PART)
  map.set(0, 'done')
  map.set(1, 'done')
  const ignore = () => undefined
  return new TransferProgress(createFakeClock(), { confirmedBytes: 2 * PART, map }, ignore, ignore)
}

const cellsOf = (progress: TransferProgress) => progress.map?.cells().cells

it('shows the parts whose bytes it shows, though a run ends before it could look for them', () => {
  const progress = found()
  progress.start()
  progress.stage('preparing')
  progress.units(LAYOUT)
  progress.stop()
  expect(progress.confirmedBytes).toBe(2 * PART)
  expect(cellsOf(progress)).toEqual(['done', 'done', 'waiting', 'waiting'])
})

it('shows what a run found once it moves bytes', () => {
  const progress = found()
  progress.start()
  progress.stage('preparing')
  progress.units(LAYOUT)
  progress.unit(0, 'found')
  progress.confirmed(PART, 'found')
  progress.stage('transferring')
  expect(progress.confirmedBytes).toBe(PART)
  expect(cellsOf(progress)).toEqual(['found', 'waiting', 'waiting', 'waiting'])
})

it('shows what was there of a folder until its run has come upon all of it', () => {
  const ignore = () => undefined
  const progress = new TransferProgress(createFakeClock(), { confirmedBytes: 140, map: null, done: 3 }, ignore, ignore)
  const shown = () => [progress.counted?.done, progress.confirmedBytes]
  const counts = { total: 6, failed: 0, isCounted: true }
  progress.start()
  progress.stage('preparing')
  progress.items({ ...counts, done: 0 })
  progress.size(216)
  progress.stage('transferring')
  expect(shown()).toEqual([3, 140])
  progress.confirmed(108, 'found')
  progress.items({ ...counts, done: 3 })
  expect(shown()).toEqual([3, 140])
  progress.confirmed(40, 'found')
  progress.items({ ...counts, done: 4 })
  expect(shown()).toEqual([4, 148])
  progress.stop()
  progress.start()
  progress.items({ ...counts, done: 0 })
  progress.stage('transferring')
  expect(shown()).toEqual([4, 148])
  // What is less in the end is said.
  progress.confirmed(36, 'found')
  progress.items({ ...counts, done: 1, failed: 1 })
  progress.stage('completing')
  expect(shown()).toEqual([1, 36])
})

it('has nothing on its way, and nothing that is tried again, after a run', () => {
  const progress = found()
  progress.start()
  progress.units(LAYOUT)
  progress.stage('transferring')
  progress.unit(0, 'done')
  progress.confirmed(PART, 'moved')
  progress.unit(1, 'active')
  progress.unit(2, 'retrying')
  progress.stop()
  expect(cellsOf(progress)).toEqual(['done', 'waiting', 'waiting', 'waiting'])
})

/** The progress of a transfer without bytes yet, and the kinds of the events that it reports. */
function listened() {
  const clock = createFakeClock()
  const events: (string | undefined)[] = []
  const progress = new TransferProgress(
    clock,
    { confirmedBytes: 0, map: null },
    (event) => void (event !== null && events.push(event.kind)),
    () => undefined,
  )
  return { clock, events, progress }
}

const WAIT: WaitState = { reason: 'network', cause: null, retryAtMs: null, attempt: 1 }
const FULL: WaitState = { ...WAIT, reason: 'disk-full' }

it('says again what some wait for once the bytes of others have stopped', async () => {
  const { clock, events, progress } = listened()
  progress.start()
  progress.waiting(WAIT)
  progress.moved(1)
  expect(progress.wait).toBeNull()
  await clock.advance(999)
  progress.sample(Infinity)
  expect(progress.wait).toBeNull()
  await clock.advance(1)
  progress.sample(Infinity)
  expect(progress.wait).toBe(WAIT)
  progress.waiting(null)
  expect(progress.wait).toBeNull()
  expect(events).toEqual(['waiting', 'proceeding', 'waiting', 'proceeding'])
})

it('shows what one file of a folder waits for though another one goes on', () => {
  const progress = found()
  const other: WaitState = { ...WAIT, reason: 'server-busy' }
  progress.start()
  progress.waiting(WAIT, 'one')
  progress.waiting(other, 'other')
  expect(progress.wait).toBe(other)
  progress.waiting(null, 'other')
  expect(progress.wait).toBe(WAIT)
  progress.stop()
  expect(progress.wait).toBeNull()
})

it('says as long as a disk is full that it is, whatever its connections try meanwhile', async () => {
  const { clock, events, progress } = listened()
  const sampleAfter = async (delayMs: number) => {
    await clock.advance(delayMs)
    progress.sample(Infinity)
  }
  progress.start()
  progress.waiting(FULL)
  for (let attempt = 2; attempt < 5; attempt += 1) {
    // Others bring bytes, and the first one tries again and brings some that find no room.
    progress.moved(MIB)
    await sampleAfter(400)
    progress.waiting(null)
    progress.moved(MIB)
    await sampleAfter(400)
    progress.moved(-2 * MIB)
    progress.waiting({ ...FULL, attempt })
  }
  expect(events).not.toContain('proceeding')
  progress.waiting(null)
  progress.confirmed(MIB, 'moved')
  expect(progress.wait).toBeNull()
  // The next time nothing is saved, but nothing is refused either.
  progress.waiting(FULL)
  progress.waiting(null)
  await sampleAfter(999)
  expect(progress.wait).toEqual(FULL)
  await sampleAfter(1)
  expect(progress.wait).toBeNull()
})

it('shows a full disk before what else its connections wait for', () => {
  const progress = found()
  progress.start()
  progress.waiting(FULL, 'one')
  progress.waiting(WAIT, 'other')
  expect(progress.wait).toBe(FULL)
})

it('counts the time in which it ran, not what it waited for', async () => {
  const clock = createFakeClock()
  const ignore = () => undefined
  const progress = new TransferProgress(clock, { confirmedBytes: 0, map: null }, ignore, ignore)
  await clock.advance(5000)
  progress.start()
  progress.stage('transferring')
  await clock.advance(2000)
  progress.moved(8000)
  await clock.advance(2000)
  progress.waiting(WAIT)
  await clock.advance(60_000)
  expect(progress.activeMs).toBe(4000)
  // The next wait follows the one before at once.
  progress.waiting({ ...WAIT, attempt: 2 })
  await clock.advance(60_000)
  progress.waiting(null)
  await clock.advance(4000)
  expect(progress.activeMs).toBe(8000)
  progress.waiting(WAIT)
  await clock.advance(30_000)
  expect(progress.stop()).toBe(8000)
  expect(progress.totals).toMatchObject({ movedBytes: 8000, activeMs: 8000 })
  await clock.advance(30_000)
  progress.start()
  await clock.advance(1000)
  expect(progress.activeMs).toBe(1000)
  expect(progress.totals.activeMs).toBe(9000)
})

it('counts what follows the last byte as time left, and lets it pass', async () => {
  const clock = createFakeClock()
  const ignore = () => undefined
  const progress = new TransferProgress(clock, { confirmedBytes: 0, map: null }, ignore, ignore)
  progress.start()
  progress.size(10_000)
  progress.closing(4000)
  const shown: (readonly [number | null, number])[] = []
  for (let second = 1; second <= 17; second += 1) {
    if (second <= 10) progress.moved(1000)
    await clock.advance(1000)
    progress.sample(Infinity)
    shown.push([progress.etaSeconds(10_000 - progress.inFlightBytes), progress.rate.bytesPerSecond])
  }
  expect(shown.map(([seconds]) => seconds).slice(6, 14)).toEqual([7, 6, 5, 4, 3, 2, 1, 1])
  expect(shown.map(([, rate]) => rate).slice(6, 13)).toEqual([1000, 1000, 1000, 1000, 1000, 1000, 1000])
  // What lasts longer shows.
  expect(shown.at(-1)).toEqual([null, 0])
})
