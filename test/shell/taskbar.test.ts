import type { BrowserWindow } from 'electron'
import { expect, it } from 'vitest'
import { createFolderSign, createProgressKeeper, createTaskbar } from '../../electron/shell/taskbar.ts'
import { queueTotals, transferRow } from '../support/fakes/transfer-rows.ts'

it('shows the share of what was ever left since the queue ran dry', () => {
  const progressOf = createProgressKeeper()
  const shares = [100, 50, 150, 75, 0].map((bytes) => progressOf(queueTotals({ active: 1 }, bytes)).share)
  expect(shares).toEqual([0, 0.5, 0, 0.5, null])
})

it('says when all is paused, when something needs a person, and nothing when there is nothing', () => {
  const progressOf = createProgressKeeper()
  expect(progressOf(queueTotals({ waiting: 1 }, 100))).toEqual({ share: 0, mode: 'paused' })
  expect(progressOf(queueTotals({ attention: 1 }))).toEqual({ share: 1, mode: 'error' })
  expect(progressOf(queueTotals({ done: 1 }))).toEqual({ share: null, mode: 'normal' })
})

it('counts on the badge what needs a person, and tells each count once', () => {
  const counts: number[] = []
  const showCount = (count: number) => counts.push(count)
  const show = createTaskbar(() => null, { showCount, callAttention: () => undefined })
  for (const attention of [0, 1, 1, 2, 0]) show(queueTotals({ attention }))
  expect(counts).toEqual([1, 2, 0])
})

it('calls for attention once when one more needs a person, and not for what is left from the last time', () => {
  let calls = 0
  const show = createTaskbar(() => null, { showCount: () => undefined, callAttention: () => (calls += 1) })
  show(queueTotals({ attention: 2 }))
  show(queueTotals({ attention: 1 }))
  expect(calls).toBe(0)
  for (const attention of [2, 2, 3]) show(queueTotals({ attention }))
  expect(calls).toBe(2)
})

it('shows a window that is opened later what the one before had', () => {
  const shown: string[] = []
  const createWindow = (name: string) =>
    ({ setProgressBar: (value: number) => shown.push(`${name} ${value}`) }) as unknown as BrowserWindow
  let window: BrowserWindow | null = null
  const show = createTaskbar(() => window)
  const totals = queueTotals({ active: 1 }, 100)
  show(totals)
  window = createWindow('first')
  show(totals)
  show(totals)
  window = createWindow('second')
  show(totals)
  expect(shown).toEqual(['first 0', 'second 0'])
})

it('tells the Dock of downloads that are done, once each, and of nothing else', () => {
  const rows = new Map(
    [
      transferRow({ id: 'done', direction: 'download', status: 'completed', localPath: '/Downloads/done.mov' }),
      transferRow({ id: 'moving', direction: 'download', status: 'transferring' }),
      transferRow({ id: 'sent', direction: 'upload', status: 'completed' }),
    ].map((row) => [row.id, row]),
  )
  const shown: string[] = []
  const observe = createFolderSign(
    (id) => rows.get(id) ?? null,
    (path) => shown.push(path),
  )
  observe({ patched: [...rows.values()].map(({ id, status }) => ({ id, status })) })
  observe({
    patched: [
      { id: 'done', activeMs: 5000 },
      { id: 'gone', status: 'completed' },
    ],
  })
  expect(shown).toEqual(['/Downloads/done.mov'])
})
