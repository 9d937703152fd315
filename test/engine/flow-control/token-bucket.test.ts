import { expect, test } from 'vitest'
import { createTokenBucket, type TokenBucket } from '../../../electron/engine/flow-control/token-bucket.ts'
import { createFakeClock, type FakeClock } from '../../support/fakes/fake-clock.ts'

const KIB = 1024
const MIB = 1024 * KIB

/** Takes as fast as the bucket lets it, until stopped, and counts. */
function startTaker(bucket: TokenBucket, bytesAtATime: number): { takenBytes: number; stop: () => void } {
  const controller = new AbortController()
  const taker = {
    takenBytes: 0,
    stop: () => {
      controller.abort('close')
    },
  }
  const take = async (): Promise<void> => {
    for (;;) {
      await bucket.take(bytesAtATime, controller.signal)
      taker.takenBytes += bytesAtATime
    }
  }
  take().catch(() => undefined)
  return taker
}

function world(limit: number | null): { clock: FakeClock; bucket: TokenBucket } {
  const clock = createFakeClock()
  return { clock, bucket: createTokenBucket(clock, limit) }
}

test.each([
  [64 * KIB, 16 * KIB],
  [MIB, 64 * KIB],
  [10 * MIB, 64 * KIB],
  [100 * MIB, 256 * KIB],
])('%i bytes/s are kept within 3 %% over any 10 s', async (limit, bytesAtATime) => {
  const { clock, bucket } = world(limit)
  const takers = [startTaker(bucket, bytesAtATime), startTaker(bucket, bytesAtATime)]
  const taken = () => takers.reduce((sum, taker) => sum + taker.takenBytes, 0)
  for (let window = 0; window < 2; window += 1) {
    const before = taken()
    await clock.advance(10_000)
    expect(Math.abs(taken() - before - limit * 10) / (limit * 10)).toBeLessThan(0.03)
  }
  for (const taker of takers) taker.stop()
})

test('it starts empty, and an idle time is not saved up beyond the burst', async () => {
  const { clock, bucket } = world(MIB)
  await clock.advance(60_000)
  const taker = startTaker(bucket, KIB)
  await clock.advance(0)
  expect(taker.takenBytes).toBeLessThanOrEqual(MIB / 10)
  taker.stop()
})

test('a new limit is in force within 250 ms, also for those who wait', async () => {
  const { clock, bucket } = world(KIB)
  const taker = startTaker(bucket, 64 * KIB)
  await clock.advance(1000)
  bucket.setLimit(MIB)
  await clock.advance(250)
  expect(taker.takenBytes).toBeGreaterThan(0)
  taker.stop()
  const signal = new AbortController().signal
  const large = bucket.take(1000 * MIB, signal)
  bucket.setLimit(null)
  await clock.advance(250)
  await large
})

test('small takers are not held up behind large ones, and shares are equal', async () => {
  const { clock, bucket } = world(MIB)
  const large = startTaker(bucket, MIB)
  const small = startTaker(bucket, 16 * KIB)
  await clock.advance(20_000)
  expect(small.takenBytes).toBeGreaterThan(3 * MIB)
  expect(large.takenBytes + small.takenBytes).toBeGreaterThan(18 * MIB)
  large.stop()
  small.stop()
})

test('an aborted taker rejects with the reason and takes nothing', async () => {
  const { clock, bucket } = world(KIB)
  const controller = new AbortController()
  const taking = bucket.take(KIB, controller.signal)
  controller.abort('pause')
  await expect(taking).rejects.toBe('pause')
  await expect(bucket.take(1, controller.signal)).rejects.toBe('pause')
  await clock.advance(1000)
  expect(clock.sleeping).toBe(0)
})

test('without a limit nothing waits', async () => {
  const { bucket, clock } = world(null)
  await bucket.take(1000 * MIB, new AbortController().signal)
  expect(clock.sleeping).toBe(0)
})
