import { describe, expect, test } from 'vitest'
import {
  afterAnswer,
  afterTimeout,
  answerTimeoutMs,
  NO_ANSWERS,
  type AnswerTimes,
} from '../../electron/engine/slow-part-policy.ts'

const answers = (...elapsedMs: number[]): AnswerTimes => elapsedMs.reduce(afterAnswer, NO_ANSWERS)
const many = (count: number, elapsedMs: number): number[] => Array<number>(count).fill(elapsedMs)
const timedOut = (times: AnswerTimes, count: number): AnswerTimes =>
  count === 0 ? times : timedOut(afterTimeout(times), count - 1)

describe('a part that is sent is waited for', () => {
  test('as long as it takes, until as many were answered as are under way, and ten', () => {
    expect(answerTimeoutMs(answers(...many(9, 50)), 1)).toBeNull()
    expect(answerTimeoutMs(answers(...many(10, 50)), 1)).toBe(1000)
    expect(answerTimeoutMs(answers(...many(31, 50)), 32)).toBeNull()
    expect(answerTimeoutMs(answers(...many(32, 50)), 32)).toBe(1000)
  })

  test('as long as nine of ten needed, lately', () => {
    expect(answerTimeoutMs(answers(...many(8, 100), 2300, 4000), 1)).toBe(2300)
    expect(answerTimeoutMs(answers(...many(50, 4000), ...many(100, 10)), 1)).toBe(1000)
  })

  test('longer when too many were not', () => {
    const usual = answers(...many(10, 50))
    expect(answerTimeoutMs(timedOut(usual, 1), 1)).toBe(2000)
    expect(answerTimeoutMs(timedOut(answers(...many(500, 50)), 1), 1)).toBe(1100)
    expect(answerTimeoutMs(timedOut(answers(...many(2000, 50)), 1), 1)).toBe(1000)
  })

  test('as long as it takes by a service that needs more than 5 s anyway', () => {
    expect(answerTimeoutMs(answers(...many(10, 5001)), 1)).toBeNull()
    expect(answerTimeoutMs(timedOut(answers(...many(10, 50)), 5), 1)).toBeNull()
  })
})
