import { expect, test } from 'vitest'
import { describeCheck } from '../../shared/transfer/words/proof-words.ts'
import { PROOF_LACKS } from '../../shared/transfer/transfer.ts'

test('the check says why it was no more than the size', () => {
  expect(describeCheck('etag-md5', undefined)).toBe('verified (MD5)')
  expect(describeCheck('etag-multipart', undefined)).toBe('verified (MD5 of every part)')
  expect(describeCheck('size-only', 'parts-untold')).toBe(
    'size checked only: the service doesn’t say how the file was divided into parts',
  )
  for (const lack of PROOF_LACKS.filter((each) => each !== 'left-alone'))
    expect(describeCheck('size-only', lack)).toMatch(/^size checked only: \w.*\w$/)
  expect(describeCheck('size-only', 'left-alone')).toBe('what was skipped was not compared')
})
