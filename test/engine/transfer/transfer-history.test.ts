import { describe, expect, it } from 'vitest'
import {
  addSecond,
  joinSeries,
  MAX_LIFE_SAMPLES,
  NO_SPEED,
  samplesOf,
  type SpeedSeries,
} from '../../../electron/engine/transfer/speed-series.ts'
import { MAX_LOG_ENTRIES, NOTHING_MOVED, TransferHistory } from '../../../electron/engine/transfer/transfer-history.ts'
import { createFakeClock, type FakeClock } from '../../support/fakes/fake-clock.ts'

const seriesOf = (seconds: readonly (number | null)[]): SpeedSeries => seconds.reduce(addSecond, NO_SPEED)
const history = (clock: FakeClock, isWhole = true) => new TransferHistory(clock, isWhole, () => undefined)
const told = ({ entries }: TransferHistory) =>
  entries.map(({ text, times = 1 }) => (times > 1 ? `${text} ×${times}` : text))

describe('the speed of a whole life', () => {
  it('is kept second by second while it is short', () => {
    expect(samplesOf(seriesOf([10, 20, null, null, null, 30]))).toEqual([10, 20, null, 30])
  })

  it('is thinned as it grows, and never has more than 120 samples', () => {
    let series = NO_SPEED
    for (let second = 0; second < 100_000; second += 1) {
      series = addSecond(series, second < 50_000 ? 1000 : 3000)
      if (samplesOf(series).length > MAX_LIFE_SAMPLES) throw new Error(`${samplesOf(series).length} at ${second}`)
    }
    const samples = samplesOf(series)
    expect(series.stepMs).toBe(1_024_000)
    expect([samples[0], samples.at(-1)]).toEqual([1000, 3000])
    expect(samples.length * series.stepMs).toBeGreaterThanOrEqual(100_000_000)
  })

  it('goes on after a gap, whatever each half of it stands for', () => {
    const long = seriesOf(Array.from({ length: 200 }, () => 500))
    const joined = joinSeries(long, seriesOf([100, 300]))
    expect(joined.stepMs).toBe(2000)
    expect(samplesOf(joined).slice(-3)).toEqual([500, null, 200])
  })
})

describe('what happened to a transfer', () => {
  it('folds what is said again into one entry that counts', () => {
    const past = history(createFakeClock())
    for (const text of ['a', 'b', 'b', 'b', 'a']) past.note(text)
    expect(told(past)).toEqual(['a', 'b ×3', 'a'])
  })

  it('keeps the last hundred entries, none longer than 500 characters', () => {
    const past = history(createFakeClock())
    for (let number = 0; number < 3 * MAX_LOG_ENTRIES; number += 1) past.note(`${number} ${'x'.repeat(5000)}`)
    expect(past.entries.length).toBe(100)
    expect(past.entries.at(-1)?.text).toHaveLength(500)
    expect(JSON.stringify(past.toKeep(NOTHING_MOVED)).length).toBeLessThan(100_000)
  })

  it('does not say that it continued right after a person said so', async () => {
    const clock = createFakeClock()
    const past = history(clock)
    past.started('started')
    past.mark('paused')
    past.mark('paused')
    past.mark('resumed')
    past.started('continued')
    expect(told(past)).toEqual(['Started', 'Paused by you', 'Resumed by you'])
    await clock.advance(60_000)
    past.started('continued')
    expect(told(past).at(-1)).toBe('Continued')
  })

  it('says when the app was closed that ended without a word, and what came before it', async () => {
    const clock = createFakeClock()
    const before = history(clock)
    before.started('started')
    await clock.advance(2000)
    before.sample(700)
    const kept = before.toKeep({ movedBytes: 1400, activeMs: 2000, peakBytesPerSecond: 700 })
    await clock.advance(3_600_000)
    const after = history(clock, false)
    after.started('continued')
    after.restore(kept, true)
    expect(told(after)).toEqual(['Started', 'App was closed', 'Continued'])
    expect(after.entries.map(({ atMs }) => atMs - Date.UTC(2026, 0, 1))).toEqual([0, 2000, 3_602_000])
    expect(after.life.samples).toEqual([700, 700, null])
    expect(after.totals).toEqual({ movedBytes: 1400, activeMs: 2000, peakBytesPerSecond: 700 })
  })
})
