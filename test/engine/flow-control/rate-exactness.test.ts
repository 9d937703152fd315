import { setMaxListeners } from 'node:events'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { blockBytesUnder } from '../../../electron/engine/core/rate-limiter.ts'
import { createEngineLimits } from '../../../electron/engine/flow-control/rate-limits.ts'
import { createTokenBucket, type TokenBucket } from '../../../electron/engine/flow-control/token-bucket.ts'
import { etaSeconds, sampleRate, startRate } from '../../../electron/engine/transfer/rate-estimator.ts'
import { MIN_RATE_LIMIT } from '../../../shared/limits.ts'
import { NO_LIMITS } from '../../../shared/settings.ts'
import { createFakeClock, type FakeClock } from '../../support/fakes/fake-clock.ts'

const KIB = 1024
const MIB = 1024 * KIB
const WINDOW_MS = 10_000

/** Bytes let through, by the moment they were. */
class Meter {
  readonly #grants: { readonly atMs: number; readonly bytes: number }[] = []
  readonly #clock: FakeClock

  constructor(clock: FakeClock) {
    this.#clock = clock
  }

  count(bytes: number): void {
    this.#grants.push({ atMs: this.#clock.monotonicMs(), bytes })
  }

  between(startMs: number, endMs: number): number {
    return this.#grants.reduce((sum, { atMs, bytes }) => (atMs >= startMs && atMs < endMs ? sum + bytes : sum), 0)
  }

  /** The most and the least of any 10 s that begin between the two moments. */
  windows(fromMs: number, toMs: number): { readonly most: number; readonly least: number } {
    const starts = this.#grants.flatMap(({ atMs }) => [atMs, atMs + 1]).filter((ms) => ms >= fromMs && ms <= toMs)
    const sums = [fromMs, ...starts].map((ms) => this.between(ms, ms + WINDOW_MS))
    return { most: Math.max(...sums), least: Math.min(...sums) }
  }
}

/** Ends connections; as many as there are listen to it. */
function stopper(): AbortController {
  const stop = new AbortController()
  setMaxListeners(0, stop.signal)
  return stop
}

/** Moves bytes as a connection does, block by block, until aborted. */
async function connection(
  bucket: TokenBucket,
  meter: Pick<Meter, 'count'>,
  signal: AbortSignal,
  pauseMs: () => number,
  clock: FakeClock,
) {
  for (;;) {
    const bytes = blockBytesUnder(bucket.limitBytesPerSecond)
    const turn = bucket.take(bytes, signal)
    if (turn !== null) await turn
    meter.count(bytes)
    const idleMs = pauseMs()
    if (idleMs > 0) await clock.sleep(idleMs, signal)
  }
}

const rate = fc.oneof(
  fc.integer({ min: 64 * KIB, max: 2 * MIB }),
  fc.integer({ min: 2 * MIB, max: 12 * MIB }),
  fc.constantFrom(64 * KIB, MIB - 1, MIB, 100 * MIB),
)

test('any 10 s are exact to 3 %, whoever shares them', async () => {
  await fc.assert(
    fc.asyncProperty(
      rate,
      fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 }),
      async (limit, shape) => {
        const clock = createFakeClock()
        const meter = new Meter(clock)
        const total = createTokenBucket(clock, limit)
        const stop = stopper()
        for (const connections of shape) {
          const transfer = total.child(null)
          for (let nth = 0; nth < connections; nth += 1) {
            connection(transfer, meter, stop.signal, () => 0, clock).catch(() => undefined)
          }
        }
        await clock.advance(22_000)
        stop.abort('close')
        const { most, least } = meter.windows(0, 11_000)
        expect(most / (limit * 10)).toBeLessThanOrEqual(1.03)
        expect(least / (limit * 10)).toBeGreaterThanOrEqual(0.97)
      },
    ),
    { numRuns: 25 },
  )
})

test('no 10 s exceed the limit by more than 3 %, however the takers come and go', async () => {
  const pauses = fc.infiniteStream(fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 3000 })))
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 64 * KIB, max: 4 * MIB }), pauses, async (limit, stream) => {
      const clock = createFakeClock()
      const meter = new Meter(clock)
      const bucket = createTokenBucket(clock, limit)
      const stop = stopper()
      const pauseMs = () => Number(stream.next().value)
      for (let nth = 0; nth < 3; nth += 1) {
        connection(bucket, meter, stop.signal, pauseMs, clock).catch(() => undefined)
      }
      await clock.advance(30_000)
      stop.abort('close')
      expect(meter.windows(0, 20_000).most / (limit * 10)).toBeLessThanOrEqual(1.03)
    }),
    { numRuns: 25 },
  )
})

test('under the lowest of limits, each of three transfers tells its pace and time left at all times', async () => {
  for (const limit of [MIN_RATE_LIMIT, 8000, 10_000, 100_000]) {
    const clock = createFakeClock()
    const total = createTokenBucket(clock, limit)
    const stop = stopper()
    const transfers = Array.from({ length: 3 }, () => {
      let movedBytes = 0
      let estimate = startRate(clock.monotonicMs())
      const meter = { count: (bytes: number) => (movedBytes += bytes) }
      const bucket = total.child(null)
      for (let nth = 0; nth < 2; nth += 1) connection(bucket, meter, stop.signal, () => 0, clock).catch(() => undefined)
      return () => {
        estimate = sampleRate(estimate, clock.monotonicMs(), movedBytes)
        return { estimate, secondsOfAMegabyte: etaSeconds(estimate, 1_000_000) }
      }
    })
    for (let ms = 0; ms < 60_000; ms += 250) {
      await clock.advance(250)
      for (const look of transfers) {
        const { estimate, secondsOfAMegabyte } = look()
        if (ms < 12_000) continue
        expect(estimate.bytesPerSecond / (limit / 3), String(limit)).toBeGreaterThan(0.5)
        expect((secondsOfAMegabyte ?? 0) / (3_000_000 / limit), String(limit)).toBeGreaterThan(0.7)
      }
    }
    stop.abort('close')
  }
})

test('a change of the limit is in force within 250 ms, up and down', async () => {
  await fc.assert(
    fc.asyncProperty(rate, rate, async (before, after) => {
      const clock = createFakeClock()
      const meter = new Meter(clock)
      const bucket = createTokenBucket(clock, before)
      const stop = stopper()
      for (let nth = 0; nth < 3; nth += 1) connection(bucket, meter, stop.signal, () => 0, clock).catch(() => undefined)
      await clock.advance(2000)
      bucket.setLimit(after)
      await clock.advance(250 + WINDOW_MS)
      stop.abort('close')
      const carriedBytes = 3 * blockBytesUnder(before)
      const bytes = meter.between(2250, 2250 + WINDOW_MS)
      expect(bytes).toBeLessThanOrEqual(after * 10 * 1.03 + carriedBytes)
      expect(bytes).toBeGreaterThanOrEqual(after * 10 * 0.97 - carriedBytes)
    }),
    { numRuns: 15 },
  )
})

test('a late timer costs no bandwidth', async () => {
  const clock = createFakeClock()
  const late: FakeClock = {
    ...clock,
    sleep: (delayMs, signal) => clock.sleep(delayMs + 40, signal),
    get sleeping() {
      return clock.sleeping
    },
  }
  const meter = new Meter(clock)
  const bucket = createTokenBucket(late, 20 * MIB)
  const stop = stopper()
  for (let nth = 0; nth < 2; nth += 1) connection(bucket, meter, stop.signal, () => 0, clock).catch(() => undefined)
  await clock.advance(WINDOW_MS)
  stop.abort('close')
  expect(meter.between(0, WINDOW_MS) / (200 * MIB)).toBeGreaterThan(0.97)
})

test('a frozen process does not make up for lost time', async () => {
  const clock = createFakeClock()
  let frozenMs = 0
  const thawed: FakeClock = {
    ...clock,
    monotonicMs: () => clock.monotonicMs() + frozenMs,
    get sleeping() {
      return clock.sleeping
    },
  }
  const meter = new Meter(clock)
  const bucket = createTokenBucket(thawed, MIB)
  const stop = stopper()
  connection(bucket, meter, stop.signal, () => 0, clock).catch(() => undefined)
  await clock.advance(1000)
  frozenMs = 3_600_000
  await clock.advance(1000)
  stop.abort('close')
  expect(meter.between(1000, 2000)).toBeLessThan(1.3 * MIB)
})

test('each transfer has its share, a slow one its own limit, and what it leaves goes to the others', async () => {
  const clock = createFakeClock()
  const limits = createEngineLimits(clock, { ...NO_LIMITS, totalBytesPerSecond: 4 * MIB, uploadBytesPerSecond: MIB })
  const stop = stopper()
  const start = (id: string, direction: 'upload' | 'download', limit: number | null, connections: number) => {
    const meter = new Meter(clock)
    const bucket = limits.enter(id, direction, limit) as TokenBucket
    for (let nth = 0; nth < connections; nth += 1) {
      connection(bucket, meter, stop.signal, () => 0, clock).catch(() => undefined)
    }
    return (fromMs: number) => meter.between(fromMs, fromMs + WINDOW_MS) / (10 * MIB)
  }
  const many = start('many', 'download', null, 8)
  const one = start('one', 'download', null, 1)
  const slow = start('slow', 'download', MIB / 4, 4)
  const up = start('up', 'upload', null, 2)
  await clock.advance(WINDOW_MS)
  // Left for downloads: 3 MiB/s, of which the slow one takes a quarter.
  expect(slow(0)).toBeCloseTo(0.25, 1)
  expect(up(0)).toBeCloseTo(1, 1)
  expect(many(0)).toBeCloseTo(1.375, 1)
  expect(one(0)).toBeCloseTo(1.375, 1)
  limits.setTransfer('many', MIB / 2)
  limits.set({ totalBytesPerSecond: null, uploadBytesPerSecond: MIB, downloadBytesPerSecond: 2 * MIB })
  await clock.advance(250 + WINDOW_MS)
  stop.abort('close')
  expect(many(10_250)).toBeCloseTo(0.5, 1)
  expect(slow(10_250)).toBeCloseTo(0.25, 1)
  expect(one(10_250)).toBeCloseTo(1.25, 1)
  expect(up(10_250)).toBeCloseTo(1, 1)
})

test('a transfer without a limit doesn’t wait for one that has one', async () => {
  const clock = createFakeClock()
  const limits = createEngineLimits(clock, NO_LIMITS)
  const { signal } = new AbortController()
  const free = limits.enter('free', 'upload', null)
  const slow = limits.enter('slow', 'upload', KIB)
  void slow.take(MIB, signal)
  expect(free.take(100 * MIB, signal)).toBeNull()
  limits.setTransfer('slow', null)
  expect(slow.take(100 * MIB, signal)).toBeNull()
  await clock.advance(250)
  expect(clock.sleeping).toBe(0)
})
