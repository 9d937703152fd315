import type { KeyboardEvent } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { actByKey, openLine } from '../../../renderer/queue/act-by-key.ts'
import { resetQueue } from '../../../renderer/state/queue/queue-store.ts'
import { connectShownIds } from '../../../renderer/state/shown-ids.ts'
import { toggleSelected } from '../../../renderer/state/ui/row-selection.ts'
import { uiStore } from '../../../renderer/state/ui/ui-store.ts'
import { beginWithFreshUi } from '../fresh-ui.ts'
import { makeRow, noTotals } from '../rows.ts'

let asked: string[] = []
let told: unknown[] = []
const EARLIER = { code: 'earlier-upload', detail: '', serviceCode: null, httpStatus: null, requestId: null } as const
let disconnect: () => void

beginWithFreshUi()
beforeEach(() => {
  asked = []
  told = []
  const invoke = (name: string, value: unknown) => {
    asked.push(name)
    told.push(value)
    return Promise.resolve({ ok: true, value: null })
  }
  vi.stubGlobal('window', { sluice: { invoke } })
  disconnect = connectShownIds()
})
afterEach(() => {
  disconnect()
  resetQueue({ seq: 0, rows: [], totals: noTotals })
  vi.unstubAllGlobals()
})

/** @returns whether the key does anything, the first time and while it is held down. */
function hold(key: string, id: string, keys: Partial<KeyboardEvent['nativeEvent']> = {}): readonly boolean[] {
  const nativeEvent = { key, code: key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...keys }
  return [false, true, true].map((repeat) => actByKey({ nativeEvent, repeat } as KeyboardEvent, id))
}

it.each([
  ['Enter', {}, 'transferring', 'transfers:pause'],
  [' ', { code: 'Space' }, 'transferring', 'transfers:pause'],
  ['Delete', {}, 'canceled', 'transfers:remove'],
  ['Enter', { ctrlKey: true }, 'queued', 'transfers:start-now'],
  ['Enter', { shiftKey: true }, 'completed', 'shell:open'],
] as const)('%s that is held down is pressed once', (key, keys, status, request) => {
  resetQueue({ seq: 0, rows: [makeRow({ id: 'a', status })], totals: noTotals })
  expect(hold(key, 'a', keys)).toEqual([true, true, true])
  expect(asked).toEqual([request])
})

it.each([
  ['paused', {}, ['transfers:resume']],
  ['completed', { direction: 'download' }, ['shell:reveal']],
  ['transferring', {}, []],
  ['canceled', {}, []],
] as const)(
  'a double click on a row that is %s acts as Return does, but stops and removes nothing',
  (status, is, told) => {
    resetQueue({ seq: 0, rows: [makeRow({ id: 'a', status, ...is })], totals: noTotals })
    openLine('a')
    expect(asked).toEqual(told)
  },
)

it('presses with Return the buttons of all selected rows that do the same as that of the focused one', () => {
  const rows = [
    makeRow({ id: 'one', status: 'paused' }),
    makeRow({ id: 'moving', status: 'transferring' }),
    makeRow({ id: 'two', status: 'paused' }),
    makeRow({ id: 'stopping', status: 'pausing', finishingUnits: null }),
    makeRow({ id: 'beside', status: 'paused' }),
  ]
  resetQueue({ seq: 0, rows, totals: noTotals })
  for (const { id } of rows.slice(0, -1)) toggleSelected(id)
  hold('Enter', 'two')
  expect(asked).toEqual(['transfers:resume'])
  expect(told).toEqual([{ ids: ['one', 'two'] }])
  expect(uiStore.getState().selection.size).toBe(4)
})

it('starts over with Return only what has failed, though what moves could start over, too', () => {
  const error = { code: 'upload-lost', detail: '', serviceCode: null, httpStatus: null, requestId: null } as const
  const rows = [
    makeRow({ id: 'lost', status: 'failed', error }),
    makeRow({ id: 'lost, too', status: 'failed', error }),
    makeRow({ id: 'moving', status: 'transferring', confirmedBytes: 5 }),
  ]
  resetQueue({ seq: 0, rows, totals: noTotals })
  for (const { id } of rows) toggleSelected(id)
  hold('Enter', 'lost')
  expect(told).toEqual([{ ids: ['lost', 'lost, too'] }])
})

it('opens with Return the form of the focused row, where there is one for each', () => {
  const rows = ['one', 'other'].map((id) => makeRow({ id, status: 'failed', error: EARLIER }))
  resetQueue({ seq: 0, rows, totals: noTotals })
  for (const { id } of rows) toggleSelected(id)
  hold('Enter', 'other')
  expect(uiStore.getState().dialog).toEqual({ kind: 'earlier-upload', id: 'other' })
})

it('asks once where a key that asks is held down', () => {
  resetQueue({ seq: 0, rows: [makeRow({ id: 'a', status: 'paused' })], totals: noTotals })
  hold('Delete', 'a')
  const { question } = uiStore.getState()
  expect(question?.title).toBe('Remove raw-footage.mov from the list?')
  actByKey({ nativeEvent: { key: 'Delete', code: 'Delete' }, repeat: true } as KeyboardEvent, 'a')
  expect(uiStore.getState().question).toBe(question)
})

it('leaves keys that mean nothing in the list to others', () => {
  expect(hold('q', 'a', { code: 'KeyQ' })).toEqual([false, false, false])
})
