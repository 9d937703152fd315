import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { HttpResponse } from '../../electron/stores/http/wire/http-types.ts'
import {
  readBuckets,
  readObjectsPage,
  readPartsPage,
  readUploadsPage,
  type ParseBody,
} from '../../electron/stores/messages/responses.ts'
import { parseJsonObject } from '../../electron/stores/messages/error-responses.ts'
import { escapeXml } from '../../electron/stores/messages/xml.ts'
import { compareKeys } from '../../electron/stores/port/key-order.ts'
import { StoreError } from '../../electron/stores/port/store-error.ts'
import { xmlParser } from '../../electron/stores/s3/xml-bodies.ts'
import { almost, expectNoPollution, hostileJson, hostileText } from '../support/tools/hostile.ts'

expectNoPollution()

const OBJECTS = {
  ...{ IsTruncated: true, NextMarker: 'a/z', CommonPrefixes: ['a/b/'] },
  Contents: [{ Key: 'a/x', Size: 4, ETag: '"e"', LastModified: '2026-01-01T00:00:00.000Z' }],
}
const PARTS = {
  IsTruncated: true,
  NextPartNumberMarker: 7,
  Parts: [{ PartNumber: 7, ETag: '"e"', Size: 1, LastModified: null }],
}
const UPLOADS = {
  IsTruncated: true,
  NextKeyMarker: 'b',
  NextUploadIdMarker: 'v',
  Uploads: [{ Key: 'b', UploadId: 'v', Initiated: null }],
}

/** The same answer as S3 writes it, member by member, whatever their names and values are. */
function xmlOf(value: unknown, root: string): string {
  return `<?xml version="1.0"?><${root}>${elementsOf(value)}</${root}>`
}

function elementsOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return escapeXml(String(value))
  const element = (name: string, content: string) => `<${name}>${content}</${name}>`
  return Object.entries(value)
    .flatMap(([name, member]) => {
      const single = name === 'Contents' || name === 'CommonPrefixes' ? name : name.replace(/s$/, '')
      const each = (entry: unknown) =>
        name === 'CommonPrefixes' ? element('Prefix', elementsOf(entry)) : elementsOf(entry)
      return Array.isArray(member)
        ? member.map((entry) => element(single, each(entry)))
        : element(name, elementsOf(member))
    })
    .join('')
}

function response(text: string): HttpResponse {
  const bytes = Buffer.from(text)
  async function* body(): AsyncGenerator<Uint8Array, undefined> {
    await Promise.resolve()
    yield bytes
  }
  return { status: 200, headers: new Map(), body: body() }
}

/** The page, or null where it was refused by a typed error; anything else that happens is thrown. */
async function readOrNull<Page>(read: Promise<Page>): Promise<Page | null> {
  try {
    return await read
  } catch (failure) {
    expect(failure).toBeInstanceOf(StoreError)
    return null
  }
}

interface Dialect {
  readonly text: (value: unknown, root: string) => string
  readonly parse: (root: string) => ParseBody
}

const DIALECTS: readonly [string, Dialect][] = [
  ['storage', { text: (value) => JSON.stringify(value) ?? '', parse: () => parseJsonObject }],
  ['s3', { text: xmlOf, parse: xmlParser }],
]

describe.each(DIALECTS)('%s', (_name, { text, parse }) => {
  test('a page of objects is of the folder, goes on, and has sizes that can be', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(almost(OBJECTS), almost(OBJECTS), hostileJson), async (value) => {
        const read = readObjectsPage(
          response(text(value, 'ListBucketResult')),
          { prefix: 'a/', marker: 'a/a' },
          parse('ListBucketResult'),
        )
        const page = await readOrNull(read)
        if (page === null) return
        expect([...page.objects.map(({ key }) => key), ...page.prefixes].every((key) => key.startsWith('a/'))).toBe(
          true,
        )
        expect(page.objects.every(({ sizeBytes }) => Number.isSafeInteger(sizeBytes) && sizeBytes >= 0)).toBe(true)
        if (page.nextMarker !== null) expect(compareKeys(page.nextMarker, 'a/a')).toBe(1)
      }),
      { numRuns: 400 },
    )
  })

  test('pages of parts and of uploads go on, and have numbers that can be', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(almost(PARTS), almost(UPLOADS), hostileJson), async (value) => {
        const parts = await readOrNull(
          readPartsPage(response(text(value, 'ListPartsResult')), 3, parse('ListPartsResult')),
        )
        expect(parts?.nextPartNumberMarker ?? 4).toBeGreaterThan(3)
        expect(parts?.parts.every(({ sizeBytes }) => Number.isSafeInteger(sizeBytes)) ?? true).toBe(true)
        const root = 'ListMultipartUploadsResult'
        const uploads = await readOrNull(readUploadsPage(response(text(value, root)), 'a', 'u', parse(root)))
        expect(compareKeys(uploads?.next?.keyMarker ?? 'b', 'a')).toBeGreaterThanOrEqual(0)
        await readOrNull(readBuckets(response(text(value, 'ListAllMyBucketsResult')), parse('ListAllMyBucketsResult')))
      }),
      { numRuns: 300 },
    )
  })

  test('what is no response at all is refused', async () => {
    await fc.assert(
      fc.asyncProperty(hostileText, async (body) => {
        await readOrNull(readObjectsPage(response(body), {}, parse('ListBucketResult')))
      }),
    )
  })
})
