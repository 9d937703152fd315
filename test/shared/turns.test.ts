import { expect, test } from 'vitest'
import { Turns } from '../../shared/turns.ts'

test('makes no more calls at a time, in the order they came, even if one comes just as another ends', async () => {
  const turns = new Turns(2)
  const begun: number[] = []
  const ended: Promise<void>[] = []
  let running = 0
  let most = 0
  for (let number = 0; number < 60; number += 1) {
    const call = async () => {
      begun.push(number)
      running += 1
      most = Math.max(most, running)
      for (let ticks = 0; ticks < 5 + (number % 7); ticks += 1) await Promise.resolve()
      running -= 1
      if (number % 9 === 0) throw new Error('refused')
    }
    ended.push(turns.take(call).catch(() => undefined))
    for (let ticks = 0; ticks < number % 4; ticks += 1) await Promise.resolve()
  }
  await Promise.all(ended)
  expect([most, begun]).toEqual([2, Array.from(begun.keys())])
})
