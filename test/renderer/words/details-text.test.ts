import { expect, test } from 'vitest'
import { detailsText } from '../../../renderer/words/details-text.ts'
import { makeRow } from '../rows.ts'

test('copied details name the transfer, its error and its requests', () => {
  const error = {
    code: 'access-denied',
    detail: 'PUT answered 403',
    serviceCode: 'AccessDenied',
    httpStatus: 403,
    requestId: 'r-1',
  } as const
  const details = {
    id: 'a',
    uploadId: 'u-1',
    etag: null,
    unitSizeBytes: 10_000_000,
    unitsPerCell: 1,
    cells: [],
    log: [{ atMs: 0, text: 'Upload created', requestId: 'r-0' }],
    droppedBytes: 0,
    averageBytesPerSecond: 0,
    peakBytesPerSecond: 0,
    speed: { recent: [], life: [], lifeStepMs: 1000 },
  }
  expect(detailsText(makeRow({ status: 'failed', error }), null, details).split('\n')).toEqual([
    'Transfer: upload a',
    'Name: raw-footage.mov',
    'Object: The server / 2026/raw-footage.mov',
    'File: /home/ada/raw-footage.mov',
    'Status: failed',
    'Size: 12,700,000,000 bytes',
    'Confirmed: 7,900,000,000 bytes',
    'Parts: 790 of 1,270',
    'Added: 1970-01-01T00:00:00.000Z',
    'Upload ID: u-1',
    'Error: access-denied',
    'Detail: PUT answered 403',
    'Service code: AccessDenied',
    'HTTP status: 403',
    'Request ID: r-1',
    'Log:',
    '  1970-01-01T00:00:00.000Z Upload created [r-0]',
  ])
})

test('copied details of a folder name what was not downloaded', () => {
  const error = {
    code: 'no-such-key',
    detail: 'answered 404',
    serviceCode: null,
    httpStatus: 404,
    requestId: null,
  } as const
  const items = { done: 1, total: 2, failed: 1, isCounted: true }
  const details = {
    ...{ id: 'a', uploadId: null, etag: null, unitSizeBytes: 0, unitsPerCell: 1, cells: [], log: [], droppedBytes: 0 },
    ...{
      averageBytesPerSecond: 0,
      peakBytesPerSecond: 0,
      speed: { recent: [], life: [], lifeStepMs: 1000 },
      failures: [{ key: 'media/x', error }],
    },
  }
  const text = detailsText(makeRow({ direction: 'download', items }), null, details)
  expect(text).toContain('Files: 1 of 2, 1 failed')
  expect(text).toContain('Not downloaded:\n  media/x: no-such-key, answered 404')
  expect(text).not.toContain('Ranges')
  const mended = makeRow({ direction: 'download', items: { ...items, done: 2, failed: 0 } })
  expect(detailsText(mended, null, details)).not.toContain('media/x')
})
