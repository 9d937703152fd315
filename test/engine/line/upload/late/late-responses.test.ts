import { describe, expect, test } from 'vitest'
import { isLate } from '../../../../../electron/engine/line/upload/late/late-responses.ts'
import { MIB } from '../../../../../shared/limits.ts'

const PART = 5 * MIB

/** On a line that carries a part in five seconds four others were answered since; none may be copied. */
function isGivenUp(silentMs: number, quietMs: number, nowOnItsWay: number): boolean {
  const bytes = { sizeBytes: PART, queueBytes: 5 * PART, queueNowBytes: nowOnItsWay * PART, answeredBytes: 4 * PART }
  const usual = { turnaroundsMs: [20_000], bodyMs: 20_000, rate: MIB }
  return isLate({ silentMs, quietMs, ...bytes, ...usual, isLineIdle: nowOnItsWay === 1 }, () => false)
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
