import { expect, test } from 'vitest'
import { percentDecoded } from '../../shared/place/percent-decoded.ts'

test.each([
  ['plain', 'plain'],
  ['a%20b%2Fc', 'a b/c'],
  ['%E6%97%A5', '日'],
  ['a+b', 'a+b'],
  ['100%', null],
  ['%zz', null],
  ['%E0%A4%A', null],
  ['%FF', null],
])('%s', (text, decoded) => {
  expect(percentDecoded(text)).toBe(decoded)
})
