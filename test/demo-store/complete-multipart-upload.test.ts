import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  complete,
  contentFiles,
  eventually,
  createUpload,
  json,
  md5,
  MIN_PART,
  noise,
  partList,
  put,
  startStore,
  uploadPart,
  verdict,
  type Fixture,
  type PartEntry,
} from './support/fixture.ts'

const PATH = '/demo/folder/object%20name'
const BIG = noise(MIN_PART + 1)
const SMALL = noise(1000)

interface Upload extends Fixture {
  readonly uploadId: string
  readonly etags: readonly string[]
}

/** An upload with parts 1, 2, … of these contents. */
async function withUpload(...parts: readonly Buffer[]): Promise<Upload> {
  const fixture = await startStore()
  const uploadId = await createUpload(fixture.client, PATH)
  const etags: string[] = []
  for (const [index, part] of parts.entries()) {
    etags.push(await uploadPart(fixture.client, PATH, uploadId, index + 1, part))
  }
  return { ...fixture, uploadId, etags }
}

const UNKNOWN_ETAG = `"${'0'.repeat(32)}"`

function multipartEtag(...parts: readonly Buffer[]): string {
  const digests = Buffer.concat(parts.map((part) => createHash('md5').update(part).digest()))
  return `"${md5(digests)}-${parts.length}"`
}

describe('CompleteMultipartUpload', () => {
  it('joins the parts and answers Location, Bucket, Key and ETag', async () => {
    const { client, store, uploadId, etags } = await withUpload(BIG, SMALL)
    const answer = await complete(client, PATH, uploadId, [
      [1, etags[0] ?? ''],
      [2, etags[1] ?? ''],
    ])
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toBe('application/json')
    expect(answer.headers['content-length']).toBe(String(answer.body.length))
    expect(answer.headers['x-storage-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    expect(json(answer)).toEqual({
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
    const { client, uploadId } = await withUpload()
    const first = await uploadPart(client, PATH, uploadId, 1, BIG)
    const fifth = await uploadPart(client, PATH, uploadId, 5, SMALL)
    const last = await uploadPart(client, PATH, uploadId, 10_000, SMALL)
    expect(verdict(await complete(client, PATH, uploadId, [[1, first], [5, fifth], [10_000, last]]))).toBe('400 EntityTooSmall') // prettier-ignore
    expect(verdict(await complete(client, PATH, uploadId, [[1, first], [5, fifth]]))).toBe('200') // prettier-ignore
  })

  it('makes the uploadId invalid', async () => {
    const { client, uploadId, etags } = await withUpload(SMALL)
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
    const { client, uploadId, etags } = await withUpload(SMALL)
    const other = await createUpload(client, PATH)
    const otherPart = noise(2000)
    const otherEtag = await uploadPart(client, PATH, other, 1, otherPart)
    await complete(client, PATH, uploadId, [[1, etags[0] ?? '']])
    expect((await client.send({ path: PATH })).body).toEqual(SMALL)
    expect(verdict(await complete(client, PATH, other, [[1, otherEtag]]))).toBe('200')
    expect((await client.send({ path: PATH })).body).toEqual(otherPart)
  })

  it('discards the parts that are not listed', async () => {
    const { client, directory, uploadId, etags } = await withUpload(SMALL, BIG, SMALL)
    await complete(client, PATH, uploadId, [[2, etags[1] ?? '']])
    expect((await client.send({ path: PATH })).body.equals(BIG)).toBe(true)
    await eventually(() => contentFiles(directory)).toHaveLength(1)
  })

  it('uses the last content of a part that was uploaded twice', async () => {
    const { client, uploadId, etags } = await withUpload(SMALL)
    const again = noise(500)
    const etag = await uploadPart(client, PATH, uploadId, 1, again)
    expect(verdict(await complete(client, PATH, uploadId, [[1, etags[0] ?? '']]))).toBe('400 InvalidPart')
    expect(verdict(await complete(client, PATH, uploadId, [[1, etag]]))).toBe('200')
    expect((await client.send({ path: PATH })).body).toEqual(again)
  })

  it('takes a last part of any size, 0 included', async () => {
    const { client, uploadId, etags } = await withUpload(BIG, Buffer.alloc(0))
    expect(verdict(await complete(client, PATH, uploadId, [[1, etags[0] ?? ''], [2, etags[1] ?? '']]))).toBe('200') // prettier-ignore
    expect((await client.send({ path: PATH })).body.equals(BIG)).toBe(true)
  })

  it('takes one empty part', async () => {
    const { client, uploadId, etags } = await withUpload(Buffer.alloc(0))
    expect(verdict(await complete(client, PATH, uploadId, [[1, etags[0] ?? '']]))).toBe('200')
    expect((await client.send({ path: PATH })).headers['content-length']).toBe('0')
  })

  it('takes ETags with and without quotes, and further members', async () => {
    const { client, uploadId, etags } = await withUpload(BIG, SMALL)
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
    const { client, uploadId, etags } = await withUpload(BIG, BIG)
    expect(verdict(await complete(client, PATH, uploadId, [[1, etags[0] ?? ''], [2, etags[1] ?? '']]))).toBe('200') // prettier-ignore
    expect((await client.send({ path: PATH })).body.equals(Buffer.concat([BIG, BIG]))).toBe(true)
  })

  it('completes once when asked twice at a time', async () => {
    const { client, uploadId, etags } = await withUpload(SMALL)
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => complete(client, PATH, uploadId, [[1, etags[0] ?? '']])),
    )
    expect(answers.map(verdict).sort()).toEqual(['200', ...Array<string>(7).fill('404 NoSuchUpload')])
    expect((await client.send({ path: PATH })).body).toEqual(SMALL)
  })

  it('completes 10,000 parts', async () => {
    const { client, uploadId } = await withUpload()
    const numbers = Array.from({ length: 10_000 }, (_, index) => index + 1)
    const etags = new Map<number, string>()
    const lanes = Array.from({ length: 16 }, async (_, lane) => {
      for (let index = lane; index < numbers.length; index += 16) {
        etags.set(index + 1, await uploadPart(client, PATH, uploadId, index + 1, Buffer.from([index % 256])))
      }
    })
    await Promise.all(lanes)
    const parts = numbers.map((number) => [number, etags.get(number) ?? ''] as const)
    // Parts this small are refused, but only after every one of them was found.
    expect(verdict(await complete(client, PATH, uploadId, parts))).toBe('400 EntityTooSmall')
  })
})

describe('A refused CompleteMultipartUpload', () => {
  const upTo5Mib = noise(MIN_PART)

  it('refuses a part of 5,242,880 bytes that is not the last, and takes one byte more', async () => {
    const { client, uploadId, etags } = await withUpload(upTo5Mib, SMALL)
    const parts: PartEntry[] = [[1, etags[0] ?? ''], [2, etags[1] ?? '']] // prettier-ignore
    expect(verdict(await complete(client, PATH, uploadId, parts))).toBe('400 EntityTooSmall')
    const etag = await uploadPart(client, PATH, uploadId, 1, BIG)
    expect(verdict(await complete(client, PATH, uploadId, [[1, etag], parts[1] ?? [0, '']]))).toBe('200')
  })

  it.each([
    [
      'a number that was not uploaded',
      [
        [1, 'first'],
        [3, 'first'],
      ],
      'InvalidPart',
    ],
    [
      'an ETag of another part',
      [
        [1, 'second'],
        [2, 'second'],
      ],
      'InvalidPart',
    ],
    ['an unknown ETag', [[1, UNKNOWN_ETAG]], 'InvalidPart'],
    ['an empty ETag', [[1, '']], 'InvalidPart'],
    ['number 0', [[0, 'first']], 'InvalidPart'],
    ['number 10,001', [[10_001, 'first']], 'InvalidPart'],
    [
      'a descending list',
      [
        [2, 'second'],
        [1, 'first'],
      ],
      'InvalidPartOrder',
    ],
    [
      'a repeat',
      [
        [1, 'first'],
        [1, 'first'],
      ],
      'InvalidPartOrder',
    ],
    [
      'disorder before an unknown part',
      [
        [9, UNKNOWN_ETAG],
        [1, 'first'],
      ],
      'InvalidPartOrder',
    ],
    [
      'an unknown part before a small one',
      [
        [1, 'first'],
        [2, 'second'],
        [3, UNKNOWN_ETAG],
      ],
      'InvalidPart',
    ],
  ] as const)('names %s', async (_, list, code) => {
    const { client, uploadId, etags } = await withUpload(SMALL, noise(2000))
    const known: Readonly<Record<string, string | undefined>> = { first: etags[0], second: etags[1] }
    const parts = list.map(([number, etag]) => [number, known[etag] ?? etag] as const)
    expect(verdict(await complete(client, PATH, uploadId, parts))).toBe(`400 ${code}`)
  })

  it.each([
    ['no JSON', '{"Parts":'],
    ['nothing', ''],
    ['null', 'null'],
    ['a bare list', '[{"PartNumber":1,"ETag":"x"}]'],
    ['no Parts', '{}'],
    ['Parts that is no list', '{"Parts":{"PartNumber":1,"ETag":"x"}}'],
    ['an empty list', '{"Parts":[]}'],
    ['an entry that is no object', '{"Parts":[1]}'],
    ['a null entry', '{"Parts":[null]}'],
    ['a number as text', '{"Parts":[{"PartNumber":"1","ETag":"x"}]}'],
    ['a fraction', '{"Parts":[{"PartNumber":1.5,"ETag":"x"}]}'],
    ['no number', '{"Parts":[{"ETag":"x"}]}'],
    ['no ETag', '{"Parts":[{"PartNumber":1}]}'],
    ['an ETag that is no text', '{"Parts":[{"PartNumber":1,"ETag":1}]}'],
    ['a wrong entry after a repeat', '{"Parts":[{"PartNumber":1,"ETag":"x"},{"PartNumber":1,"ETag":"x"},{}]}'],
    ['XML', '<CompleteMultipartUpload/>'],
  ])('answers MalformedJSON to %s', async (_, body) => {
    const { client, uploadId } = await withUpload()
    expect(verdict(await complete(client, PATH, uploadId, body))).toBe('400 MalformedJSON')
  })

  it('answers MalformedJSON to a body without end', async () => {
    const { client, uploadId } = await withUpload()
    expect(verdict(await complete(client, PATH, uploadId, ' '.repeat(20 * 1024 * 1024)))).toBe('400 MalformedJSON')
  })

  it.each([
    ['differs', md5('something else', 'base64')],
    ['is hex', md5('x', 'hex')],
    ['is too short', 'AAAA'],
    ['is empty', ''],
  ])('answers InvalidDigest when Content-MD5 %s, before anything else', async (_, digest) => {
    const { client, uploadId, etags } = await withUpload(SMALL)
    const headers = { 'Content-MD5': digest }
    expect(verdict(await complete(client, PATH, uploadId, 'no JSON', headers))).toBe('400 InvalidDigest')
    expect(verdict(await complete(client, PATH, uploadId, [[1, etags[0] ?? '']], headers))).toBe('400 InvalidDigest')
    const body = partList([[1, etags[0] ?? '']])
    const right = { 'Content-MD5': md5(body, 'base64') }
    expect(verdict(await complete(client, PATH, uploadId, body, right))).toBe('200')
  })

  it('leaves the upload and the object as they were', async () => {
    const { client, uploadId, etags } = await withUpload(upTo5Mib, SMALL)
    await put(client, PATH, 'before')
    const listing = `${PATH}?uploadId=${uploadId}`
    const before = json(await client.send({ path: listing }))
    const parts: PartEntry[] = [[1, etags[0] ?? ''], [2, etags[1] ?? '']] // prettier-ignore
    await complete(client, PATH, uploadId, parts)
    await complete(client, PATH, uploadId, [[1, UNKNOWN_ETAG]])
    await complete(client, PATH, uploadId, 'no JSON')
    expect(json(await client.send({ path: listing }))).toEqual(before)
    expect((await client.send({ path: PATH })).body.toString()).toBe('before')
    expect(verdict(await complete(client, PATH, uploadId, parts.slice(1)))).toBe('200')
  })

  it.each(['', 'unknown', '../../journal.jsonl'])('answers NoSuchUpload to the uploadId “%s”', async (uploadId) => {
    const { client } = await startStore()
    expect(verdict(await complete(client, PATH, encodeURIComponent(uploadId), [[1, UNKNOWN_ETAG]]))).toBe(
      '404 NoSuchUpload',
    )
  })

  it('answers NoSuchUpload to an uploadId of another object or bucket', async () => {
    const { client, uploadId, etags } = await withUpload(SMALL)
    const parts: PartEntry[] = [[1, etags[0] ?? '']]
    expect(verdict(await complete(client, '/demo/elsewhere', uploadId, parts))).toBe('404 NoSuchUpload')
    expect(verdict(await complete(client, PATH.replace('demo', 'other'), uploadId, parts))).toBe('404 NoSuchUpload')
    expect(verdict(await complete(client, PATH, uploadId, parts))).toBe('200')
  })

  it('answers InvalidArgument to POST without uploadId', async () => {
    const { client } = await startStore()
    expect(verdict(await client.send({ method: 'POST', path: PATH, body: '{}' }))).toBe('400 InvalidArgument')
  })
})
