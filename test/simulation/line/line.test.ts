import { describe, expect, it } from 'vitest'
import { movedAtMs, type WayTerms } from './line-terms.ts'
import { Way } from './line.ts'
import { createRandom } from '../random.ts'
import { Timeline } from '../timeline.ts'

const TERMS: WayTerms = {
  bytesPerSecond: 10_000,
  delayMs: 0,
  jitterMs: 0,
  bufferBytes: 1_000_000,
  isBufferShared: false,
  order: 'fair',
  spells: [],
}

/** A way, and when the bytes of each connection on it arrived. */
function wayOf(changes: Partial<WayTerms> = {}) {
  const timeline = new Timeline()
  const way = new Way(timeline, createRandom(1), { ...TERMS, ...changes })
  const open = (bytesPerSecond?: number) => {
    const arrived = { bytes: 0, lastMs: 0 }
    const flow = way.open((bytes) => {
      arrived.bytes += bytes
      arrived.lastMs = timeline.nowMs
    }, bytesPerSecond)
    return { flow, arrived }
  }
  const until = async (endMs: number): Promise<void> => {
    timeline.at(endMs - timeline.nowMs, () => undefined)
    while (timeline.nowMs < endMs && (await timeline.step()));
  }
  return { timeline, way, open, until }
}

describe('a way of a simulated line', () => {
  it('is shared evenly by two connections that take turns', async () => {
    const { open, until } = wayOf()
    const first = open()
    const second = open()
    first.flow.write(20_000)
    second.flow.write(20_000)
    await until(2010)
    expect(Math.abs(first.arrived.bytes - second.arrived.bytes)).toBeLessThanOrEqual(500)
    expect(first.arrived.bytes + second.arrived.bytes).toBe(20_000)
  })

  it('carries what came first to its end first where there are no turns', async () => {
    const { open, until } = wayOf({ order: 'fifo' })
    const first = open()
    const second = open()
    first.flow.write(10_000)
    second.flow.write(5000)
    first.flow.write(5000)
    await until(3000)
    expect(second.arrived).toEqual({ bytes: 5000, lastMs: 1500 })
    expect(first.arrived).toEqual({ bytes: 15_000, lastMs: 2000 })
  })

  it('takes what its buffer has room for before anything has moved, and the rest as it moves', async () => {
    const { open, until, timeline } = wayOf({ bufferBytes: 4000 })
    const { flow, arrived } = open()
    const takenAtMs: number[] = []
    for (let write = 0; write < 6; write += 1) flow.write(2000, () => takenAtMs.push(timeline.nowMs))
    expect(takenAtMs).toEqual([0, 0])
    await until(2000)
    expect(takenAtMs).toEqual([0, 0, 200, 400, 600, 800])
    expect(arrived).toEqual({ bytes: 12_000, lastMs: 1200 })
  })

  it('holds no more of a connection in a common buffer than the service has given on it', async () => {
    const { open, until } = wayOf({ bufferBytes: 8000, isBufferShared: true })
    const { flow, arrived } = open(1000)
    for (let write = 0; write < 8; write += 1) flow.write(500)
    await until(1990)
    expect(arrived.bytes).toBe(2000)
    flow.leave()
    await until(20_000)
    expect(arrived.bytes).toBe(2000)
  })

  it('carries nothing during an outage, and every byte of before and after', async () => {
    const { open, until } = wayOf({ spells: [{ everyMs: 5000, lastsMs: 2000, share: 0 }] })
    const { flow, arrived } = open()
    flow.write(60_000)
    await until(3010)
    const before = arrived.bytes
    await until(4990)
    expect([before, arrived.bytes]).toEqual([30_000, 30_000])
    await until(20_000)
    expect(arrived).toEqual({ bytes: 60_000, lastMs: 8000 })
  })

  it('gives the neighbor its share', () => {
    const terms = { ...TERMS, spells: [{ everyMs: 2000, lastsMs: 1000, share: 0.5 }] }
    expect(movedAtMs(terms, 0, 10_000)).toBe(1000)
    expect(movedAtMs(terms, 0, 15_000)).toBe(2000)
    expect(movedAtMs(terms, 1500, 5000)).toBe(2250)
  })

  it('lets one connection have no more than the service takes on it, and others the rest', async () => {
    const { open, until } = wayOf({ order: 'fifo' })
    const slow = open(1000)
    const quick = open()
    slow.flow.write(5000)
    quick.flow.write(20_000)
    await until(2200)
    expect(quick.arrived.bytes).toBeGreaterThan(18_000)
    await until(5200)
    expect(slow.arrived.bytes).toBe(5000)
  })

  it('delivers in order, late by its delay and some jitter', async () => {
    const { open, until } = wayOf({ delayMs: 100, jitterMs: 300 })
    const { flow, arrived } = open()
    flow.write(1000)
    await until(200)
    expect(arrived.bytes).toBeLessThan(1000)
    await until(600)
    expect(arrived.bytes).toBe(1000)
    expect(arrived.lastMs).toBeGreaterThan(200)
  })

  it('goes on with what a buffer has taken when its sender leaves, and loses it when the connection is cut', async () => {
    const { open, until, way } = wayOf({ bufferBytes: 4000 })
    const left = open()
    const cut = open()
    for (let write = 0; write < 4; write += 1) {
      left.flow.write(2000)
      cut.flow.write(2000)
    }
    left.flow.leave()
    cut.flow.cut()
    await until(5000)
    expect(left.arrived.bytes).toBe(4000)
    expect(cut.arrived.bytes).toBeLessThanOrEqual(500)
    expect(way.movedBytes).toBe(left.arrived.bytes + cut.arrived.bytes)
  })
})
