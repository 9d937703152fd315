import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readableMetadata } from '../../electron/services/objects/user-metadata.ts'
import { readHead } from '../../electron/stores/messages/content.ts'
import {
  parseContentLength,
  parseContentRange,
  parseHttpDate,
  parseRetryAfter,
  parseUnsatisfiedRange,
  unquoteEtag,
} from '../../electron/stores/messages/header-values.ts'
import { metadataOf } from '../../electron/stores/s3/object-headers.ts'
import { expectNoPollution, hostileText } from '../support/tools/hostile.ts'

expectNoPollution()

const FIELDS = [
  'etag',
  'last-modified',
  'content-type',
  'content-encoding',
  'date',
  'accept-ranges',
  'x-amz-checksum-crc32',
]
const name = fc.oneof(
  fc.constantFrom(...FIELDS),
  hostileText.map((text) => `x-amz-meta-${text}`),
)
const headers = fc.array(fc.tuple(name, hostileText), { maxLength: 8 }).map((entries) => new Map(entries))

test('metadata keeps each name as a member of its own, __proto__ too', () => {
  fc.assert(
    fc.property(headers, (given) => {
      const metadata = metadataOf({ headers: given })
      const meant = [...given.keys()].filter((field) => field.startsWith('x-amz-meta-')).map((field) => field.slice(11))
      expect(Object.keys(metadata).sort()).toEqual(meant.sort())
      const readable = readableMetadata(metadata)
      expect(Object.values(readable).every((value) => typeof value === 'string')).toBe(true)
      expect(Object.getPrototypeOf(readable)).toBe(Object.prototype)
    }),
    { numRuns: 300 },
  )
})

test('a header says a number that can be, or nothing', async () => {
  await fc.assert(
    fc.asyncProperty(headers, hostileText, async (given, value) => {
      const response = { status: 200, headers: given, body: empty() }
      const { serverTimeMs } = readHead(response, null)
      expect(serverTimeMs === null || Number.isFinite(serverTimeMs)).toBe(true)
      await response.body.return(undefined)
      unquoteEtag(value)
      parseHttpDate(value)
      for (const number of [parseContentLength(value), parseUnsatisfiedRange(`bytes */${value}`)]) {
        expect(number === null || number >= 0).toBe(true)
      }
      expect((parseRetryAfter(value, undefined, 0) ?? 0) >= 0).toBe(true)
      const range = parseContentRange(`bytes 0-${value}/*`)
      expect(range === null || Number.isSafeInteger(range.end)).toBe(true)
    }),
    { numRuns: 300 },
  )
})

async function* empty(): AsyncGenerator<Uint8Array, undefined> {}
