import { describe, expect, test } from 'vitest'
import { isLate } from '../../../../../electron/engine/line/upload/late/late-responses.ts'
import { MIB } from '../../../../../shared/limits.ts'

const PART = 5 * MIB

/** On a line that carries a part in five seconds four others were answered since; none may be copied. */
function isGivenUp(silentMs: number, quietMs: number, nowOnItsWay: number): boolean {
  const bytes = { sizeBytes: PART, queueBytes: 5 * PART, queueNowBytes: nowOnItsWay * PART, answeredBytes: 4 * PART }
  const usual = { turnaroundsMs: [20_000], bodyMs: 20_000, aloneMs: 5000, rate: MIB }
  const others = { isAnyAnswered: true, isLineIdle: nowOnItsWay === 1 }
  return isLate({ silentMs, quietMs, ...bytes, ...usual, ...others }, () => false)
}

describe('a body that stands still is given up after half a minute', () => {
  test('and four times what all that was on its way with it takes', () => {
    expect(isGivenUp(129_000, 1000, 1)).toBe(false)
    expect(isGivenUp(131_000, 1000, 1)).toBe(true)
  })

  test.each([1, 2, 4])('and four times what %i bodies take that are left, from the latest response on', (left) => {
    const mostMs = 30_000 + 4 * left * 5000
    expect(isGivenUp(mostMs + 5000, mostMs - 1000, left)).toBe(false)
    expect(isGivenUp(mostMs + 5000, mostMs + 1000, left)).toBe(true)
  })
})

test('a body that began alone is given the time of those that began later and share its line, until they overtake it', () => {
  const usual = {
    turnaroundsMs: [20_000],
    bodyMs: 20_000,
    aloneMs: 5000,
    rate: MIB,
    isAnyAnswered: false,
    isLineIdle: false,
  }
  const isGivenUpBeside = (silentMs: number, answered: number): boolean => {
    const bytes = { sizeBytes: PART, queueBytes: PART, queueNowBytes: 4 * PART, answeredBytes: answered * PART }
    return isLate({ silentMs, quietMs: silentMs, ...bytes, ...usual }, () => false)
  }
  expect(isGivenUpBeside(109_000, 0)).toBe(false)
  expect(isGivenUpBeside(111_000, 0)).toBe(true)
  expect(isGivenUpBeside(51_000, 1)).toBe(false)
  expect(isGivenUpBeside(51_000, 2)).toBe(true)
})

describe('the last body on its way, when all that was on its way with it is answered', () => {
  const last = { sizeBytes: PART, queueBytes: 2 * PART, queueNowBytes: PART, answeredBytes: PART, rate: MIB }

  /** Its body and others took 5 s each, and their answers 4 s. */
  function isCopied(silentMs: number, responses: number, isLineIdle = true): boolean {
    const usual = { turnaroundsMs: Array.from({ length: responses }, () => 4000), bodyMs: 5000, aloneMs: Infinity }
    return isLate({ silentMs, quietMs: silentMs, ...last, ...usual, isAnyAnswered: true, isLineIdle }, () => true)
  }

  test('goes again after three times what others took, where few answers are known', () => {
    expect(isCopied(14_000, 4)).toBe(false)
    expect(isCopied(16_000, 4)).toBe(true)
  })

  test('goes again sooner where many are known, and not where hardly any is, or others wait', () => {
    expect(isCopied(13_000, 10)).toBe(true)
    expect(isCopied(25_000, 2)).toBe(false)
    expect(isCopied(25_000, 4, false)).toBe(false)
  })

  /** Others shared the line, which carries a body in `aloneMs`: their answers took up to 100 s. */
  function isCopiedAfterOthers(quietMs: number, aloneMs: number): boolean {
    const usual = { turnaroundsMs: [40_000, 80_000, 100_000], bodyMs: 150_000, aloneMs, rate: (PART * 1000) / aloneMs }
    const standstill = { silentMs: 20_000 + quietMs, quietMs, ...last, ...usual, isAnyAnswered: true, isLineIdle: true }
    return isLate(standstill, (isFree) => isFree)
  }

  test('goes again once it could have gone twice since, however long the others took that shared the line', () => {
    expect(isCopiedAfterOthers(79_000, 40_000)).toBe(false)
    expect(isCopiedAfterOthers(81_000, 40_000)).toBe(true)
  })

  /** Others were answered while it still moved, or none since it began. */
  function isCopiedAlone(silentMs: number, isAnyAnswered: boolean): boolean {
    const usual = { turnaroundsMs: [4000, 4000, 4000], bodyMs: 5000, aloneMs: 5000, isAnyAnswered, isLineIdle: true }
    const bytes = { ...last, queueBytes: PART, answeredBytes: 0 }
    return isLate({ silentMs, quietMs: silentMs, ...bytes, ...usual }, (isFree) => isFree)
  }

  test('goes again just so where the others were answered while it still moved', () => {
    expect(isCopiedAlone(29_000, true)).toBe(false)
    expect(isCopiedAlone(31_000, true)).toBe(true)
  })

  test('waits longer where none was answered since it began: buffers may hold bodies of before a pause', () => {
    expect(isCopiedAlone(49_000, false)).toBe(false)
    expect(isCopiedAlone(51_000, false)).toBe(true)
  })

  test('waits half a minute for a line that may be out', () => {
    expect(isCopiedAfterOthers(29_000, 5000)).toBe(false)
    expect(isCopiedAfterOthers(31_000, 5000)).toBe(true)
  })
})

test('while nothing is answered at all, a body is not sent again within ten seconds: the line may be out', () => {
  const others = { isAnyAnswered: true, isLineIdle: false }
  const bytes = { sizeBytes: PART / 10, queueBytes: PART / 10, queueNowBytes: PART, rate: MIB, ...others }
  const usual = { turnaroundsMs: Array.from({ length: 10 }, () => 200), bodyMs: 5000, aloneMs: 500 }
  const isCopied = (silentMs: number, answeredBytes: number) =>
    isLate({ silentMs, quietMs: silentMs, ...bytes, ...usual, answeredBytes }, () => true)
  expect(isCopied(9000, 0)).toBe(false)
  expect(isCopied(9000, PART / 10)).toBe(true)
  expect(isCopied(11_000, 0)).toBe(true)
})
