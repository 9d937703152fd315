import { beforeEach, expect, it } from 'vitest'
import {
  COUNTDOWN_MS,
  createWhenAllDone,
  type WhenAllDone,
} from '../../../electron/services/scheduling/when-all-done.ts'
import type { TransferDelta } from '../../../shared/transfer/transfer-delta.ts'
import type { TransferStatus } from '../../../shared/transfer/transfer.ts'
import { createFakeClock, type FakeClock } from '../../support/fakes/fake-clock.ts'
import { queueTotals, transferRow } from '../../support/fakes/transfer-rows.ts'

let clock: FakeClock
let did: string[]
let isHeld: boolean
let sleep: () => Promise<void>
let when: WhenAllDone

/** A row becomes `status`, and so many of each kind are in the list then. */
function turns(status: TransferStatus, counts: Partial<TransferDelta['totals']['counts']> = {}): void {
  when.observe({ seq: 0, added: [], patched: [{ id: 'a', status }], removed: [], totals: queueTotals(counts) })
}

beforeEach(() => {
  clock = createFakeClock()
  did = []
  isHeld = false
  sleep = () => Promise.resolve(void did.push('sleep'))
  when = createWhenAllDone({
    clock,
    isHeld: () => isHeld,
    effects: {
      sleep: () => sleep(),
      quit: () => Promise.resolve(void did.push('quit')),
      update: () => Promise.resolve(void did.push('update')),
    },
    onChange: () => undefined,
    onError: (what) => did.push(`no ${what}`),
  })
})

it('does it a minute after the last transfer, once', async () => {
  when.choose('sleep')
  turns('completed', { active: 1, done: 1 })
  expect(when.countdown()).toBeNull()
  turns('completed', { done: 2 })
  expect(when.countdown()).toMatchObject({ what: 'sleep', endsAtMs: clock.nowMs() + COUNTDOWN_MS, attention: 0 })
  await clock.advance(COUNTDOWN_MS - 1)
  expect(did).toEqual([])
  await clock.advance(1)
  expect(did).toEqual(['sleep'])
  expect(when.chosen()).toBe('nothing')
  turns('completed', { done: 3 })
  expect(when.countdown()).toBeNull()
})

it('counts what is added and ends at once, and not what comes back to the list as it was', async () => {
  const comes = (createdAtMs: number) => {
    const added = [transferRow({ id: 'b', status: 'completed', createdAtMs })]
    when.observe({ seq: 0, added, patched: [], removed: [], totals: queueTotals({ done: 1 }) })
  }
  await clock.advance(1000)
  when.choose('quit')
  comes(clock.nowMs() - 1000)
  expect(when.countdown()).toBeNull()
  await clock.advance(COUNTDOWN_MS)
  expect(did).toEqual([])
  comes(clock.nowMs())
  await clock.advance(COUNTDOWN_MS)
  expect(did).toEqual(['quit'])
})

it('does nothing before something has ended since it was chosen', async () => {
  turns('completed', { done: 1 })
  when.choose('quit')
  turns('paused', { paused: 1 })
  await clock.advance(COUNTDOWN_MS)
  expect(did).toEqual([])
  turns('completed', { done: 2 })
  await clock.advance(COUNTDOWN_MS)
  expect(did).toEqual(['quit'])
})

it('is taken back by a person, and put off by another transfer', async () => {
  when.choose('quit')
  turns('completed', { done: 1 })
  turns('preparing', { active: 1, done: 1 })
  expect(when.countdown()).toBeNull()
  await clock.advance(COUNTDOWN_MS)
  turns('completed', { done: 2 })
  when.choose('nothing')
  expect(when.countdown()).toBeNull()
  await clock.advance(COUNTDOWN_MS)
  expect(did).toEqual([])
})

it('says how many need a person, who is away; beside paused ones it does nothing', async () => {
  when.choose('sleep')
  turns('failed', { attention: 1, paused: 1 })
  expect(when.countdown()).toBeNull()
  turns('failed', { attention: 2, done: 1 })
  expect(when.countdown()).toMatchObject({ attention: 2 })
  await clock.advance(COUNTDOWN_MS)
  expect(did).toEqual(['sleep'])
})

it('waits for what is only paused for a time', () => {
  when.choose('sleep')
  isHeld = true
  turns('completed', { paused: 1, done: 1 })
  expect(when.countdown()).toBeNull()
})

it('counts a minute, though the clock is set back meanwhile', async () => {
  when.choose('sleep')
  turns('completed', { done: 1 })
  clock.shiftWallClock(-60 * COUNTDOWN_MS)
  await clock.advance(COUNTDOWN_MS)
  expect(did).toEqual(['sleep'])
})

it('leaves a person alone who has just woken the computer', async () => {
  when.choose('sleep')
  turns('completed', { done: 1 })
  clock.shiftWallClock(10 * COUNTDOWN_MS)
  await clock.advance(COUNTDOWN_MS)
  expect(did).toEqual([])
  expect(when.chosen()).toBe('nothing')
})

it('says when the computer can’t sleep', async () => {
  sleep = () => Promise.reject(new Error('no'))
  when.choose('sleep')
  turns('completed', { done: 1 })
  await clock.advance(COUNTDOWN_MS)
  expect(did).toEqual(['no sleep'])
})
