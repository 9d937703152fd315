import { expect, test } from 'vitest'
import { canDo, primaryAction } from '../../../../renderer/state/queue/row-actions.ts'
import { errorContext } from '../../../../renderer/words/row-words.ts'
import { TRANSFER_ERROR_CODES, type TransferErrorCode } from '../../../../shared/transfer/transfer-error.ts'
import type { TransferRow, TransferStatus } from '../../../../shared/transfer/transfer.ts'
import { makeRow } from '../../rows.ts'

const primary = (changes: Partial<TransferRow>) => {
  const row = makeRow(changes)
  return primaryAction(row, errorContext(row, 'Studio'))
}
const LINK = { direction: 'download', placeId: null, key: 'https://files.example.com/a.iso' } as const
const failure = (code: TransferErrorCode, changes: Partial<TransferRow> = {}) =>
  makeRow({
    ...changes,
    status: 'failed',
    error: { code, detail: '', serviceCode: null, httpStatus: null, requestId: null },
  })

test('every state shows the one button that helps', () => {
  const labels = (['transferring', 'paused', 'waiting', 'pausing', 'completing', 'completed'] as const).map(
    (status) => primary({ status })?.label ?? null,
  )
  expect(labels).toEqual(['Pause', 'Resume', 'Try now', 'Stopping…', null, 'Copy link…'])
  const label = (changes: Parameters<typeof primary>[0]) => primary({ status: 'completed', ...changes })?.label
  expect(label({ direction: 'download' })).toBe('Show in folder')
  expect(label({ items: { done: 1, total: 1, failed: 0, isCounted: true } })).toBe('Show on the server')
})

test('while parts are let end, the same button stops at once; afterwards there is nothing to press', () => {
  const finishing = { status: 'pausing', finishingUnits: 2 } as const
  expect(primary(finishing)).toEqual({ action: 'pause', label: 'Stop now', enabled: true })
  expect([canDo('pause', makeRow(finishing)), canDo('resume', makeRow(finishing))]).toEqual([true, true])
  expect(canDo('pause', makeRow({ status: 'pausing' }))).toBe(false)
})

test('a failed row offers what its error’s catalog entry says, and can do it', () => {
  for (const code of TRANSFER_ERROR_CODES) {
    for (const row of [failure(code), failure(code, LINK)]) {
      const action = primaryAction(row, errorContext(row, 'Studio'))?.action
      expect(action !== undefined && canDo(action, row), code).toBe(true)
    }
  }
})

test('a download whose link has expired takes a new one; an object’s has none to replace', () => {
  expect(primary(failure('link-expired', LINK))).toEqual({ action: 'relink', label: 'Paste new link…', enabled: true })
  expect(primary(failure('another-object', LINK))?.action).toBe('relink')
  expect(primary(failure('link-expired'))?.label).toBe('Retry')
  expect(canDo('relink', makeRow({ ...LINK, status: 'paused' }))).toBe(true)
  expect(canDo('relink', makeRow({ ...LINK, status: 'completed' }))).toBe(false)
})

test('a link whose keyring is locked lets it be unlocked; one whose secret is gone takes a new link', () => {
  const error = { code: 'key-not-accepted', detail: '', httpStatus: null, requestId: null } as const
  const failed = (serviceCode: string) => primary({ ...LINK, status: 'failed', error: { ...error, serviceCode } })
  expect(failed('KeyringLocked')).toEqual({ action: 'unlock-keyring', label: 'Unlock keyring…', enabled: true })
  expect(failed('InvalidAccessKeyId')?.label).toBe('Paste new link…')
})

test('a proxy whose keyring is locked lets it be unlocked, and be set anew all the same', () => {
  const error = { code: 'proxy-sign-in', detail: '', httpStatus: null, requestId: null } as const
  const row = makeRow({ status: 'failed', error: { ...error, serviceCode: 'ProxyKeyringLocked' } })
  expect(primary(row)?.action).toBe('unlock-keyring')
  expect([canDo('unlock-keyring', row), canDo('network', row)]).toEqual([true, true])
})

test('what the settings of a place stopped leads to them; a link has none', () => {
  const ofPlace = ['access-denied', 'key-not-accepted', 'keys-expired', 'no-such-bucket'] as const
  for (const code of ofPlace) {
    expect(primary(failure(code)), code).toEqual({ action: 'edit-place', label: 'Edit place…', enabled: true })
    expect(primary(failure(code, LINK))?.label, code).not.toBe('Edit place…')
  }
  expect(primary(failure('access-denied', LINK))?.label).toBe('Paste new link…')
  const refused = (serviceCode: string) => {
    const error = { code: 'refused-by-server', detail: '', serviceCode, httpStatus: 400, requestId: null } as const
    return primary({ status: 'failed', error })?.label
  }
  expect(['AuthorizationHeaderMalformed', 'RedirectRefused', 'SomethingElse'].map(refused)).toEqual([
    'Edit place…',
    'Edit place…',
    'Retry',
  ])
  const lost = failure('no-such-bucket')
  const ofAllBuckets = primaryAction(lost, { ...errorContext(lost, 'Studio'), hasAllBuckets: true })
  expect([ofAllBuckets?.action, canDo('choose-bucket', lost)]).toEqual(['choose-bucket', true])
  expect(canDo('edit-place', makeRow({ status: 'waiting' }))).toBe(true)
  expect(canDo('edit-place', makeRow({ status: 'completed' }))).toBe(false)
})

test('a doubt about what is on the server is a person’s to decide, with both facts', () => {
  const dispute = { found: null, expected: { sizeBytes: 5, etag: 'e-2' } }
  const row = failure('outcome-unknown')
  const asked = { ...row, error: row.error === null ? null : { ...row.error, dispute } }
  expect(primary(asked)).toEqual({ action: 'decide', label: 'Decide…', enabled: true })
  // Without facts there is nothing to decide on: looking again brings them.
  expect(primary(row)?.label).toBe('Retry')
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
    const row = makeRow({ status })
    return !canDo('cancel', row) && !canDo('remove', row)
  })
  expect(stuck).toEqual([])
})
