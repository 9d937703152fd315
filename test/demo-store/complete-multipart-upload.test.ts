import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  complete,
  contentFiles,
  createUpload,
  eventually,
  json,
  md5,
  MIN_PART,
  noise,
  startStore,
  startUpload,
  uploadPart,
  verdict,
  type PartEntry,
} from './support/fixture.ts'

const PATH = '/demo/folder/object%20name'
const BIG = noise(MIN_PART + 1)
const SMALL = noise(1000)

function multipartEtag(...parts: readonly Buffer[]): string {
  const digests = Buffer.concat(parts.map((part) => createHash('md5').update(part).digest()))
  return `"${md5(digests)}-${parts.length}"`
}

describe('CompleteMultipartUpload', () => {
  it('joins the parts and answers Location, Bucket, Key and ETag', async () => {
    const { client, store, uploadId, etags } = await startUpload(PATH, BIG, SMALL)
    const response = await complete(client, PATH, uploadId, [
      [1, etags[0] ?? ''],
      [2, etags[1] ?? ''],
    ])
    expect(response.status).toBe(200)
    expect(response.headers['content-type']).toBe('application/json')
    expect(response.headers['content-length']).toBe(String(response.body.length))
    expect(response.headers['x-storage-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    expect(json(response)).toEqual({
      Location: `${store.endpoint}${PATH}`,
      Bucket: 'demo',
      Key: 'folder/object name',
      ETag: multipartEtag(BIG, SMALL),
    })
    const object = await client.send({ path: PATH })
    expect(object.body.equals(Buffer.concat([BIG, SMALL]))).toBe(true)
    expect(object.headers.etag).toBe(multipartEtag(BIG, SMALL))
  })

  it('takes part numbers with gaps', async () => {
    const { client, uploadId } = await startUpload(PATH)
    const first = await uploadPart(client, PATH, uploadId, 1, BIG)
    const fifth = await uploadPart(client, PATH, uploadId, 5, SMALL)
    const last = await uploadPart(client, PATH, uploadId, 10_000, SMALL)
    expect(verdict(await complete(client, PATH, uploadId, [[1, first], [5, fifth], [10_000, last]]))).toBe('400 EntityTooSmall') // prettier-ignore
    expect(verdict(await complete(client, PATH, uploadId, [[1, first], [5, fifth]]))).toBe('200') // prettier-ignore
  })

  it('makes the uploadId invalid', async () => {
    const { client, uploadId, etags } = await startUpload(PATH, SMALL)
    const parts: PartEntry[] = [[1, etags[0] ?? '']]
    expect(verdict(await complete(client, PATH, uploadId, parts))).toBe('200')
    expect(verdict(await complete(client, PATH, uploadId, parts))).toBe('404 NoSuchUpload')
    expect(verdict(await client.send({ path: `${PATH}?uploadId=${uploadId}` }))).toBe('404 NoSuchUpload')
    expect(verdict(await client.send({ method: 'DELETE', path: `${PATH}?uploadId=${uploadId}` }))).toBe(
      '404 NoSuchUpload',
    )
    expect(await uploadPart(client, PATH, uploadId, 2, SMALL)).toBe('refused with 404')
  })

  it('leaves other uploads of the same name alone', async () => {
    const { client, uploadId, etags } = await startUpload(PATH, SMALL)
    const other = await createUpload(client, PATH)
    const otherPart = noise(2000)
    const otherEtag = await uploadPart(client, PATH, other, 1, otherPart)
    await complete(client, PATH, uploadId, [[1, etags[0] ?? '']])
    expect((await client.send({ path: PATH })).body).toEqual(SMALL)
    expect(verdict(await complete(client, PATH, other, [[1, otherEtag]]))).toBe('200')
    expect((await client.send({ path: PATH })).body).toEqual(otherPart)
  })

  it('discards the parts that are not listed', async () => {
    const { client, directory, uploadId, etags } = await startUpload(PATH, SMALL, BIG, SMALL)
    await complete(client, PATH, uploadId, [[2, etags[1] ?? '']])
    expect((await client.send({ path: PATH })).body.equals(BIG)).toBe(true)
    await eventually(() => contentFiles(directory)).toHaveLength(1)
  })

  it('uses the last content of a part that was uploaded twice', async () => {
    const { client, uploadId, etags } = await startUpload(PATH, SMALL)
    const again = noise(500)
    const etag = await uploadPart(client, PATH, uploadId, 1, again)
    expect(verdict(await complete(client, PATH, uploadId, [[1, etags[0] ?? '']]))).toBe('400 InvalidPart')
    expect(verdict(await complete(client, PATH, uploadId, [[1, etag]]))).toBe('200')
    expect((await client.send({ path: PATH })).body).toEqual(again)
  })

  it('takes a last part of any size, 0 included', async () => {
    const { client, uploadId, etags } = await startUpload(PATH, BIG, Buffer.alloc(0))
    expect(verdict(await complete(client, PATH, uploadId, [[1, etags[0] ?? ''], [2, etags[1] ?? '']]))).toBe('200') // prettier-ignore
    expect((await client.send({ path: PATH })).body.equals(BIG)).toBe(true)
  })

  it('takes one empty part', async () => {
    const { client, uploadId, etags } = await startUpload(PATH, Buffer.alloc(0))
    expect(verdict(await complete(client, PATH, uploadId, [[1, etags[0] ?? '']]))).toBe('200')
    expect((await client.send({ path: PATH })).headers['content-length']).toBe('0')
  })

  it('takes ETags with and without quotes, and further members', async () => {
    const { client, uploadId, etags } = await startUpload(PATH, BIG, SMALL)
    const body = JSON.stringify({
      Parts: [
        { PartNumber: 1, ETag: etags[0]?.replaceAll('"', ''), Size: 1, LastModified: 'x' },
        { PartNumber: 2, ETag: etags[1] },
      ],
      Owner: {},
    })
    expect(verdict(await complete(client, PATH, uploadId, body, { 'Content-Type': 'text/xml' }))).toBe('200')
  })

  it('gives the object the Content-Type of CreateMultipartUpload', async () => {
    const { client } = await startStore()
    const uploadId = await createUpload(client, PATH, { 'Content-Type': 'video/mp4' })
    const etag = await uploadPart(client, PATH, uploadId, 1, SMALL)
    await complete(client, PATH, uploadId, [[1, etag]], { 'Content-Type': 'application/json' })
    expect((await client.send({ path: PATH })).headers['content-type']).toBe('video/mp4')
  })

  it('takes the same bytes as two parts', async () => {
    const { client, uploadId, etags } = await startUpload(PATH, BIG, BIG)
    expect(verdict(await complete(client, PATH, uploadId, [[1, etags[0] ?? ''], [2, etags[1] ?? '']]))).toBe('200') // prettier-ignore
    expect((await client.send({ path: PATH })).body.equals(Buffer.concat([BIG, BIG]))).toBe(true)
  })

  it('completes once when asked twice at a time', async () => {
    const { client, uploadId, etags } = await startUpload(PATH, SMALL)
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => complete(client, PATH, uploadId, [[1, etags[0] ?? '']])),
    )
    expect(responses.map(verdict).sort()).toEqual(['200', ...Array<string>(7).fill('404 NoSuchUpload')])
    expect((await client.send({ path: PATH })).body).toEqual(SMALL)
  })
})
