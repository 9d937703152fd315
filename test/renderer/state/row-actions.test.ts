import { expect, test } from 'vitest'
import { actionsOf, primaryAction } from '../../../renderer/state/row-actions.ts'
import { errorContext } from '../../../renderer/row-words.ts'
import { TRANSFER_ERROR_CODES, type TransferErrorCode } from '../../../shared/transfer-error.ts'
import type { TransferRow, TransferStatus } from '../../../shared/transfer.ts'
import { makeRow } from '../rows.ts'

const primary = (changes: Partial<TransferRow>) => {
  const row = makeRow(changes)
  return primaryAction(row, errorContext(row, 'Studio'))
}
const failure = (code: TransferErrorCode) =>
  makeRow({
    status: 'failed',
    error: { code, detail: '', serviceCode: null, httpStatus: null, requestId: null },
  })

test('every state shows the one button that helps', () => {
  const labels = (['transferring', 'paused', 'waiting', 'pausing', 'completing', 'completed'] as const).map(
    (status) => primary({ status })?.label ?? null,
  )
  expect(labels).toEqual(['Pause', 'Resume', 'Try now', 'Stopping…', null, 'Show in folder'])
})

test('a failed row offers what its error’s catalogue entry says, and can do it', () => {
  for (const code of TRANSFER_ERROR_CODES) {
    const row = failure(code)
    const action = primaryAction(row, errorContext(row, 'Studio'))?.action
    expect(action !== undefined && actionsOf(row).has(action), code).toBe(true)
  }
})

test('whatever is not finished can be canceled or removed', () => {
  const unfinished: readonly TransferStatus[] = [
    'queued',
    'preparing',
    'transferring',
    'waiting',
    'pausing',
    'paused',
    'verifying',
    'completing',
    'failed',
  ]
  const stuck = unfinished.filter((status) => {
    const actions = actionsOf(makeRow({ status }))
    return !actions.has('cancel') && !actions.has('remove')
  })
  expect(stuck).toEqual([])
})
