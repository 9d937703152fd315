import { describe, expect, test } from 'vitest'
import { createPatience, PROGRESS_BYTES, type Patience } from '../../electron/engine/retry.ts'
import { STORE_ERROR, StoreError } from '../../electron/stores/store-error.ts'
import type { WaitState } from '../../shared/transfer.ts'
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts'

const reset = new StoreError(STORE_ERROR.network, 'The connection was lost')
const broken = new StoreError('InternalError', 'GetObject was answered 500', { httpStatus: 500 })

interface World {
  readonly clock: FakeClock
  readonly patience: Patience
  readonly waits: WaitState[]
  /** Fails, and returns how long that cost. */
  fail(failure: unknown): Promise<number>
}

function world(giveUpAfterMs: number | null = null): World {
  const clock = createFakeClock()
  const waits: WaitState[] = []
  const patience = createPatience({
    deps: { clock, random: () => 1 },
    giveUpAfterMs,
    signal: new AbortController().signal,
    report: { waiting: (wait) => void (wait !== null && waits.push(wait)) },
  })
  return {
    clock,
    patience,
    waits,
    async fail(failure) {
      const beganMs = clock.monotonicMs()
      let endedMs: number | null = null
      const waiting = patience.waitAfter(failure).then(() => (endedMs = clock.monotonicMs()))
      waiting.catch(() => undefined)
      await clock.advance(0)
      while (endedMs === null && clock.sleeping > 0) await clock.advance(250)
      return (await waiting) - beganMs
    },
  }
}

describe('a connection that breaks', () => {
  test('after progress is mended at once, and nobody is told of a wait', async () => {
    const { patience, fail, waits } = world()
    patience.progressed(PROGRESS_BYTES)
    expect(await fail(reset)).toBe(0)
    expect(waits).toEqual([])
    expect(await fail(reset)).toBeGreaterThan(0)
  })

  test('with seven others, after plenty of progress, costs no wait; a ninth one waits', async () => {
    const { patience, fail } = world()
    patience.progressed(1000 * PROGRESS_BYTES)
    for (let connection = 0; connection < 8; connection += 1) expect(await fail(reset)).toBe(0)
    expect(await fail(reset)).toBeGreaterThan(0)
  })

  test('again and again after a few bytes waits longer and longer', async () => {
    const { patience, fail } = world()
    const delays: number[] = []
    for (let time = 0; time < 5; time += 1) {
      patience.progressed(1000)
      delays.push(await fail(reset))
    }
    expect(delays).toEqual([1000, 2000, 4000, 8000, 16_000])
  })

  test('waits as briefly as the first time once there was progress', async () => {
    const { patience, fail } = world()
    expect(await fail(broken)).toBe(1000)
    expect(await fail(broken)).toBe(2000)
    patience.progressed(PROGRESS_BYTES / 2)
    expect(await fail(broken)).toBe(4000)
    patience.progressed(PROGRESS_BYTES)
    expect(await fail(broken)).toBe(1000)
  })
})

test('an error of the server waits even after progress', async () => {
  const { patience, fail } = world()
  patience.progressed(100 * PROGRESS_BYTES)
  expect(await fail(broken)).toBe(1000)
})

test('giving up counts from the last byte', async () => {
  const { patience, fail, clock } = world(10_000)
  await clock.advance(9000)
  patience.progressed(1)
  expect(await fail(reset)).toBe(1000)
  await clock.advance(8000)
  await expect(patience.waitAfter(reset)).rejects.toMatchObject({ info: { code: 'gave-up-waiting' } })
})
