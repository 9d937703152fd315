import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PartsListError } from '../../electron/engine/multipart/parts-list-fault.ts'
import { isMeantAsPartsList, parsePartsList } from '../../electron/engine/multipart/parts-list.ts'
import { MAX_PART_COUNT } from '../../shared/limits.ts'
import { almost, expectNoPollution, hostileJson, hostileText } from '../support/tools/hostile.ts'

expectNoPollution()

const OWN = { uploadId: 'u', key: 'a/b', bucket: 'demo', parts: [{ partNumber: 1, etag: 'a', size: 7 }] }
const SERVICE = { UploadId: 'u', Key: 'a/b', Parts: [{ PartNumber: 2, ETag: '"b"', Size: 9 }] }

/** The list, or null where it was refused in words; anything else that happens is thrown. */
function parsed(text: string) {
  try {
    return parsePartsList(text)
  } catch (failure) {
    expect(failure).toBeInstanceOf(PartsListError)
    return null
  }
}

test('a list is refused in words, or has parts in order that can be', () => {
  const json = fc.oneof(almost(OWN), almost(SERVICE), hostileJson).map((value) => JSON.stringify(value))
  fc.assert(
    fc.property(fc.oneof(json, hostileText), (text) => {
      isMeantAsPartsList(text)
      const list = parsed(text)
      const numbers = list?.parts.map(({ partNumber }) => partNumber) ?? []
      expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => one - other))
      expect(numbers.every((number) => number >= 1 && number <= MAX_PART_COUNT)).toBe(true)
      for (const { etag, sizeBytes } of list?.parts ?? []) {
        expect([typeof etag, etag === '', (sizeBytes ?? 0) >= 0]).toEqual(['string', false, true])
      }
    }),
    { numRuns: 500 },
  )
})

test.each([
  ['nested without end', `{"parts":${'['.repeat(2_000_000)}${']'.repeat(2_000_000)}}`],
  ['of a million parts that are none', `{"parts":[${'{},'.repeat(1_000_000)}{}]}`],
])('one %s is refused', (_what, text) => {
  expect(isMeantAsPartsList(text)).toBe(false)
  expect(parsed(text)).toBeNull()
})
