// Values that zod can't compare, or that it would take gigabytes to say all about, at each reader of foreign values.

import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import * as codec from '../../electron/engine/checkpoint/tables/record-codec.ts'
import { PartsListError } from '../../electron/engine/multipart/parts-list-fault.ts'
import { parsePartsList } from '../../electron/engine/multipart/parts-list.ts'
import { parseSidecar } from '../../electron/engine/partial-file/sidecar.ts'
import { UpdateError } from '../../electron/services/updates/update-error.ts'
import { readUpdateList } from '../../electron/services/updates/update-list.ts'
import type { HttpResponse } from '../../electron/stores/http/exchange.ts'
import {
  readBuckets,
  readCompleteResult,
  readCreateResult,
  readObjectsPage,
  readPartsPage,
  readUploadsPage,
} from '../../electron/stores/messages/responses.ts'
import { STORE_ERROR } from '../../electron/stores/port/store-error.ts'

/** Its length is compared with a number, which throws. */
const ODD = { length: { valueOf: 1, toString: 1 } }
const json = (value: unknown) => JSON.stringify(value)

test.each([
  ['a transfer', codec.decodeTransfer, { direction: 'upload', id: ODD }],
  ['a transfer of no known kind', codec.decodeTransfer, { direction: ODD }],
  ['an upload to remove', codec.decodeAbort, { location: ODD, key: ODD, uploadId: ODD }],
])('%s that can’t be compared can’t be read, and the reason is told', (_what, decode, value) => {
  expect(decode(json(value))).toEqual({ reason: expect.any(String) as string })
})

test('claims, items, pages and failures that can’t be compared are left out', () => {
  const [part, range] = [
    { partNumber: 1, sizeBytes: 5, etag: 'a', md5: '0'.repeat(32) },
    { start: 0, end: 5, crc32: 1 },
  ]
  const item = { key: 'a', path: 'a', sizeBytes: 1, etag: null, modifiedSeconds: null }
  expect(codec.readableParts([ODD, { ...part, md5: ODD }, part])).toEqual([part])
  expect(codec.readableRanges([ODD, { ...range, end: ODD }, range])).toEqual([range])
  expect(codec.readableItems(json([{ ...item, key: ODD }, item]))).toEqual([item])
  expect(codec.readableSent(json([ODD, [1, 2, 3]]))).toEqual([{ number: 1, sizeBytes: 2, modifiedMs: 3 }])
  expect(codec.readableFailures(json([ODD, { key: ODD, error: ODD }]))).toEqual([])
  expect(codec.readableHistory(json({ entries: ODD, samples: ODD }))).toBeNull()
  expect(codec.readablePlanPage(json([1, [[ODD, 1, 1]]]))).toBeNull()
})

test.each([
  { parts: ODD },
  { Parts: ODD },
  { uploadId: ODD, parts: [{ partNumber: 1, etag: 'a' }] },
  { parts: [{ partNumber: 1, etag: ODD }] },
  { parts: [ODD] },
])('no parts list: %j', (list) => {
  expect(() => parsePartsList(json(list))).toThrow(PartsListError)
})

test.each(['parts', 'Parts'])(
  'a parts list of a million entries is refused before any of its %s is looked at',
  (name) => {
    const text = json({ [name]: Array(1_000_000).fill(1) })
    expect(() => parsePartsList(text)).toThrow('Entry 10001 of the parts list has no usable partNumber.')
  },
)

test('a sidecar whose facts can’t be compared is none', () => {
  const facts = { version: 2, owner: 'host/1', location: { kind: 'link', url: 'http://a/' }, endpoint: null, key: 'a' }
  const header = { ...facts, targetPath: '/a', sizeBytes: 5, etag: null, lastModified: null }
  const read = (...lines: readonly unknown[]) => parseSidecar(lines.map(json).join('\n'), Buffer.alloc(32))
  expect(read({ ...header, targetPath: ODD })).toBeNull()
  expect(read(header, { mac: ODD }, [0, 5, 1])).toMatchObject({
    isOurs: false,
    written: [{ start: 0, end: 5, crc32: 1 }],
  })
})

test('a list of updates that can’t be compared is not genuine', () => {
  const key = generateKeyPairSync('ed25519').publicKey
  const read = () => readUpdateList(json({ list: ODD, signature: ODD }), 'list', key)
  expect(read).toThrow(UpdateError)
  expect(read).toThrow(expect.objectContaining({ problem: 'not-genuine' }))
})

test.each<[string, (response: HttpResponse) => Promise<unknown>, unknown]>([
  ['an upload', (response) => readCreateResult(response, 'a'), { UploadId: ODD }],
  ['a completion', (response) => readCompleteResult(response, 'a', 0), { ETag: ODD }],
  ['parts', (response) => readPartsPage(response, 0), { Parts: [{ PartNumber: 1, ETag: ODD, Size: 1 }] }],
  [
    'a part number',
    (response) => readPartsPage(response, 0),
    { Parts: [], IsTruncated: true, NextPartNumberMarker: ODD },
  ],
  ['uploads', (response) => readUploadsPage(response, '', ''), { Uploads: [{ Key: ODD, UploadId: 'u' }] }],
  ['folders', (response) => readObjectsPage(response, {}), { CommonPrefixes: [ODD] }],
  ['buckets', readBuckets, { Buckets: [{ Name: ODD }] }],
  ['a million parts', (response) => readPartsPage(response, 0), { Parts: Array(1_000_000).fill(1) }],
  ['a million folders', (response) => readObjectsPage(response, {}), { CommonPrefixes: Array(1_000_000).fill('') }],
])('a response with %s that can’t be compared, or counted, is a bad answer', async (_what, read, value) => {
  await expect(read(responseWith(json(value)))).rejects.toMatchObject({ code: STORE_ERROR.badAnswer })
})

function responseWith(body: string): HttpResponse {
  return { status: 200, headers: new Headers(), body: bytesOf(body) } as unknown as HttpResponse
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}
