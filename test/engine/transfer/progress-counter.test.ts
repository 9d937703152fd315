import { expect, test } from 'vitest'
import { createProgressCounter } from '../../../electron/engine/transfer/progress-counter.ts'

test('in flight is what moved and is not confirmed; found bytes never moved', () => {
  const counter = createProgressCounter()
  counter.confirmed(100, 'found')
  counter.moved(30)
  counter.confirmed(20, 'moved')
  expect([counter.confirmedBytes, counter.inFlightBytes, counter.movedBytes]).toEqual([120, 10, 30])
})

test('a retry rewinds what moved, a damaged claim what was confirmed', () => {
  const counter = createProgressCounter()
  counter.moved(30)
  counter.moved(-30)
  counter.confirmed(10, 'found')
  counter.confirmed(-10, 'found')
  expect([counter.confirmedBytes, counter.inFlightBytes, counter.movedBytes]).toEqual([0, 0, 0])
})
