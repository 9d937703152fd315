import { expect, test } from 'vitest'
import { createFakeClock } from './fake-clock.ts'

test('sleepers wake in time order, each at its own moment, those that sleep again included', async () => {
  const clock = createFakeClock(1000)
  const { signal } = new AbortController()
  const woken: string[] = []
  const note = (name: string) => () => void woken.push(`${name} at ${String(clock.monotonicMs())}`)
  void clock.sleep(20, signal).then(note('b'))
  void clock
    .sleep(10, signal)
    .then(note('a'))
    .then(() => clock.sleep(5, signal))
    .then(note('a again'))
  await clock.advance(30)
  expect(woken).toEqual(['a at 10', 'a again at 15', 'b at 20'])
  expect(clock.nowMs()).toBe(1030)
  expect(clock.sleeping).toBe(0)
})

test('an aborted sleeper rejects with the reason and is forgotten', async () => {
  const clock = createFakeClock()
  const controller = new AbortController()
  const sleeping = clock.sleep(10, controller.signal)
  await clock.untilSleeping()
  controller.abort('pause')
  await expect(sleeping).rejects.toBe('pause')
  expect(clock.sleeping).toBe(0)
})
