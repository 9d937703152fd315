import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  etaSeconds,
  sampleRate,
  spreadMoved,
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
})

test('what a transfer prepares before its first byte is no part of its pace', () => {
  let estimate = startRate(0)
  for (let nowMs = 100; nowMs <= 2500; nowMs += 100) estimate = sampleRate(estimate, nowMs, 0)
  for (let nowMs = 2600; nowMs <= 4500; nowMs += 100) estimate = sampleRate(estimate, nowMs, nowMs - 2500)
  expect(estimate.bytesPerSecond).toBeCloseTo(1000)
})

test('bytes that moved unseen count for the time in which they moved, not for the moment in which they showed', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 5000 }), fc.integer({ min: 6000, max: 29_000 }), (beganMs, shownMs) => {
      const until = (estimate: RateEstimate, fromMs: number, toMs: number, movedAt: (nowMs: number) => number) => {
        let last = estimate
        for (let nowMs = fromMs; nowMs < toMs; nowMs += 100) last = sampleRate(last, nowMs, movedAt(nowMs))
        return last
      }
      const quiet = until(startRate(0), 0, shownMs, () => 0)
      const bytes = shownMs - beganMs
      const shown = spreadMoved(quiet, bytes, bytes, shownMs)
      const later = until(shown, shownMs, shownMs + 3000, (nowMs) => nowMs - beganMs)
      expect(Math.abs(later.bytesPerSecond - 1000)).toBeLessThan(1000 / 3)
      const moved = later.samples.reduce((sum, sample) => sum + sample, 0)
      expect(moved / later.samples.length).toBeLessThanOrEqual(1010)
    }),
  )
})

test('what moved unseen until the first response is a pace at once, unless it was over in no time', () => {
  const quiet = startRate(4000)
  expect(spreadMoved(quiet, 700, 700, 4000).bytesPerSecond).toBe(1000)
  expect(spreadMoved(quiet, 3000, 3000, 4000).bytesPerSecond).toBe(1000)
  expect(spreadMoved(quiet, 700, 7, 4000).bytesPerSecond).toBe(0)
})

test('a rewind never makes the pace negative', () => {
  expect(feed(startRate(0), 100, -100, 100).bytesPerSecond).toBeGreaterThanOrEqual(0)
})

test('between samples nothing changes', () => {
  const estimate = feed(startRate(0), 100)
  expect(sampleRate(estimate, estimate.sampledAtMs + 999, 5000)).toBe(estimate)
})

test('a steady pace is measured correctly, however rarely it is sampled', () => {
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

test('the time left counts down nearly evenly until it is right, and jumps only when it is a quarter off', () => {
  const end = steadyEnd(null, 0, 100)
  expect(end).toEqual({ endMs: 100_000, saidAtMs: 0 })
  expect(steadyEnd(end, 10_000, 90)).toEqual({ endMs: 100_000, saidAtMs: 10_000 })
  expect(steadyEnd(end, 1000, 90)).toEqual({ endMs: 99_800, saidAtMs: 1000 })
  expect(steadyEnd(end, 1000, 110)).toEqual({ endMs: 100_200, saidAtMs: 1000 })
  expect(steadyEnd(end, 10_000, 110)).toEqual({ endMs: 120_000, saidAtMs: 10_000 })
  expect(steadyEnd(end, 10_000, 130)).toEqual({ endMs: 140_000, saidAtMs: 10_000 })
  expect(steadyEnd(end, 10_000, null)).toBeNull()
})

test('a time left that is somewhat off is right before long, however often it is asked for', () => {
  let shown = steadyEnd(null, 0, 110)
  for (let nowMs = 250; nowMs <= 60_000; nowMs += 250) shown = steadyEnd(shown, nowMs, 100 - nowMs / 1000)
  expect(shown?.endMs).toBeCloseTo(100_000)
})

test('bytes that moved nobody knows when leave the rate as it is', () => {
  const moving = [1000, 2000, 3000, 4000].reduce((estimate, nowMs) => sampleRate(estimate, nowMs, nowMs), startRate(0))
  const corrected = sampleRate(spreadMoved(moving, -700, Infinity, 4500), 5000, 5000 - 700)
  expect(corrected.bytesPerSecond).toBeCloseTo(1000)
})
