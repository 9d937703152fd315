import { describe, expect, it } from 'vitest'
import {
  complete,
  json,
  md5,
  MIN_PART,
  noise,
  partList,
  put,
  startStore,
  startUpload,
  uploadPart,
  verdict,
  type PartEntry,
} from './support/fixture.ts'

const PATH = '/demo/folder/object%20name'
const BIG = noise(MIN_PART + 1)
const SMALL = noise(1000)
const UNKNOWN_ETAG = `"${'0'.repeat(32)}"`

describe('A refused CompleteMultipartUpload', () => {
  const upTo5Mib = noise(MIN_PART)

  it('refuses a part of 5,242,880 bytes that is not the last, and takes one byte more', async () => {
    const { client, uploadId, etags } = await startUpload(PATH, upTo5Mib, SMALL)
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
    const { client, uploadId, etags } = await startUpload(PATH, SMALL, noise(2000))
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
    const { client, uploadId } = await startUpload(PATH)
    expect(verdict(await complete(client, PATH, uploadId, body))).toBe('400 MalformedJSON')
  })

  it('answers MalformedJSON to a body without end', async () => {
    const { client, uploadId } = await startUpload(PATH)
    expect(verdict(await complete(client, PATH, uploadId, ' '.repeat(20 * 1024 * 1024)))).toBe('400 MalformedJSON')
  })

  it.each([
    ['differs', md5('something else', 'base64')],
    ['is hex', md5('x', 'hex')],
    ['is too short', 'AAAA'],
    ['is empty', ''],
  ])('answers InvalidDigest when Content-MD5 %s, before anything else', async (_, digest) => {
    const { client, uploadId, etags } = await startUpload(PATH, SMALL)
    const headers = { 'Content-MD5': digest }
    expect(verdict(await complete(client, PATH, uploadId, 'no JSON', headers))).toBe('400 InvalidDigest')
    expect(verdict(await complete(client, PATH, uploadId, [[1, etags[0] ?? '']], headers))).toBe('400 InvalidDigest')
    const body = partList([[1, etags[0] ?? '']])
    const right = { 'Content-MD5': md5(body, 'base64') }
    expect(verdict(await complete(client, PATH, uploadId, body, right))).toBe('200')
  })

  it('leaves the upload and the object as they were', async () => {
    const { client, uploadId, etags } = await startUpload(PATH, upTo5Mib, SMALL)
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
    const { client, uploadId, etags } = await startUpload(PATH, SMALL)
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
