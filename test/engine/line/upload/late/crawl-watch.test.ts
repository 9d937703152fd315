import { expect, test } from 'vitest'
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
    if (crawler !== null && watch.crawler(fed, nowMs) === crawler) return nowMs
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
