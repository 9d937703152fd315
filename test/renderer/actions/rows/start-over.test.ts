import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { perform } from '../../../../renderer/actions/transfer-actions.ts'
import { doToRows } from '../../../../renderer/commands/row-commands.ts'
import { resetQueue } from '../../../../renderer/state/queue/queue-store.ts'
import { uiStore } from '../../../../renderer/state/ui/ui-store.ts'
import type { TransferErrorCode } from '../../../../shared/transfer/transfer-error.ts'
import type { TransferRow } from '../../../../shared/transfer/transfer.ts'
import { beginWithFreshUi } from '../../fresh-ui.ts'
import { makeRow, noTotals } from '../../rows.ts'

let asked: string[] = []

beginWithFreshUi()
beforeEach(() => {
  asked = []
  const invoke = (name: string) => {
    asked.push(name)
    return Promise.resolve({ ok: true, value: null })
  }
  vi.stubGlobal('window', { sluice: { invoke } })
})
afterEach(() => {
  resetQueue({ seq: 0, rows: [], totals: noTotals })
  vi.unstubAllGlobals()
})

function failedRow(code: TransferErrorCode, changes: Partial<TransferRow>) {
  const error = { code, detail: '', serviceCode: null, httpStatus: null, requestId: null }
  return makeRow({ id: 'a', name: 'film.mov', status: 'failed', direction: 'download', error, ...changes })
}

/** Presses the main button of a transfer that failed. */
function pressOf(code: TransferErrorCode, changes: Partial<TransferRow>) {
  resetQueue({ seq: 0, rows: [failedRow(code, changes)], totals: noTotals })
  perform('start-over', ['a'])
  return uiStore.getState().question
}

/** Chooses “Start over…” in the menu of some transfers. */
function chooseFor(rows: readonly TransferRow[]) {
  resetQueue({ seq: 0, rows: [...rows], totals: noTotals })
  doToRows(
    'start-over',
    rows.map(({ id }) => id),
  )
  return uiStore.getState().question
}

const KEPT = { direction: 'upload', confirmedBytes: 4_200_000_000 } as const

it('names the bytes of an older version, and asks before they are thrown away for the new one', () => {
  const question = pressOf('changed-on-server', { confirmedBytes: 4_200_000_000 })
  expect(asked).toEqual([])
  expect(question).toMatchObject({
    title: 'Start film.mov over?',
    safeLabel: 'Cancel',
    confirmLabel: 'Start over and discard 4.20 GB',
  })
  question?.onConfirm()
  expect(asked).toEqual(['transfers:start-over'])
})

it.each([
  ['there is little of', 'changed-on-server', { confirmedBytes: 300_000 }],
  ['keeps what still fits of', 'source-changed', { direction: 'upload' }],
  ['the server has nothing any more of', 'upload-lost', { direction: 'upload' }],
  ['nothing is deleted of', 'final-mismatch', { direction: 'upload' }],
] as const)('starts over at once what %s', (_, code, changes) => {
  expect(pressOf(code, changes)).toBeNull()
  expect(asked).toEqual(['transfers:start-over'])
})

it.each(['source-changed', 'upload-lost', 'final-mismatch'] as const)(
  'the menu names no bytes as lost of an upload that loses none: %s',
  (code) => {
    expect(chooseFor([failedRow(code, KEPT)])).toBeNull()
    expect(asked).toEqual(['transfers:start-over'])
  },
)

it('asks before parts are deleted that the file still has', () => {
  expect(chooseFor([failedRow('access-denied', KEPT)])).toMatchObject({
    title: 'Start film.mov over?',
    body: 'The transfer starts again from the beginning.',
  })
  expect(chooseFor([failedRow('source-changed', { ...KEPT, status: 'paused', error: null })])).not.toBeNull()
})

it('asks of several only about those that lose something, and says what becomes of the others', () => {
  const rows = [
    failedRow('source-changed', KEPT),
    failedRow('disk-full', { id: 'b', name: 'other.mov', confirmedBytes: 300_000_000 }),
  ]
  expect(chooseFor(rows)).toMatchObject({
    title: 'Start 2 transfers over?',
    confirmLabel: 'Start over and discard 300 MB',
    body: 'The transfers start again from the beginning. Uploads whose files changed keep the parts that still match.',
  })
})
