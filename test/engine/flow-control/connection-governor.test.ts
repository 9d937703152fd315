import { describe, expect, onTestFinished, test } from 'vitest'
import type { ConnectionShare } from '../../../electron/engine/core/connections.ts'
import { afterWindow, startGovernor } from '../../../electron/engine/flow-control/connection-governor.ts'
import { fairShares } from '../../../electron/engine/line/fair-shares.ts'
import { createConnectionGovernors } from '../../../electron/engine/line/host-governors.ts'
import { createFakeClock, type FakeClock } from '../../support/fakes/fake-clock.ts'

const MB = 1_000_000
const TICK_MS = 50

interface Network {
  /** Bytes a second that this many connections bring. */
  readonly goodput: (connections: number) => number
  /** More than this are answered with 503. */
  readonly refusesAbove?: number
  /** From this number on, the process is what is slow. */
  readonly saturatedFrom?: number
  readonly latencyMs?: number
}

/** One transfer that always has work for as many connections as it may have. */
async function runOn(network: Network, seconds: number) {
  const clock: FakeClock = createFakeClock()
  let share: ConnectionShare | null = null
  const governors = createConnectionGovernors({
    clock,
    isSaturated: () => (share?.limit ?? 0) >= (network.saturatedFrom ?? Infinity),
  })
  share = governors.join('https://host', () => share?.uses(share.limit, 1000))
  const joined = share
  joined.uses(joined.limit, 1000)
  joined.answered(network.latencyMs ?? 20)
  const limits: number[] = []
  let refusals = 0
  for (let ms = 0; ms < seconds * 1000; ms += TICK_MS) {
    const { limit } = joined
    const allowed = Math.min(limit, network.refusesAbove ?? Infinity)
    joined.arrived((network.goodput(allowed) * TICK_MS) / 1000)
    if (limit > allowed) {
      refusals += 1
      joined.refused()
    }
    limits.push(joined.limit)
    await clock.advance(TICK_MS)
  }
  joined.leave()
  return { limits, last: limits.at(-1) ?? 0, refusals }
}

/** Lets the first bytes of a host come fast. */
function showFast(share: ConnectionShare): void {
  share.began(0, 1)
  share.arrived(512 * 1024)
}

test('each download of a host knows what all of them bring together', async () => {
  const clock = createFakeClock()
  const governors = createConnectionGovernors({ clock, isSaturated: () => false })
  const [one, other, elsewhere] = ['https://host', 'https://host', 'https://other'].map((host) =>
    governors.join(host, () => undefined),
  )
  onTestFinished(() => [one, other, elsewhere].forEach((share) => share?.leave()))
  for (let ms = 0; ms < 8000; ms += TICK_MS) {
    await clock.advance(TICK_MS)
    one?.arrived((2 * MB * TICK_MS) / 1000)
  }
  expect(other?.bytesPerSecond).toBeGreaterThan(1.8 * MB)
  expect(other?.bytesPerSecond).toBeLessThan(2.2 * MB)
  expect(elsewhere?.bytesPerSecond).toBe(0)
})

const perConnection = (rate: number, total = Infinity) => ({ goodput: (n: number) => Math.min(n * rate, total) })

test.each<[string, Network]>([
  ['8 MB/s a connection', perConnection(8 * MB)],
  ['6 MB/s a connection, 60 MB/s in all', perConnection(6 * MB, 60 * MB)],
  ['60 MB/s over any connection', perConnection(60 * MB, 60 * MB)],
  ['20 connections pay', perConnection(5 * MB, 100 * MB)],
  ['slow links', { ...perConnection(1 * MB, 12 * MB), latencyMs: 200 }],
  ['overhead grows with connections', { goodput: (n) => Math.min(n, 6) * 20 * MB * (1 - 0.01 * Math.max(0, n - 6)) }],
])('$0: within 10 percent of the best fixed number', async (_name, network) => {
  const { limits } = await runOn(network, 30)
  const late = limits.slice(-10_000 / TICK_MS).map(network.goodput)
  const best = Math.max(...Array.from({ length: 32 }, (_, index) => network.goodput(index + 1)))
  expect(late.reduce((sum, rate) => sum + rate, 0) / late.length).toBeGreaterThanOrEqual(0.9 * best)
})

test('sixteen connections within half a second where each is capped, thirty-two soon after, never more', async () => {
  const { limits } = await runOn(perConnection(8 * MB), 10)
  expect(limits[Math.ceil(500 / TICK_MS)]).toBeGreaterThanOrEqual(16)
  expect(limits[Math.ceil(1000 / TICK_MS)]).toBe(32)
  expect(Math.max(...limits)).toBe(32)
})

test('if this process is the bottleneck, a few connections remain', async () => {
  const { limits } = await runOn({ goodput: () => 900 * MB, saturatedFrom: 1, latencyMs: 1 }, 3)
  expect(Math.max(...limits)).toBe(8)
  expect(limits.at(-1)).toBeLessThanOrEqual(2)
})

test.each([
  [8, 'steady', 8],
  [9, 'shrink', 8],
  [16, 'shrink', 8],
  [5, 'steady', 5],
])('of %d none fewer than eight are tried where these are the least', (limit, phase, then) => {
  const state = {
    ...startGovernor(0),
    phase: 'shrink',
    least: 8,
    limit,
    before: { limit: 32, bytesPerSecond: MB },
  } as const
  const seen = { nowMs: 5000, bytesPerSecond: MB, isFull: true, isSaturated: false, failures: 0 }
  expect(afterWindow(state, seen)).toMatchObject({ phase, limit: then })
})

test('where more bring nothing, fewer are tried', async () => {
  const { last } = await runOn(perConnection(50 * MB, 50 * MB), 5)
  expect(last).toBeLessThanOrEqual(2)
})

test('a refusal takes three of ten connections away, and holds for ten seconds', async () => {
  const clock = createFakeClock()
  const share = createConnectionGovernors({ clock, isSaturated: () => false }).join('h', () => undefined)
  showFast(share)
  expect(share.limit).toBe(8)
  share.refused()
  // Answers to what was under way already.
  share.refused()
  expect(share.limit).toBe(5)
  await clock.advance(9000)
  expect(share.limit).toBe(5)
  share.refused()
  expect(share.limit).toBe(3)
  share.leave()
})

test('a service that refuses more than some connections is hardly bothered', async () => {
  const seconds = 120
  const { last, refusals } = await runOn({ ...perConnection(5 * MB), refusesAbove: 10 }, seconds)
  expect(last).toBeGreaterThanOrEqual(7)
  expect(last).toBeLessThanOrEqual(12)
  expect(refusals * TICK_MS).toBeLessThanOrEqual(0.03 * seconds * 1000)
})

test('connections that can’t be made are not insisted on', async () => {
  const clock = createFakeClock()
  const share = createConnectionGovernors({ clock, isSaturated: () => false }).join('h', () => undefined)
  showFast(share)
  share.failed()
  share.failed()
  await clock.advance(300)
  expect(share.limit).toBe(7)
  share.leave()
})

test('transfers to one host share fairly, hosts don’t share, and what was learned is kept', async () => {
  const clock = createFakeClock()
  const governors = createConnectionGovernors({ clock, isSaturated: () => false })
  const [a, b] = [governors.join('h', () => undefined), governors.join('h', () => undefined)]
  const other = governors.join('other', () => undefined)
  showFast(a)
  a.uses(1, 100)
  b.uses(1, 2)
  expect([a.limit, b.limit, other.limit]).toEqual([6, 2, 2])
  b.leave()
  expect(a.limit).toBe(8)
  a.refused()
  a.leave()
  expect(governors.join('h', () => undefined).limit).toBe(5)
})

describe('the first bytes of a download', () => {
  /** What they allow when they come over two connections at this rate, with a burst each `everyMs`. */
  async function begun(bytesPerSecond: number, ms: number, { latencyMs = 1, everyMs = 50 } = {}) {
    const clock = createFakeClock()
    const share = createConnectionGovernors({ clock, isSaturated: () => false }).join('h', () => undefined)
    share.uses(2, 1000)
    share.began(0, latencyMs)
    const limits = [share.limit]
    for (let passedMs = 0; passedMs < ms; passedMs += everyMs) {
      await clock.advance(everyMs)
      if (bytesPerSecond > 0) share.arrived((bytesPerSecond * everyMs) / 1000)
      share.uses(share.limit, 1000)
      limits.push(share.limit)
    }
    share.leave()
    return limits
  }

  test('two connections where nothing is known, eight as soon as they come fast', async () => {
    const limits = await begun(8 * MB, 100)
    expect(limits).toEqual([2, 8, 8])
  })

  test('from far away, less than that is fast', async () => {
    expect((await begun(3.5 * MB, 600, { latencyMs: 40 })).at(-1)).toBe(8)
    expect((await begun(3.5 * MB, 600)).at(-1)).toBeLessThan(8)
  })

  test('bytes that two connections gathered between ticks don’t make a line look fast', async () => {
    expect(Math.max(...(await begun(MB, 3000, { latencyMs: 25, everyMs: 250 })))).toBeLessThanOrEqual(4)
  })

  test('one connection stays of a slow line that any number fills, however its bytes come', async () => {
    for (const everyMs of [50, 250]) {
      const limits = await begun(0.25 * MB, 6000, { everyMs })
      expect(Math.max(...limits)).toBeLessThanOrEqual(4)
      expect(limits.at(-1)).toBe(1)
    }
  })

  test('silence doesn’t justify more connections', async () => {
    expect(Math.max(...(await begun(0, 20_000)))).toBe(2)
  })
})

test('everyone gets at least one connection, and no more than they want', () => {
  expect(fairShares(8, [100, 100, 100])).toEqual([3, 3, 2])
  expect(fairShares(2, [5, 5, 5])).toEqual([1, 1, 1])
  expect(fairShares(10, [1, 100])).toEqual([1, 9])
  expect(fairShares(10, [1, 2])).toEqual([1, 2])
  expect(fairShares(10, [0])).toEqual([10])
})
