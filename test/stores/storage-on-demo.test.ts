import { createHash, randomBytes } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { startDemoStore } from '../../electron/demo-store/index.ts'
import type { StoreConnection } from '../../electron/stores/index.ts'
import type { ObjectStore } from '../../electron/stores/port/object-store.ts'
import type { ByteRange } from '../../shared/byte-range.ts'
import { tempDir } from '../support/tools/temp-dir.ts'
import { bodyOf, contentOf, CREDENTIALS, openStore, signal } from './support/open-store.ts'

const md5 = (...bytes: Uint8Array[]) => createHash('md5').update(Buffer.concat(bytes))

async function openDemo(changes: Partial<StoreConnection> = {}): Promise<ObjectStore> {
  const demo = await startDemoStore({ directory: await tempDir(), buckets: ['demo'], credentials: CREDENTIALS })
  onTestFinished(() => demo.close())
  return openStore(demo.endpoint, changes)
}

async function read(store: ObjectStore, key: string, range?: ByteRange) {
  return contentOf(await store.getObject({ key, signal, ...(range === undefined ? {} : { range }) }))
}

test.each(['hmac-sha1', 'hmac-sha256'] as const)(
  'puts, heads, gets and deletes an object with %s',
  async (signature) => {
    const store = await openDemo({ signature })
    const bytes = randomBytes(5_000)
    const sent: number[] = []
    const request = { key: 'a b/ü+%/../x', signal, contentType: 'text/x-test' }
    const put = await store.putObject({
      ...request,
      body: bodyOf(bytes),
      contentMd5: md5(bytes).digest('base64'),
      onSent: (count) => sent.push(count),
    })
    expect(put).toEqual({ etag: md5(bytes).digest('hex'), requestId: expect.any(String) as string })
    expect(sent.reduce((sum, count) => sum + count, 0)).toBe(5_000)

    expect(await store.headObject(request)).toMatchObject({
      sizeBytes: 5_000,
      etag: put.etag,
      contentType: 'text/x-test',
      contentEncoding: null,
      serverTimeMs: expect.any(Number) as number,
    })
    expect(await read(store, request.key, { start: 10, end: 30 })).toMatchObject({
      status: 206,
      contentRange: { start: 10, end: 30, totalBytes: 5_000 },
      contentLength: 20,
      body: bytes.subarray(10, 30),
    })
    expect(await read(store, request.key)).toMatchObject({ status: 200, contentRange: null, body: bytes })
    expect((await store.listObjects({ signal })).objects).toMatchObject([{ key: request.key, sizeBytes: 5_000 }])

    await store.deleteObject(request)
    await store.deleteObject(request)
    await expect(read(store, request.key)).rejects.toMatchObject({ code: 'NoSuchKey', httpStatus: 404 })
    await expect(store.headObject(request)).rejects.toMatchObject({ code: 'NoSuchKey', httpStatus: 404 })
  },
)

test.each(['.', '..', '/', '//a', 'a//b', 'a/../b/./', "it's (1)!*", 'a?b#c&d=e', '%2F', 'q+r', '日本語/é'])(
  'keeps the key %j to the byte',
  async (key) => {
    const store = await openDemo()
    await store.putObject({ key, body: bodyOf(Buffer.from(key)), signal })
    const { objects } = await store.listObjects({ signal })
    expect(objects.map((object) => object.key)).toEqual([key])
    expect(await read(store, key)).toMatchObject({ body: Buffer.from(key) })
  },
)

test('uploads in parts with a gap, lists, completes and aborts', async () => {
  const store = await openDemo()
  const key = 'big/file.bin'
  const [first, last] = [randomBytes(5 * 1024 * 1024 + 1), randomBytes(100)]
  const { uploadId } = await store.createMultipartUpload({ key, signal, contentType: 'video/x' })
  const other = await store.createMultipartUpload({ key, signal })
  const address = { key, uploadId, signal }
  const parts = [
    { partNumber: 1, etag: (await store.uploadPart({ ...address, partNumber: 1, body: bodyOf(first) })).etag },
    { partNumber: 5, etag: (await store.uploadPart({ ...address, partNumber: 5, body: bodyOf(last) })).etag },
  ]
  const page = await store.listParts({ ...address, maxParts: 1 })
  expect(page).toMatchObject({ parts: [{ partNumber: 1, sizeBytes: first.length }], nextPartNumberMarker: 1 })
  expect(await store.listParts({ ...address, partNumberMarker: 1 })).toMatchObject({
    parts: [{ partNumber: 5, etag: md5(last).digest('hex') }],
    nextPartNumberMarker: null,
  })
  const uploads = await store.listMultipartUploads({ prefix: 'big/', signal })
  expect(uploads.uploads.map((upload) => upload.uploadId).sort()).toEqual([uploadId, other.uploadId].sort())

  const etag = `${md5(md5(first).digest(), md5(last).digest()).digest('hex')}-2`
  expect(await store.completeMultipartUpload({ ...address, parts })).toMatchObject({ etag })
  expect(await store.headObject({ key, signal })).toMatchObject({ sizeBytes: first.length + 100, etag })
  await expect(store.completeMultipartUpload({ ...address, parts })).rejects.toMatchObject({
    code: 'NoSuchUpload',
    httpStatus: 404,
    maybeProcessed: false,
    requestId: expect.any(String) as string,
  })
  await store.abortMultipartUpload({ key, uploadId: other.uploadId, signal })
  expect((await store.listMultipartUploads({ signal })).uploads).toEqual([])
})

test('handles empty objects and ranges that cannot be had', async () => {
  const store = await openDemo()
  await store.putObject({ key: 'empty', body: bodyOf(Buffer.alloc(0)), signal })
  expect(await read(store, 'empty', { start: 0, end: 10 })).toMatchObject({
    status: 200,
    contentLength: 0,
    body: Buffer.alloc(0),
  })
})

test('answers not-modified to If-Modified-Since', async () => {
  const store = await openDemo()
  await store.putObject({ key: 'k', body: bodyOf(Buffer.from('x')), signal })
  const { lastModified } = await store.headObject({ key: 'k', signal })
  const result = await store.getObject({ key: 'k', signal, ifModifiedSince: String(lastModified) })
  expect(result.kind).toBe('not-modified')
})

test('learns the clock of the service', async () => {
  const store = await openDemo({ now: () => Date.now() - 3_600_000 })
  const bytes = randomBytes(2_000_000)
  const put = await store.putObject({ key: 'k', body: bodyOf(bytes), signal })
  expect(await store.headObject({ key: 'k', signal })).toMatchObject({ sizeBytes: 2_000_000, etag: put.etag })
})

test('names wrong keys and digests', async () => {
  const store = await openDemo({ credentials: { ...CREDENTIALS, secretAccessKey: 'wrong' } })
  const refused = { code: 'SignatureDoesNotMatch', httpStatus: 403 }
  await expect(store.getObject({ key: 'k', signal })).rejects.toMatchObject(refused)
  await expect(store.headObject({ key: 'k', signal })).rejects.toMatchObject(refused)
  const right = await openDemo()
  const contentMd5 = md5(Buffer.from('else')).digest('base64')
  await expect(right.putObject({ key: 'k', body: bodyOf(Buffer.from('x')), contentMd5, signal })).rejects.toMatchObject(
    { code: 'InvalidDigest', httpStatus: 400, maybeProcessed: false },
  )
})
