import { expect, test } from 'vitest'
import { Throughput } from '../../../electron/engine/flow-control/throughput.ts'
import { MIB } from '../../../shared/limits.ts'

test('a request that a fast line finishes at once shows its rate, but one of few bytes does not', () => {
  const fast = new Throughput(0, null)
  fast.moved(8 * MIB, 20)
  expect(fast.rateAt(20)).toBeNull()
  expect(fast.rateOfEnded(20)).toBe(400 * MIB)
  const small = new Throughput(0, null)
  small.moved(MIB / 2, 20)
  expect(small.rateOfEnded(20)).toBeNull()
})

test('what is expected of a connection stands until it has shown its own rate', () => {
  const expected = new Throughput(0, MIB)
  expect(expected.rateOfEnded(10)).toBe(MIB)
})
