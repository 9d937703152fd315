import { expect, it } from 'vitest'
import { sumRows } from '../../../renderer/inspector/selection-sums.ts'
import { NO_LIMITS } from '../../../shared/settings.ts'
import { makeRow } from '../rows.ts'

it('counts by group in the order of the list, and adds up what is not canceled', () => {
  const moving = makeRow({ sizeBytes: 100, confirmedBytes: 40, bytesPerSecond: 7 })
  const done = makeRow({ status: 'completed', sizeBytes: 10, confirmedBytes: 10, bytesPerSecond: 0 })
  const canceled = makeRow({ status: 'canceled', sizeBytes: 1000, confirmedBytes: 500, bytesPerSecond: 0 })
  const failed = makeRow({ status: 'failed', sizeBytes: 5, confirmedBytes: 0, bytesPerSecond: 0 })
  expect(sumRows([done, moving, canceled, failed], NO_LIMITS)).toEqual({
    groups: [
      { group: 'attention', count: 1 },
      { group: 'active', count: 1 },
      { group: 'done', count: 2 },
    ],
    sizeBytes: 115,
    confirmedBytes: 50,
    bytesPerSecond: 7,
    progress: { confirmedBytes: 50, sizeBytes: 110, etaSeconds: 170 },
  })
})

it('tells how far those are that go on by themselves, and how long they take: a single one as long as its row says', () => {
  const moving = makeRow({ sizeBytes: 100, confirmedBytes: 40, bytesPerSecond: 10, etaSeconds: 5 })
  const beginning = makeRow({ sizeBytes: 100, confirmedBytes: 0, bytesPerSecond: 2, etaSeconds: null })
  const queued = makeRow({ status: 'queued', sizeBytes: 50, confirmedBytes: 0, bytesPerSecond: 0, etaSeconds: null })
  const paused = makeRow({ status: 'paused', sizeBytes: 500, confirmedBytes: 0, bytesPerSecond: 0, etaSeconds: null })
  const listing = makeRow({ items: { done: 1, total: 2, failed: 0, isCounted: false }, bytesPerSecond: 1 })
  const progress = (...rows: (typeof moving)[]) => sumRows(rows, NO_LIMITS).progress
  expect(progress(moving, paused)).toEqual({ confirmedBytes: 40, sizeBytes: 100, etaSeconds: 5 })
  expect(progress(moving, queued, paused)).toEqual({ confirmedBytes: 40, sizeBytes: 150, etaSeconds: 11 })
  expect(progress(moving, beginning)).toEqual({ confirmedBytes: 40, sizeBytes: 200, etaSeconds: 14 })
  expect(progress(beginning, queued)).toMatchObject({ etaSeconds: null })
  expect(progress(moving, listing)).toBe(null)
  expect(progress(queued, paused)).toBe(null)
})

it('tells no size while that of one is unknown, or a folder still listed', () => {
  const known = makeRow({ sizeBytes: 100, confirmedBytes: 40 })
  const items = { done: 1, total: 2, failed: 0, isCounted: false }
  const unknown = makeRow({ sizeBytes: null, confirmedBytes: 1 })
  expect(sumRows([known, unknown], NO_LIMITS)).toMatchObject({ sizeBytes: null })
  expect(sumRows([makeRow({ items }), known], NO_LIMITS)).toMatchObject({ sizeBytes: null })
})

it('tells no speed above a limit, and the time that what is left takes within it', () => {
  const up = makeRow({ sizeBytes: 100, confirmedBytes: 40, bytesPerSecond: 6, etaSeconds: 10 })
  const down = makeRow({ ...up, direction: 'download', sizeBytes: 60 })
  const told = (limits: object) => {
    const { bytesPerSecond, progress } = sumRows([up, down], { ...NO_LIMITS, ...limits })
    return [bytesPerSecond, progress?.etaSeconds]
  }
  expect(told({})).toEqual([12, 7])
  expect(told({ totalBytesPerSecond: 6 })).toEqual([6, 14])
  expect(told({ uploadBytesPerSecond: 3 })).toEqual([9, 10])
})
