import { expect, it } from 'vitest'
import {
  barOn,
  createFolderSign,
  createProgressKeeper,
  createTaskbar,
  type IconBar,
} from '../../electron/shell/taskbar.ts'
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

it('counts on the badge what needs attention, and reports each count once', () => {
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
  const createWindow = (name: string): IconBar => ({ setProgressBar: (value) => shown.push(`${name} ${value}`) })
  let window: IconBar | null = null
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

it.each([
  ['darwin', ['window 0', 'Dock 0.5', 'Dock -1', 'window 0']],
  ['win32', ['window 0', 'window 0']],
] as const)('goes on in the Dock of a Mac while the window is closed (%s)', (platform, told) => {
  const shown: string[] = []
  const createBar = (name: string): IconBar => ({ setProgressBar: (value) => shown.push(`${name} ${value}`) })
  let window: IconBar | null = null
  let hidden = 0
  const show = createTaskbar(
    barOn(
      platform,
      () => window,
      () => ((hidden += 1), createBar('Dock')),
    ),
  )
  show(queueTotals({ done: 1 }))
  // Nothing to show takes no window.
  expect(hidden).toBe(0)
  window = createBar('window')
  show(queueTotals({ active: 1 }, 100))
  window = null
  show(queueTotals({ active: 1 }, 50))
  show(queueTotals({ done: 1 }))
  show(queueTotals({ done: 1 }))
  window = createBar('window')
  show(queueTotals({ active: 1 }, 10))
  expect(shown).toEqual(told)
  expect(hidden).toBe(platform === 'darwin' ? 1 : 0)
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
