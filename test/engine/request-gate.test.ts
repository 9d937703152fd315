import { expect, it } from 'vitest'
import { createRequestGate } from '../../electron/engine/request-gate.ts'

function world(maxRequests: number) {
  let nowMs = 0
  const abort = new AbortController()
  const gate = createRequestGate(maxRequests, { monotonicMs: () => nowMs }, abort.signal)
  return { gate, abort, pass: (durationMs: number) => (nowMs += durationMs) }
}

it('lets so many in at a time, first come first served', async () => {
  const { gate } = world(2)
  expect([gate.enter(), gate.enter()]).toEqual([undefined, undefined])
  const order: string[] = []
  const third = gate.enter()?.then(() => order.push('third'))
  const fourth = gate.enter()?.then(() => order.push('fourth'))
  gate.leave('done')
  gate.leave('failed')
  await Promise.all([third, fourth])
  expect(order).toEqual(['third', 'fourth'])
})

it('goes down once for refusals that come together, never below one, and up again after a while', () => {
  const { gate, pass } = world(10)
  const one = (how: 'done' | 'refused') => {
    void gate.enter()
    gate.leave(how)
  }
  for (let refusal = 0; refusal < 5; refusal += 1) one('refused')
  expect(gate.limit).toBe(7)
  for (let burst = 0; burst < 20; burst += 1) {
    pass(1000)
    one('refused')
  }
  expect(gate.limit).toBe(1)
  pass(9999)
  one('done')
  expect(gate.limit).toBe(1)
  pass(1)
  for (let success = 0; success < 1 + 2 + 3; success += 1) one('done')
  expect(gate.limit).toBe(4)
})

it('turns those away that wait when the run ends', async () => {
  const { gate, abort } = world(1)
  void gate.enter()
  const waiting = gate.enter()
  abort.abort('pause')
  await expect(waiting).rejects.toBe('pause')
  await expect(gate.enter()).rejects.toBe('pause')
})
