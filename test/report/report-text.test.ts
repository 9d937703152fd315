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
  ...{ places: [PLACE], rows: [ROW] },
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

it('names nothing by way of what errors and the log say', () => {
  const details = [
    'User: arn:aws:iam::123456789012:user/anna.schmidt is not authorized: arn:aws:s3:::merger-plans-2026/*',
    'getaddrinfo ENOTFOUND merger-plans-2026.s3.example.com',
    "EACCES: permission denied, open '/Users/ann/O'Brien merger/offer.pdf'",
  ]
  const rows = details.map((detail): TransferRow => ({
    ...ROW,
    error: { code: 'access-denied', detail, serviceCode: 'acme.merger.example', httpStatus: null, requestId: null },
  }))
  const log = [
    String.raw`2026-11-28T08:00:00.000Z put: Error: EBUSY: resource busy or locked, open 'D:\Anna's taxes\2025.zip'`,
    '    at open (/home/ann/sluice/out/main.js:10:20)',
    'Host: acme.merger.example',
    '2026-11-28T08:01:00.000Z Refused “Merger”',
  ].join('\n')
  const text = appReport({ ...REPORT, rows, log }, false)
  const named = ['anna', 'Anna', 'merger', 'Merger', 'Brien', 'taxes', '123456789012', '/home', 'offer', '2025.zip']
  expect(named.filter((name) => text.includes(name))).toEqual([])
  expect(text).toMatch(/Transfer 2: .*error access-denied, HTTP none, another code, ENOTFOUND/)
  expect(text).toMatch(/Transfer 3: .*EACCES/)
  expect(text).toContain('2026-11-28T08:00:00.000Z put: Error EBUSY\n    at main.js:10:20')
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
