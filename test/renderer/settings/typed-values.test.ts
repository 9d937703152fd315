import { expect, onTestFinished, test } from 'vitest'
import {
  COUNT,
  COUNT_OR_AUTOMATIC,
  MINUTE_OF_DAY,
  PART_SIZE,
  RATE,
  SOME_RATE,
  type Writing,
} from '../../../renderer/settings/typed-values.ts'
import { beforeChange, defaultsOf, isByDefault } from '../../../renderer/settings/sections.ts'
import { parseRate } from '../../../renderer/words/rate-text.ts'
import { setUnits } from '../../../shared/format/format-amount.ts'
import { MIB } from '../../../shared/limits.ts'
import { limitWords, offeredLimits } from '../../../shared/format/limit-words.ts'
import { DEFAULT_SETTINGS } from '../../../shared/settings.ts'

const AT_A_TIME = 'A whole number from 1 to 16'
const SPEED = 'A number of MB/s from 0.002 to 1,000,000, such as 0.5 or 20'

function comesBack<Value>({ toText, read }: Writing<Value>, ...values: readonly Value[]): void {
  for (const value of values) expect(read(toText(value))).toEqual({ value })
}

test('what is shown is read as it was', () => {
  comesBack(COUNT, 1, 16)
  comesBack(COUNT_OR_AUTOMATIC, null, 12)
  comesBack(RATE, null, 2_500_000, 1024)
  comesBack(SOME_RATE, 500_000)
  comesBack(PART_SIZE, null, 6 * MIB, 5120 * MIB)
  comesBack(MINUTE_OF_DAY, 0, 7 * 60 + 5, 23 * 60 + 59)
})

test('a limit is written in the unit of sizes, and is the same bytes in each', () => {
  onTestFinished(() => setUnits('decimal'))
  expect([RATE.toText(1_000_000), limitWords(1_000_000)]).toEqual(['1', '1 MB/s'])
  expect([200_000, 2_500_000, 12_345_678, 1e9].map(limitWords)).toEqual([
    '200 kB/s',
    '2.5 MB/s',
    '12.35 MB/s',
    '1 GB/s',
  ])
  setUnits('binary')
  expect(RATE.read('2.5')).toEqual({ value: 2.5 * MIB })
  expect([1, 0.5, 20].map((each) => RATE.toText(each * MIB))).toEqual(['1', '0.5', '20'])
  expect(offeredLimits(1_000_000).map(limitWords).slice(0, 4)).toEqual(['Off', '976.6 KiB/s', '1 MiB/s', '5 MiB/s'])
  // What is not typed stays, however it is rounded.
  expect(RATE.toText(1_000_000)).toBe('0.953674')
  expect(parseRate('0.953674', 1_000_000)).toEqual({ isValid: true, bytesPerSecond: 1_000_000 })
  expect(parseRate('', 1_000_000)).toEqual({ isValid: true, bytesPerSecond: null })
})

test.each([
  [COUNT, '17', AT_A_TIME],
  [COUNT, '', AT_A_TIME],
  [COUNT, '2.5', AT_A_TIME],
  [COUNT_OR_AUTOMATIC, '65', AT_A_TIME],
  [RATE, 'fast', SPEED],
  [RATE, '-1', SPEED],
  [RATE, '0', SPEED],
  [SOME_RATE, ' ', SPEED],
  [PART_SIZE, '5', 'A whole number from 6 to 5,120'],
  [MINUTE_OF_DAY, '', 'A time such as 07:30'],
] as const)('what can’t be used is said: %#', (writing, text, problem) => {
  expect(writing.read(text)).toEqual({ problem })
})

test('a section is by default until something of it is set, and every setting is in one', () => {
  const changed = { ...DEFAULT_SETTINGS, partSizeBytes: 8 * MIB }
  expect(isByDefault('bandwidth', changed)).toBe(true)
  expect(isByDefault('advanced', changed)).toBe(false)
  expect(isByDefault('advanced', { ...changed, ...defaultsOf('advanced') })).toBe(true)
  const sections = (['general', 'transfers', 'bandwidth', 'advanced'] as const).map(defaultsOf)
  expect(Object.assign({}, ...sections)).toEqual(DEFAULT_SETTINGS)
})

test('what a change sets is kept as it was', () => {
  expect(beforeChange({ ...DEFAULT_SETTINGS, activeTransfers: 7 }, { activeTransfers: 2 })).toEqual({
    activeTransfers: 7,
  })
})

test('both ends of the range that a hint names can be typed, in each unit', () => {
  onTestFinished(() => setUnits('decimal'))
  expect(RATE.read('99999999999')).toEqual({ problem: SPEED })
  expect(['0.002', '1000000'].map((text) => parseRate(text).isValid)).toEqual([true, true])
  setUnits('binary')
  expect(RATE.read('0')).toEqual({ problem: 'A number of MiB/s from 0.001 to 953,674, such as 0.5 or 20' })
  expect(['0.001', '953674'].map((text) => parseRate(text).isValid)).toEqual([true, true])
})
