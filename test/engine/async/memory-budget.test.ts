import { expect, test } from 'vitest'
import { createMemoryBudget } from '../../../electron/engine/async/memory-budget.ts'

const never = new AbortController().signal

test('who asks for more than is left waits for its turn', async () => {
  const budget = createMemoryBudget(100)
  const order: string[] = []
  await budget.take(80, never)
  expect(budget.isTight).toBe(true)
  const large = budget.take(60, never).then(() => order.push('large'))
  const small = budget.take(10, never).then(() => order.push('small'))
  budget.give(30)
  await Promise.resolve()
  expect(order).toEqual([])
  budget.give(50)
  await Promise.all([large, small])
  expect(order).toEqual(['large', 'small'])
  expect(budget.isTight).toBe(false)
})

test('more than the whole budget passes alone, and a stop waits for nothing', async () => {
  const budget = createMemoryBudget(100)
  await budget.take(500, never)
  const stop = new AbortController()
  const stopped = budget.take(1, stop.signal)
  stop.abort()
  await stopped
  budget.give(500)
  budget.give(1)
  await budget.take(100, never)
})
