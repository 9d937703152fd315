import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { asksToCancel, asksToRemove, askToCancel, removeRows } from '../../../../renderer/actions/rows/remove-rows.ts'
import { nameOnRows } from '../../../../renderer/commands/row-commands.ts'
import { resetQueue } from '../../../../renderer/state/queue/queue-store.ts'
import { uiStore } from '../../../../renderer/state/ui/ui-store.ts'
import { languageOf } from '../../../../shared/language/languages.ts'
import { setLanguage } from '../../../../shared/language/translate.ts'
import { beginWithFreshUi } from '../../fresh-ui.ts'
import { makeRow, noTotals } from '../../rows.ts'

beginWithFreshUi()
beforeEach(() => {
  vi.stubGlobal('window', { sluice: { invoke: () => Promise.resolve({ ok: true, value: null }) } })
  const paused = { status: 'paused', confirmedBytes: 8_390_000 } as const
  const rows = [
    makeRow({ id: 'up', name: 'film.mov', ...paused }),
    makeRow({ id: 'down', name: 'data.tar', direction: 'download', ...paused }),
  ]
  resetQueue({ seq: 0, rows, totals: noTotals })
})
afterEach(() => {
  setLanguage(languageOf('en'))
  resetQueue({ seq: 0, rows: [], totals: noTotals })
  vi.unstubAllGlobals()
})

function question() {
  const { question: asked } = uiStore.getState()
  if (asked === null) throw new Error('Nothing was asked.')
  return [asked.title, asked.body, asked.confirmLabel, asked.other?.label ?? null, asked.safeLabel]
}

it('says what discarding an upload does to the parts, the file and the row', () => {
  askToCancel(['up'])
  expect(question()).toEqual([
    'Discard the upload of film.mov?',
    'The server deletes the parts it has. The file on this computer stays. ' +
      'The transfer stays in the list as canceled. This can’t be undone.',
    'Discard 8.39 MB',
    null,
    'Keep',
  ])
  setLanguage(languageOf('zh-CN'))
  askToCancel(['up'])
  expect(question()[1]).toBe(
    '服务器会删除已收到的分段。本机上的文件会保留。列表中仍会显示该传输，状态为“已取消”。此操作无法撤销。',
  )
})

it('says what discarding a download deletes, and that the file on the server stays', () => {
  askToCancel(['down'])
  expect(question()[1]).toMatch(/^The partial file on this computer is deleted. The file on the server stays. /)
})

it('names both ways to remove an unfinished upload by what becomes of its parts', () => {
  removeRows(['up'])
  expect(question()).toEqual([
    'Remove film.mov from the list?',
    '8.39 MB is on the server. Keep it there to finish later, or discard it. Either way, the file on this computer stays.',
    'Remove and discard',
    'Remove and keep',
    'Cancel',
  ])
})

it('counts all rows that go, those that are finished too', () => {
  resetQueue({
    seq: 1,
    rows: [
      makeRow({ id: 'up', name: 'film.mov', status: 'paused', confirmedBytes: 8_390_000 }),
      makeRow({ id: 'done', name: 'notes.txt', status: 'completed', confirmedBytes: 5 }),
    ],
    totals: noTotals,
  })
  removeRows(['done', 'up'])
  expect(question().slice(0, 2)).toEqual([
    'Remove 2 transfers from the list?',
    '8.39 MB is on the server. Keep it there to finish later, or discard it. Either way, the file on this computer stays.',
  ])
})

it('asks nothing where nothing was transferred, of a folder as of a file', () => {
  const items = { done: 0, total: 12, failed: 0, isCounted: true }
  const empty = { status: 'paused', confirmedBytes: 0 } as const
  const begun = makeRow({ id: 'begun', name: 'raw', items: { ...items, done: 3 }, status: 'paused' })
  resetQueue({
    seq: 1,
    rows: [
      makeRow({ id: 'folder', name: 'media', items, ...empty }),
      makeRow({ id: 'file', ...empty }),
      { ...begun, confirmedBytes: 5_000_000 },
    ],
    totals: noTotals,
  })
  expect([asksToRemove(['folder']), asksToRemove(['file', 'folder'])]).toEqual([false, false])
  removeRows(['folder'])
  expect(uiStore.getState().question).toBeNull()
  expect(asksToRemove(['folder', 'begun'])).toBe(true)
  removeRows(['begun'])
  expect(question().slice(2)).toEqual(['Remove and discard', 'Remove and keep', 'Cancel'])
})

it('discards at once where nothing was transferred and nothing is under way', () => {
  const invoke = vi.fn(() => Promise.resolve({ ok: true, value: null }))
  vi.stubGlobal('window', { sluice: { invoke } })
  const rows = [
    makeRow({ id: 'failed', status: 'failed', confirmedBytes: 0, inFlightBytes: 0 }),
    makeRow({ id: 'queued', direction: 'download', status: 'queued', confirmedBytes: 0, inFlightBytes: 0 }),
    makeRow({ id: 'sending', status: 'transferring', confirmedBytes: 0, inFlightBytes: 4_000_000 }),
  ]
  resetQueue({ seq: 1, rows, totals: noTotals })
  expect(asksToCancel(['failed', 'queued'])).toBe(false)
  askToCancel(['failed', 'queued'])
  expect(uiStore.getState().question).toBeNull()
  expect(invoke).toHaveBeenCalledWith('transfers:cancel', { ids: ['failed', 'queued'] })
  expect(nameOnRows('cancel', ['failed'])).toBe('Discard upload')
  expect(nameOnRows('cancel', ['failed', 'queued'])).toBe('Discard')

  askToCancel(['failed', 'sending'])
  expect(question()[2]).toBe('Discard')
  expect(invoke).toHaveBeenCalledTimes(1)
  expect(nameOnRows('cancel', ['failed', 'sending'])).toBe('Discard uploads…')
})
