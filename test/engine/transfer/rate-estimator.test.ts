import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  etaSeconds,
  sampleRate,
  startRate,
  steadyEnd,
  type RateEstimate,
} from '../../../electron/engine/transfer/rate-estimator.ts'

/** Feeds one sample a second, each with so many bytes. */
function feed(estimate: RateEstimate, ...bytesPerSample: readonly number[]): RateEstimate {
  return bytesPerSample.reduce(
    (current, bytes) => sampleRate(current, current.sampledAtMs + 1000, current.movedBytes + bytes),
    estimate,
  )
}

function times(count: number, bytes: number): readonly number[] {
  return Array.from({ length: count }, () => bytes)
}

test('a steady pace is shown from the first second, an estimate from the fifth', () => {
  const early = feed(startRate(0), ...times(4, 100))
  expect([early.bytesPerSecond, etaSeconds(early, 1000)]).toEqual([100, null])
  const later = feed(early, 100)
  expect([later.bytesPerSecond, etaSeconds(later, 1000)]).toEqual([100, 10])
})

test('a change of pace shows within seconds, and the estimate follows the last 30 s', () => {
  const changed = feed(startRate(0), ...times(60, 100), ...times(5, 1000))
  expect(changed.bytesPerSecond).toBeGreaterThan(600)
  expect(changed.bytesPerSecond).toBeLessThanOrEqual(1000)
  expect(etaSeconds(changed, 7500)).toBe(30)
  expect(etaSeconds(feed(changed, ...times(25, 1000)), 30_000)).toBe(30)
})

test('a stall voids pace and estimate; both come back after it', () => {
  const stalled = feed(startRate(0), ...times(20, 100), 0, 0, 0)
  expect([stalled.bytesPerSecond, etaSeconds(stalled, 1000)]).toEqual([0, null])
  const back = feed(stalled, ...times(4, 50))
  expect([back.bytesPerSecond, etaSeconds(back, 1000)]).toEqual([50, null])
  expect(etaSeconds(feed(back, 50), 1000)).toBe(20)
  expect(back.peakBytesPerSecond).toBeCloseTo(100)
})

test('a rewind never makes the pace negative', () => {
  expect(feed(startRate(0), 100, -100, 100).bytesPerSecond).toBeGreaterThanOrEqual(0)
})

test('between samples nothing changes', () => {
  const estimate = feed(startRate(0), 100)
  expect(sampleRate(estimate, estimate.sampledAtMs + 999, 5000)).toBe(estimate)
})

test('however rarely somebody looks, a steady pace is told truly', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1000, max: 20_000 }), { minLength: 1, maxLength: 20 }), (gaps) => {
      let nowMs = 0
      const last = gaps.reduce((estimate, gapMs) => {
        nowMs += gapMs
        return sampleRate(estimate, nowMs, nowMs)
      }, startRate(0))
      expect(last.bytesPerSecond).toBeCloseTo(1000)
    }),
  )
})

test('the time left counts down evenly while the estimate stays within a tenth, and follows it beyond', () => {
  const end = steadyEnd(null, 0, 100)
  expect(end).toBe(100_000)
  expect(steadyEnd(end, 10_000, 84)).toBe(end)
  expect(steadyEnd(end, 10_000, 98)).toBe(end)
  expect(steadyEnd(end, 10_000, 120)).toBe(130_000)
  expect(steadyEnd(end, 10_000, null)).toBeNull()
  expect(steadyEnd(end, 100_000, 0)).toBe(end)
})
