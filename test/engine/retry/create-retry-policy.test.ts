import { setMaxListeners } from 'node:events'
import { describe, expect, test } from 'vitest'
import type { RetryPolicy } from '../../../electron/engine/core/retry-policy.ts'
import { SpaceLacking } from '../../../electron/engine/core/transfer-error.ts'
import { createRetryPolicy, PROGRESS_BYTES, withRetry } from '../../../electron/engine/retry/create-retry-policy.ts'
import { createRetryBudget } from '../../../electron/engine/retry/retry-budget.ts'
import { STORE_ERROR, StoreError } from '../../../electron/stores/port/store-error.ts'
import { MIB } from '../../../shared/limits.ts'
import type { WaitState } from '../../../shared/transfer/transfer.ts'
import { createFakeClock, type FakeClock } from '../../support/fakes/fake-clock.ts'

const reset = new StoreError(STORE_ERROR.network, 'The connection was lost')
const broken = new StoreError('InternalError', 'GetObject returned 500', { httpStatus: 500 })

interface World {
  readonly clock: FakeClock
  readonly retryPolicy: RetryPolicy
  readonly waits: WaitState[]
  /** Fails, and returns how long that cost. */
  fail(failure: unknown): Promise<number>
}

function world(giveUpAfterMs: number | null = null): World {
  const clock = createFakeClock()
  const waits: WaitState[] = []
  const { signal } = new AbortController()
  setMaxListeners(0, signal)
  const retryPolicy = createRetryPolicy({
    deps: { clock, random: () => 1 },
    giveUpAfterMs,
    signal,
    report: { waiting: (wait) => void (wait !== null && waits.push(wait)) },
  })
  return {
    clock,
    retryPolicy,
    waits,
    async fail(failure) {
      const beganMs = clock.monotonicMs()
      let endedMs: number | null = null
      const waiting = retryPolicy.waitAfter(failure).then(() => (endedMs = clock.monotonicMs()))
      waiting.catch(() => undefined)
      await clock.advance(0)
      while (endedMs === null && clock.sleeping > 0) await clock.advance(250)
      return (await waiting) - beganMs
    },
  }
}

describe('an unreadable response', () => {
  const unreadable = new StoreError(STORE_ERROR.badAnswer, 'ListParts returned 200 with an unexpected body', {
    httpStatus: 200,
    requestId: 'r-1',
  })

  test('ends it after a few tries in a row, whatever fails in between', async () => {
    const { fail } = world()
    for (let tries = 0; tries < 4; tries += 1) {
      await fail(unreadable)
      await fail(broken)
    }
    const error = { code: 'answer-unreadable', detail: unreadable.message, httpStatus: 200, requestId: 'r-1' }
    await expect(fail(unreadable)).rejects.toMatchObject({ info: error })
  })

  test('waits longer each time, however much progress there was', async () => {
    const { fail, retryPolicy } = world()
    retryPolicy.progressed(1000 * PROGRESS_BYTES)
    expect([await fail(unreadable), await fail(unreadable)]).toEqual([1000, 2000])
  })

  test('is asked for again after progress, and counts once where many come together', async () => {
    const { fail, retryPolicy, clock } = world()
    for (let round = 0; round < 20; round += 1) {
      await fail(unreadable)
      retryPolicy.progressed(1)
    }
    const together = Array.from({ length: 20 }, () => retryPolicy.waitAfter(unreadable))
    await clock.advance(60_000)
    await expect(Promise.all(together)).resolves.toHaveLength(20)
  })
})

describe('a connection that breaks', () => {
  test('after progress it is retried at once, without reporting a wait', async () => {
    const { retryPolicy, fail, waits } = world()
    retryPolicy.progressed(PROGRESS_BYTES)
    expect(await fail(reset)).toBe(0)
    expect(waits).toEqual([])
    expect(await fail(reset)).toBeGreaterThan(0)
  })

  test('with seven others, after plenty of progress, costs no wait; a ninth one waits', async () => {
    const { retryPolicy, fail } = world()
    retryPolicy.progressed(1000 * PROGRESS_BYTES)
    for (let connection = 0; connection < 8; connection += 1) expect(await fail(reset)).toBe(0)
    expect(await fail(reset)).toBeGreaterThan(0)
  })

  test('again and again after a few bytes waits longer and longer', async () => {
    const { retryPolicy, fail } = world()
    const delays: number[] = []
    for (let time = 0; time < 5; time += 1) {
      retryPolicy.progressed(1000)
      delays.push(await fail(reset))
    }
    expect(delays).toEqual([1000, 2000, 4000, 8000, 16_000])
  })

  test('waits as briefly as the first time once there was progress', async () => {
    const { retryPolicy, fail } = world()
    expect(await fail(broken)).toBe(1000)
    expect(await fail(broken)).toBe(2000)
    retryPolicy.progressed(PROGRESS_BYTES / 2)
    expect(await fail(broken)).toBe(4000)
    retryPolicy.progressed(PROGRESS_BYTES)
    expect(await fail(broken)).toBe(1000)
  })
})

test('an error of the server waits even after progress', async () => {
  const { retryPolicy, fail } = world()
  retryPolicy.progressed(100 * PROGRESS_BYTES)
  expect(await fail(broken)).toBe(1000)
})

test('a service that names a time is asked again no sooner, and the wait says that it was asked for', async () => {
  const { fail, waits, clock } = world()
  const busy = new StoreError('SlowDown', 'Busy', { httpStatus: 503, retryAfterMs: 20_000 })
  expect(await fail(busy)).toBe(20_000)
  expect(waits).toMatchObject([{ reason: 'server-busy', retryAtMs: clock.nowMs(), attempt: 1, isAsked: true }])
})

test('what only a person can change is not waited for', async () => {
  const { retryPolicy, waits } = world()
  const refused = new StoreError('AccessDenied', 'No', { httpStatus: 403 })
  await expect(retryPolicy.waitAfter(refused)).rejects.toMatchObject({ info: { code: 'access-denied' } })
  expect(waits).toEqual([])
})

test('a volume that lacks room is looked at every few seconds, at no cost to the requests', async () => {
  const { clock } = world()
  const budget = createRetryBudget()
  const { signal } = new AbortController()
  const context = { deps: { clock, random: () => 1 }, giveUpAfterMs: null, signal, retryBudget: budget }
  const full = createRetryPolicy({ ...context, report: { waiting: () => undefined } })
  const beganMs = clock.monotonicMs()
  for (let looks = 0; looks < 200; looks += 1) {
    const waiting = full.waitAfter(new SpaceLacking(MIB))
    await clock.advance(5000)
    await waiting
  }
  expect(clock.monotonicMs() - beganMs).toBe(1_000_000)
  expect(budget.spend(broken)).toBe(true)
})

test('giving up counts from the last byte', async () => {
  const { retryPolicy, fail, clock } = world(10_000)
  await clock.advance(9000)
  retryPolicy.progressed(1)
  expect(await fail(reset)).toBe(1000)
  await clock.advance(8000)
  // The last try is not given up for the length of its wait.
  expect(await fail(reset)).toBe(1000)
  await expect(retryPolicy.waitAfter(reset)).rejects.toMatchObject({ info: { code: 'gave-up-waiting' } })
})

test('what moved and may be lost again is a reason to wait on, and none to ask again at once', async () => {
  const { retryPolicy, fail, clock } = world(10_000)
  expect(await fail(reset)).toBe(1000)
  await clock.advance(9000)
  retryPolicy.moved()
  expect(await fail(reset)).toBe(2000)
  await clock.advance(8000)
  await expect(retryPolicy.waitAfter(reset)).rejects.toMatchObject({ info: { code: 'gave-up-waiting' } })
})

test('a wait that a server asks for is not begun where it can’t be waited out', async () => {
  const { retryPolicy } = world(10_000)
  const busy = new StoreError('SlowDown', 'Busy', { httpStatus: 503, retryAfterMs: 11_000 })
  await expect(retryPolicy.waitAfter(busy)).rejects.toMatchObject({
    info: { code: 'gave-up-waiting', waitCause: { code: 'http-status', httpStatus: 503 } },
  })
})

test('T48 a service that fails for a minute gets few requests, however many ask, and is used again at once after', async () => {
  const clock = createFakeClock()
  const retryBudget = createRetryBudget()
  const { signal } = new AbortController()
  setMaxListeners(0, signal)
  let requests = 0
  const endsMs = 60_000
  const runs = Array.from({ length: 10 }, () =>
    createRetryPolicy({
      deps: { clock, random: Math.random },
      giveUpAfterMs: null,
      signal,
      report: { waiting: () => undefined },
      retryBudget,
    }),
  )
  const parts = runs.flatMap((retryPolicy) =>
    Array.from({ length: 8 }, () =>
      withRetry(retryPolicy, () => {
        requests += 1
        return clock.monotonicMs() < endsMs ? Promise.reject(broken) : Promise.resolve()
      }),
    ),
  )
  const isDone = Promise.all(parts)
  await clock.advance(endsMs)
  // 80 first tries, 100 that the budget pays for, and hardly more than one in 15 s for each after that.
  expect(requests).toBeLessThan(80 + 100 + 80 * 4)
  await clock.advance(30_000)
  await isDone
})

test('the budget is given back by what succeeds', () => {
  const budget = createRetryBudget()
  const spendAll = () => {
    let tries = 0
    while (budget.spend(broken)) tries += 1
    return tries
  }
  expect(spendAll()).toBe(100)
  for (let part = 0; part < 20; part += 1) budget.refund()
  expect(spendAll()).toBe(20)
  for (let part = 0; part < 2000; part += 1) budget.refund()
  let silences = 0
  while (budget.spend(reset)) silences += 1
  expect(silences).toBe(50)
})
