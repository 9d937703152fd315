import { expect, it } from 'vitest'
import { appReport, type AppReport } from '../../electron/report/report-text.ts'
import { DEFAULT_SETTINGS } from '../../shared/settings.ts'
import type { TransferRow } from '../../shared/transfer/transfer.ts'
import type { Place } from '../../shared/place/place.ts'
import { everyState } from '../support/fakes/every-state.ts'

const PLACE: Place = {
  ...{ id: 'p1', name: 'Studio North', endpoint: 'https://s3.example.com', bucket: 'rushes', dialect: 's3' },
  ...{ pathStyle: true, scheme: 'STORAGE', signature: 'hmac-sha256', region: 'eu-1', accessKeyId: 'AKIAEXAMPLE' },
  ...{ profile: '', preset: 's3', color: 'none', isDemo: false },
}

const ROW: TransferRow = {
  ...(everyState()[0] as TransferRow),
  ...{ placeId: 'p1', name: 'interview.mov', key: 'day-1/interview.mov', bucket: 'rushes' },
  ...{ localPath: '/home/ann/Film/interview.mov', status: 'failed' },
  error: {
    ...{
      code: 'access-denied',
      detail: 'PUT https://s3.example.com/rushes/day-1/interview.mov?X-Amz-Signature=abcdef',
    },
    ...{ serviceCode: 'AccessDenied', httpStatus: 403, requestId: 'R1' },
  },
}

const REPORT: AppReport = {
  ...{ machine: [['Version', '0.1.0']], settings: { ...DEFAULT_SETTINGS, downloadsFolder: '/home/ann/Film' } },
  ...{ places: [PLACE], rows: [ROW], home: '/home/ann' },
  log: "2026 EACCES, open '/home/ann/Film/interview.mov'\n2026 authorization: AWS4 abc\n2026 s3.example.com is gone",
}

const NAMES = ['Studio North', 's3.example.com', 'rushes', 'interview', '/home/ann', 'eu-1']
const SECRETS = ['abcdef', 'AWS4 abc']

it('names nothing unless that is wanted, and says what there is', () => {
  const text = appReport(REPORT, false)
  expect([...NAMES, ...SECRETS, 'AKIAEXAMPLE'].filter((name) => text.includes(name))).toEqual([])
  expect(text).toContain('Version: 0.1.0')
  expect(text).toContain('activeTransfers: ')
  expect(text).toContain('Place 1: s3, s3, https, bucket in the path, signature hmac-sha256, own key')
  expect(text).toContain('place 1, error access-denied, HTTP 403, AccessDenied')
  expect(text).toContain('downloadsFolder: own')
})

it('names what it is about where that is wanted, and never a key or a secret', () => {
  const text = appReport(REPORT, true)
  expect(NAMES.filter((name) => !text.includes(name))).toEqual([])
  expect([...SECRETS, 'AKIAEXAMPLE'].filter((secret) => text.includes(secret))).toEqual([])
})

it('has room for a list of any length', () => {
  const rows = Array.from({ length: 20_000 }, (_, at) => ({ ...ROW, name: `interview ${String(at)}.mov` }))
  const text = appReport({ ...REPORT, rows }, false)
  expect(text).toContain('Transfers, the first 1000 of 20000')
  expect(text.length).toBeLessThan(1_000_000)
})
