import { expect, test } from 'vitest'
import { SYSTEM_WAKE, watchWake } from '../../../electron/engine/system/wake-watch.ts'
import { createFakeClock } from '../../support/fakes/fake-clock.ts'
import { createEngineWorld, enqueueUpload } from '../../support/worlds/engine-world.ts'

/** Surroundings that a test changes, and how often they were upset or looked at. */
function world() {
  const clock = createFakeClock()
  const state = { sleptMs: 0, addresses: 'wifi 10.0.0.2/24', isWaiting: false, upsets: 0, looks: 0 }
  const stop = watchWake({
    clock,
    uptimeMs: () => clock.monotonicMs() + state.sleptMs,
    addresses: () => {
      state.looks += 1
      return state.addresses
    },
    isWaiting: () => state.isWaiting,
    onUpset: () => (state.upsets += 1),
  })
  return { clock, state, stop }
}

test('sleep and a stopped process are noticed once; a busy one is neither', async () => {
  const { clock, state, stop } = world()
  await clock.advance(60_000)
  state.sleptMs += 14_000
  await clock.advance(60_000)
  expect(state.upsets).toBe(0)
  state.sleptMs += 3_600_000
  await clock.advance(60_000)
  expect(state.upsets).toBe(1)
  stop()
  await clock.advance(0)
  expect(clock.sleeping).toBe(0)
})

test('a change of the network is noticed while somebody waits for it; else nobody looks', async () => {
  const { clock, state, stop } = world()
  await clock.advance(60_000)
  expect(state.looks).toBe(0)
  state.isWaiting = true
  await clock.advance(20_000)
  expect(state.upsets).toBe(0)
  state.addresses = ''
  await clock.advance(5000)
  state.addresses = 'phone 172.20.0.3/28'
  await clock.advance(5000)
  expect(state.upsets).toBe(2)
  state.isWaiting = false
  await clock.advance(5000)
  state.addresses = 'wifi 10.0.0.2/24'
  state.isWaiting = true
  await clock.advance(20_000)
  expect(state.upsets).toBe(2)
  stop()
})

test('the system tells both', () => {
  expect(SYSTEM_WAKE.uptimeMs()).toBeGreaterThan(0)
  expect(SYSTEM_WAKE.addresses()).not.toContain('127.0.0.1')
})

test('T54 runs start over after an upset, none is paused or failed by it, and the engine reports which ones wait', async () => {
  const world = await createEngineWorld()
  const id = await enqueueUpload(world)
  const run = await world.runs.next()
  expect(world.engine.isWaitingForNetwork).toBe(false)
  run.context.report.waiting({ reason: 'network', retryAtMs: 30_000, attempt: 8 })
  expect(world.engine.isWaitingForNetwork).toBe(true)
  void world.engine.suspend()
  world.engine.wake()
  expect(await run.stopped).toBe('close')
  const next = await world.runs.next()
  expect(next.context.record.id).toBe(id)
  expect([world.row(id)?.status, world.row(id)?.wait]).toEqual(['preparing', null])
})
