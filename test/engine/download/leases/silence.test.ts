import { expect, test } from 'vitest'
import { Silence } from '../../../../electron/engine/download/leases/silence.ts'

/** When another connection is tried while nothing moves from 0 ms on, and leases are out or not. */
function triesIn(untilMs: number, isAnyOut: boolean): readonly number[] {
  const silence = new Silence(0)
  const tries: number[] = []
  for (let nowMs = 0; nowMs <= untilMs; nowMs += 100) {
    if (!silence.isTrialDue(isAnyOut ? 0 : null, nowMs)) continue
    silence.tried(nowMs)
    tries.push(nowMs)
  }
  return tries
}

test('another connection is tried after two seconds, and less often the longer the silence lasts', () => {
  const tries = triesIn(60_000, true)
  expect(tries.slice(0, 2)).toEqual([2000, 5000])
  const gaps = tries.slice(1).map((atMs, index) => atMs - (tries[index] ?? 0))
  expect(gaps).toEqual([...gaps].sort((one, other) => one - other))
  expect(gaps.at(-1)).toBe(10_000)
})

test('none is tried while no request is out: the service asked to wait, or can’t be reached', () => {
  expect(triesIn(60_000, false)).toEqual([])
})

test('once something moves or the service answers, the silence is over', () => {
  const silence = new Silence(0)
  expect(silence.isTrialDue(0, 2000)).toBe(true)
  silence.tried(2000)
  expect(silence.isTrialDue(2100, 2200)).toBe(false)
  expect(silence.isTried).toBe(false)
  expect(silence.isTrialDue(2100, 4100)).toBe(true)
  silence.tried(4100)
  silence.ended()
  expect(silence.isTrialDue(null, 20_000)).toBe(false)
})
