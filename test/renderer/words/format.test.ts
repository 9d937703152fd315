import { formatEta, speakEta } from '../../../shared/format/format-eta.ts'
import { expect, onTestFinished, test } from 'vitest'
import { setUnits } from '../../../shared/format/format-amount.ts'
import {
  formatBytes,
  formatBytesUp,
  formatCountdown,
  formatDuration,
  formatExactBytes,
  formatProgress,
  formatRate,
  percentOf,
} from '../../../renderer/words/format.ts'

test('an amount that has to suffice is rounded up', () => {
  expect([0, 999, 1000, 1_001, 9_991_000, 44_560_000, 999_400_000, 1_200_000_000].map(formatBytesUp)).toEqual([
    '0 bytes',
    '999 bytes',
    '1.00 kB',
    '1.01 kB',
    '10.0 MB',
    '44.6 MB',
    '1.00 GB',
    '1.20 GB',
  ])
})

test('bytes have three significant digits in decimal units and never show 1000 of one', () => {
  const sizes = [0, 1, 999, 1000, 9_994, 9_996, 99_949, 99_951, 999_499, 999_500, 2e9, 12.7e9, 5e12]
  expect(sizes.map(formatBytes)).toEqual([
    '0 bytes',
    '1 byte',
    '999 bytes',
    '1.00 kB',
    '9.99 kB',
    '10.0 kB',
    '99.9 kB',
    '100 kB',
    '999 kB',
    '1.00 MB',
    '2.00 GB',
    '12.7 GB',
    '5.00 TB',
  ])
  expect(formatExactBytes(12_700_000_001)).toBe('12,700,000,001 bytes')
})

test('progress names the unit once when both sides share it and never exceeds the whole', () => {
  expect(formatProgress(7.9e9, 12.7e9)).toBe('7.90 of 12.7 GB')
  expect(formatProgress(410e6, 12.7e9)).toBe('410 MB of 12.7 GB')
  expect(formatProgress(0, 12.7e9)).toBe('0 of 12.7 GB')
  expect(formatProgress(61e6, 56e6)).toBe('56.0 of 56.0 MB')
  expect(formatProgress(410e6, null)).toBe('410 MB')
})

test('percent is rounded down, so that 100 means all of it', () => {
  expect([percentOf(999, 1000), percentOf(1000, 1000), percentOf(0, 0), percentOf(5, null)]).toEqual([
    99,
    100,
    100,
    null,
  ])
})

test('sizes and rates in powers of 1,024, where they are wanted', () => {
  onTestFinished(() => setUnits('decimal'))
  setUnits('binary')
  expect([1000, 1024, 1_048_576, 12.7 * 1024 ** 3].map(formatBytes)).toEqual([
    ...['1,000 bytes', '1.00 KiB', '1.00 MiB', '12.7 GiB'],
  ])
  expect(formatRate(48.2e6)).toBe('46.0 MiB/s')
})

test('rates', () => {
  expect([0, 0.4, 512, 48.2e6].map(formatRate)).toEqual(['0', '0', '512 B/s', '48.2 MB/s'])
})

test('time left is said the way a person says it', () => {
  expect([null, 0, 4, 7, 58, 89, 170, 3600, 4800, 86_401].map(formatEta)).toEqual([
    'Estimating…',
    'a few seconds',
    'a few seconds',
    '10 s',
    '1 min',
    '1 min',
    '3 min',
    '1 h',
    '1 h 20 min',
    'over a day',
  ])
  expect([60, 180, 4860].map(speakEta)).toEqual(['1 minute', '3 minutes', '1 hour 21 minutes'])
})

test('time taken and countdowns', () => {
  expect([80, 400, 12_000, 261_000, 3_900_000].map(formatDuration)).toEqual([
    '0.1 s',
    '0.4 s',
    '12 s',
    '4 min 21 s',
    '1 h 5 min',
  ])
  expect([12_000, 500, -3, 61_000].map(formatCountdown)).toEqual(['0:12', '0:01', '0:00', '1:01'])
})
