import { describe, expect, it } from 'vitest'
import { UploadWidth } from '../../../../../electron/engine/line/upload/width/upload-width.ts'
import type { KnownStretch } from '../../../../../electron/engine/line/upload/known/line-rate.ts'
import { MIB } from '../../../../../shared/limits.ts'

const BODY_BYTES = 5 * MIB
const LOOK_MS = 100

/** What moved by the end of each look, and of how much of it all is known. */
class Moved {
  readonly #looks: { readonly atMs: number; readonly bytes: number }[] = [{ atMs: 0, bytes: 0 }]

  add(atMs: number, bytes: number): void {
    this.#looks.push({ atMs, bytes: this.#at(atMs).bytes + bytes })
  }

  between(fromMs: number, toMs: number): KnownStretch {
    const [from, to] = [this.#at(fromMs), this.#at(toMs)]
    return { bytes: Math.max(0, to.bytes - from.bytes), ms: Math.max(0, to.atMs - from.atMs) }
  }

  #at(atMs: number): { readonly atMs: number; readonly bytes: number } {
    return this.#looks.findLast((look) => look.atMs <= atMs) ?? { atMs: 0, bytes: 0 }
  }
}

interface Body {
  readonly beganAtMs: number
  left: number
}

/**
 * The most bodies at a time, second by second, on a line whose buffers hide all but answers: so much passes a second in
 * one connection, and in all of them together, and nothing while all connections break.
 */
function widths(
  connectionBytes: number,
  lineBytes: number,
  seconds: number,
  isBroken = (_second: number): boolean => false,
): number[] {
  const width = new UploadWidth(0)
  const bodies = new Set<Body>()
  const seen: number[] = []
  const movedBytes = new Moved()
  let answeredBytes = 0
  let answeredMs = 0
  let underWayMs = 0
  let rate: number | null = null
  for (let nowMs = 0; nowMs < seconds * 1000; nowMs += LOOK_MS) {
    const breaks = isBroken(nowMs / 1000)
    if (breaks) bodies.clear()
    while (bodies.size < width.limit) bodies.add({ beganAtMs: nowMs, left: BODY_BYTES })
    const moved = breaks ? 0 : (Math.min(connectionBytes, lineBytes / bodies.size) * LOOK_MS) / 1000
    const answeredAtMs = nowMs + LOOK_MS
    underWayMs += bodies.size * LOOK_MS
    movedBytes.add(answeredAtMs, moved * bodies.size)
    for (const body of [...bodies]) {
      body.left -= moved
      if (body.left > 0) continue
      bodies.delete(body)
      const tookMs = answeredAtMs - body.beganAtMs
      answeredBytes += BODY_BYTES
      answeredMs += tookMs
      const isAlone = width.limit === 1
      rate = (BODY_BYTES * 1000 * width.limit) / tookMs
      const { beganAtMs } = body
      const loneRate = isAlone ? rate : null
      width.largeAnswered({ sizeBytes: BODY_BYTES, beganAtMs, loneRate, isVisible: false }, answeredAtMs)
    }
    const bodyMs = answeredBytes === 0 ? null : (answeredMs * BODY_BYTES) / answeredBytes
    const known = { takenBytes: answeredBytes, drainedBytes: 0, answeredBytes, answeredMs, bodyMs }
    width.look({
      ...known,
      nowMs: answeredAtMs,
      rate,
      underWayMs,
      isFull: true,
      isSaturated: false,
      knownSince: (fromMs) => movedBytes.between(fromMs, Math.min(...[...bodies].map(({ beganAtMs }) => beganAtMs))),
    })
    if (answeredAtMs % 1000 === 0) seen.push(width.limit)
  }
  return seen
}

describe('the width of an upload line whose buffers hide all but responses', () => {
  it('doubles in the time of one body, as long as more of them are answered in the same time', () => {
    // One takes 0.9 s; doubled after 1, 2, 3 and 4 of these.
    expect(widths(6_000_000, 600_000_000, 5)).toEqual([2, 4, 8, 16, 32])
  })

  it('stays narrow where more of them only wait for each other', () => {
    expect(Math.max(...widths(10_000_000, 10_000_000, 60))).toBeLessThanOrEqual(2)
  })
})

describe('an upload line on which all connections break while more bodies are tried', () => {
  it('still carries one at a time', () => {
    for (const connectionBytes of [1.1 * MIB, 1.5 * MIB, 2 * MIB]) {
      for (let from = 4; from < 24; from += 1) {
        const seen = widths(connectionBytes, 12 * MIB, 60, (second) => second >= from && second < from + 10)
        expect(Math.min(...seen)).toBeGreaterThanOrEqual(1)
      }
    }
  })
})

describe('the first short part, which goes alone', () => {
  it.each([
    ['far away and fast: several begin', 512 * 1024, 130, 42, 5],
    ['far away and very fast: no more than eight begin', 512 * 1024, 60, 40, 8],
    ['near: the next part tells more', 512 * 1024, 90, 1, 1],
    ['far away and not as fast: two begin', 512 * 1024, 240, 42, 2],
    ['far away and slow', 512 * 1024, 3000, 600, 1],
    ['smaller than what tells of a line', 64 * 1024, 41, 40, 1],
  ])('%s', (_, sizeBytes, elapsedMs, roundTripMs, limit) => {
    const width = new UploadWidth(0)
    width.smallAnswered(sizeBytes, elapsedMs, roundTripMs, elapsedMs)
    expect(width.limit).toBe(limit)
  })
})

/** What a line shows while so many bodies are on their way on an average, each of which moves so many bytes a second. */
interface Stretch {
  readonly bodies: number
  readonly bodyRate: number
  readonly isFull?: boolean
  readonly isSaturated?: boolean
  /** The connections are full and show it. */
  readonly isVisible?: boolean
}

/** A line that carries so much, begun with as many bodies as it is tried with at first. */
function createWatched(rate: number) {
  const width = new UploadWidth(0)
  let nowMs = 1000
  let answeredBytes = 0
  let answeredMs = 0
  let underWayMs = 0
  const moved = new Moved()
  const knownSince = (fromMs: number): KnownStretch => moved.between(fromMs, nowMs)
  width.largeAnswered({ sizeBytes: BODY_BYTES, beganAtMs: 0, loneRate: rate, isVisible: false }, nowMs)
  return {
    width,
    /** Lets time pass until the width changes, for 10 s at most. */
    watch({ bodies, bodyRate, isFull = true, isSaturated = false, isVisible = false }: Stretch): number {
      const before = width.limit
      for (const endMs = nowMs + 10_000; nowMs < endMs && width.limit === before;) {
        nowMs += LOOK_MS
        underWayMs += bodies * LOOK_MS
        answeredMs += bodies * LOOK_MS
        const movedBytes = (bodies * bodyRate * LOOK_MS) / 1000
        answeredBytes += movedBytes
        moved.add(nowMs, movedBytes)
        const drainedBytes = isVisible ? answeredBytes : 0
        const known = { takenBytes: answeredBytes, answeredBytes, answeredMs, underWayMs, bodyMs: 100 }
        width.look({ ...known, drainedBytes, nowMs, rate: bodies * bodyRate, isFull, isSaturated, knownSince })
      }
      return width.limit
    },
  }
}

describe('where this process was slow, so that fewer bodies are tried', () => {
  it('there are more again when fewer are not even all in use, and bring less', () => {
    const { width, watch } = createWatched(25e6)
    expect(width.limit).toBe(8)
    expect(watch({ bodies: 8, bodyRate: 4e6, isSaturated: true })).toBe(4)
    expect(watch({ bodies: 4, bodyRate: 8e6 })).toBe(2)
    expect(watch({ bodies: 1, bodyRate: 20e6, isFull: false })).toBe(4)
  })

  it('no fewer than eight are tried on a very fast line', () => {
    const { watch } = createWatched(100e6)
    expect(watch({ bodies: 8, bodyRate: 20e6 })).toBe(16)
    expect(watch({ bodies: 16, bodyRate: 10e6, isSaturated: true })).toBe(8)
    expect(watch({ bodies: 8, bodyRate: 20e6, isSaturated: true })).toBe(8)
  })
})

it('what more bodies bring counts how many there were on an average, not how many there may be', () => {
  const { watch } = createWatched(25e6)
  expect(watch({ bodies: 8, bodyRate: 20e6 })).toBe(16)
  expect(watch({ bodies: 8.2, bodyRate: 20e6 })).toBeLessThan(16)
})

it.each([
  ['are enough', true, 3],
  ['are enough, of which one may wait for its answer behind deep buffers', false, 2],
])('where a kill would lose much, as many bodies as fill the line %s', (_, isVisible, limit) => {
  const { width, watch } = createWatched(3.3e6)
  expect(width.limit).toBe(2)
  expect(watch({ bodies: 2, bodyRate: 3.3e6, isVisible })).toBe(4)
  expect(watch({ bodies: 4, bodyRate: 2.1e6, isVisible })).toBe(limit)
})
