import { describe, expect, test } from 'vitest'
import { CrawlWatch } from '../../../../../electron/engine/line/upload/late/crawl-watch.ts'
import { SentBody } from '../../../../../electron/engine/line/upload/known/sent-body.ts'

const PART = 5_000_000
const STEP_MS = 100

/** A slow line over which bodies go one after the other, and one beside them that crawls from `atMs` on. */
function crawlBeside({ bodyMs, before, after }: { bodyMs: number; before: number; after: number }, untilMs: number) {
  const watch = new CrawlWatch()
  let crawler: SentBody | null = null
  for (let nowMs = 0, number = 0, body: SentBody | null = null; nowMs < untilMs; nowMs += STEP_MS) {
    if (number === before && crawler === null) watch.restart((crawler = new SentBody(PART, nowMs)))
    if (body === null && number < before + after) watch.restart((body = new SentBody(PART, nowMs)))
    body?.handed((PART * STEP_MS) / bodyMs, nowMs, false)
    crawler?.handed(100, nowMs, false)
    if (body !== null && body.isHanded) {
      watch.answered(body, nowMs)
      watch.ended(body)
      body = null
      number += 1
    }
    const fed = [body, crawler].filter((each) => each !== null)
    if (crawler !== null && watch.crawler(fed, nowMs, fed.length === 1) === crawler) return nowMs
  }
  return null
}

test.each([
  ['was overtaken by one', { bodyMs: 15_000, before: 4, after: 1 }],
  ['is the last one', { bodyMs: 15_000, before: 4, after: 0 }],
])('a body that crawls on a slow line and %s is found, though nothing was answered since', (_what, line) => {
  const foundMs = crawlBeside(line, 600_000)
  expect(foundMs).not.toBeNull()
  expect(foundMs).toBeLessThan((line.before + 1) * line.bodyMs + 10_000)
})

/** What a lone body's connection takes, over time. */
interface Moves {
  readonly afterMs: number
  readonly bytes: number
}

/** Three bodies are answered one after the other in `bodyMs` each, then one is alone, whose connection takes `moves`. */
function loneBody(bodyMs: number, moves: readonly Moves[]) {
  const watch = new CrawlWatch()
  let nowMs = 0
  const pass = (body: SentBody, ms: number, bytes: number): boolean => {
    for (const untilMs = nowMs + ms; nowMs < untilMs;) {
      nowMs += STEP_MS
      if (watch.crawler([body], nowMs, true) === body) return true
    }
    body.handed(bytes, nowMs, false)
    return false
  }
  for (let count = 0; count < 3; count += 1) {
    const body = new SentBody(PART, nowMs)
    watch.restart(body)
    for (let step = 0; step < 10; step += 1) pass(body, bodyMs / 10, PART / 10)
    watch.answered(body, nowMs)
    watch.ended(body)
  }
  const last = new SentBody(PART, nowMs)
  watch.restart(last)
  const isFound = moves.some(({ afterMs, bytes }) => pass(last, afterMs, bytes))
  return { isFound, handedBytes: last.handedBytes }
}

const steadily = (count: number, afterMs: number, bytes: number): readonly Moves[] =>
  Array.from({ length: count }, () => ({ afterMs, bytes }))

describe('a body that is alone', () => {
  const fast = { afterMs: STEP_MS, bytes: PART / 2 }

  test('and of which a slice moves every half a minute, is found long before it is through', () => {
    const { isFound, handedBytes } = loneBody(5000, [fast, ...steadily(40, 30_000, 65_536)])
    expect(isFound).toBe(true)
    expect(handedBytes).toBeLessThan(0.6 * PART)
  })

  test('and whose full buffers make room for much at a time, but seldom, is found', () => {
    expect(loneBody(1000, [fast, ...steadily(5, 30_000, 0.09 * PART)]).isFound).toBe(true)
  })

  test.each([20_000, 300_000])('on a line that was away for %i ms is not', (awayMs) => {
    const away = { afterMs: awayMs, bytes: PART / 100 }
    expect(loneBody(1000, [fast, away, ...steadily(49, 100, PART / 100)]).isFound).toBe(false)
  })

  test('that takes no more than twice as long as others is not, however long the gaps', () => {
    expect(loneBody(60_000, steadily(20, 6000, PART / 20)).isFound).toBe(false)
  })
})

test('a small body is given the time that larger ones took: it waits behind what buffers hold of them', () => {
  const watch = new CrawlWatch()
  const stepBytes = (PART * STEP_MS) / 30_000
  let nowMs = 0
  const moveOn = (large: SentBody, beside: readonly SentBody[]): SentBody | null => {
    nowMs += STEP_MS
    large.handed(stepBytes, nowMs, false)
    return watch.crawler([large, ...beside], nowMs, false)
  }
  for (let count = 0; count < 3; count += 1) {
    const body = new SentBody(PART, nowMs)
    watch.restart(body)
    while (!body.isHanded) moveOn(body, [])
    watch.answered(body, nowMs)
    watch.ended(body)
  }
  const large = new SentBody(PART, nowMs)
  const small = new SentBody(0.08 * PART, nowMs)
  for (const body of [large, small]) watch.restart(body)
  for (let steps = 0; steps < 100; steps += 1) expect(moveOn(large, [small])).toBeNull()
})
