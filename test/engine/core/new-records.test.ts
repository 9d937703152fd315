import { expect, it } from 'vitest'
import { recordAnew } from '../../../electron/engine/core/new-records.ts'
import { uploadRecord } from '../../support/fakes/records.ts'

const CONFLICT = {
  code: 'conflict-on-server',
  detail: '',
  serviceCode: null,
  httpStatus: null,
  requestId: null,
} as const

it('replaces an object only where a person begins anew in sight of it', () => {
  const record = uploadRecord({ onConflict: 'fail', error: CONFLICT })
  expect(recordAnew({ ...record, status: 'failed' })).toMatchObject({ onConflict: 'replace' })
  expect(recordAnew({ ...record, status: 'canceled' })).not.toHaveProperty('onConflict')
  expect(recordAnew({ ...record, status: 'failed', error: { ...CONFLICT, code: 'internal' } })).not.toHaveProperty(
    'onConflict',
  )
  expect(recordAnew({ ...record, status: 'completed', error: null })).toMatchObject({ onConflict: 'replace' })
})
