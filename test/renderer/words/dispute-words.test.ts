import { expect, test } from 'vitest'
import { describeExpected, describeFound } from '../../../renderer/words/dispute-words.ts'

const expected = { sizeBytes: 12_700_000_000, etag: 'abc-1270' }

test('both facts are said as far as they are known', () => {
  const found = { sizeBytes: 5, etag: '"d41d"', lastModified: 'Thu, 01 Jan 2026 00:00:00 GMT' }
  expect(describeFound({ found, expected })).toMatch(/^5 bytes · ETag d41d · modified .*2026/)
  expect(describeFound({ found: { sizeBytes: null, etag: null, lastModified: null }, expected })).toBe(
    'size not known · no ETag',
  )
  expect(describeFound({ found: null, expected })).toBe('The server doesn’t let us look')
  expect(describeExpected({ found: null, expected })).toBe('12,700,000,000 bytes · ETag abc-1270')
})
