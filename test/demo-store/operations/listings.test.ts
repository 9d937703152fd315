import { describe, expect, it } from 'vitest'
import { createUpload, json, md5, noise, put, startStore, uploadPart, verdict } from '../support/fixture.ts'
import type { RawClient } from '../support/raw-client.ts'

interface ObjectsPage {
  readonly Name: string
  readonly IsTruncated: boolean
  readonly NextMarker?: string
  readonly CommonPrefixes: readonly string[]
  readonly Contents: readonly { readonly Key: string; readonly Size: number }[]
}

async function list<Page>(client: RawClient, path: string): Promise<Page> {
  return json(await client.send({ path })) as unknown as Page
}

function query(parameters: Readonly<Record<string, string>>): string {
  return new URLSearchParams(parameters).toString()
}

/** Keys and prefixes of every page, one after the other. */
async function pages(client: RawClient, parameters: Readonly<Record<string, string>>): Promise<string[][]> {
  const found: string[][] = []
  for (let marker: string | undefined = ''; marker !== undefined;) {
    const page: ObjectsPage = await list(client, `/demo/?${query({ ...parameters, marker })}`)
    expect(page.NextMarker !== undefined).toBe(page.IsTruncated)
    found.push([...page.Contents.map(({ Key }) => Key), ...page.CommonPrefixes])
    marker = page.NextMarker
  }
  return found
}

async function withObjects(keys: readonly string[]): Promise<RawClient> {
  const { client } = await startStore({ credentials: null })
  await Promise.all(keys.map((key) => put(client, `/demo/${encodeURIComponent(key)}`, key)))
  return client
}

describe('ListObjects', () => {
  it('answers the members of the dialect', async () => {
    const { client } = await startStore({ credentials: null, now: () => Date.parse('2030-01-02T03:04:05.678Z') })
    await put(client, '/demo/a/1', 'xyz')
    await put(client, '/demo/b', '')
    expect(await list(client, '/demo/?delimiter=/')).toEqual({
      Name: 'demo',
      Prefix: '',
      Delimiter: '/',
      IsTruncated: false,
      CommonPrefixes: ['a/'],
      Contents: [{ Key: 'b', Size: 0, ETag: `"${md5('')}"`, LastModified: '2030-01-02T03:04:05.678Z' }],
    })
    expect(await list(client, '/demo?prefix=a')).toEqual({
      Name: 'demo',
      Prefix: 'a',
      Delimiter: '',
      IsTruncated: false,
      CommonPrefixes: [],
      Contents: [{ Key: 'a/1', Size: 3, ETag: `"${md5('xyz')}"`, LastModified: '2030-01-02T03:04:05.678Z' }],
    })
  })

  it('ascends by UTF-8 bytes, not by UTF-16 units', async () => {
    const keys = ['Z', 'a', 'é', '\uFF5E', '😀', '€']
    const client = await withObjects(keys)
    const byBytes = [...keys].sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)))
    expect(await pages(client, {})).toEqual([byBytes])
    expect(await pages(client, { 'max-keys': '1' })).toEqual(byBytes.map((key) => [key]))
  })

  it('pages with exclusive markers', async () => {
    const client = await withObjects(['a', 'b', 'c', 'd', 'e'])
    expect(await pages(client, { 'max-keys': '2' })).toEqual([['a', 'b'], ['c', 'd'], ['e']])
    expect(await pages(client, { 'max-keys': '5' })).toEqual([['a', 'b', 'c', 'd', 'e']])
    const page: ObjectsPage = await list(client, '/demo/?marker=bb')
    expect(page.Contents.map(({ Key }) => Key)).toEqual(['c', 'd', 'e'])
    const afterPrefix: ObjectsPage = await list(client, '/demo/?marker=b&prefix=b')
    expect(afterPrefix.Contents).toEqual([])
  })

  it('rolls names up to common prefixes, each one entry of a page', async () => {
    const client = await withObjects(['a', 'b/1', 'b/2', 'b/c/3', 'b0', 'c/', 'c/1', 'd'])
    const everything = ['a', 'b/', 'b0', 'c/', 'd']
    for (const size of [1, 2, 3, 5]) {
      const found = await pages(client, { delimiter: '/', 'max-keys': String(size) })
      expect(found.flat().sort()).toEqual(everything)
      expect(found.slice(0, -1).map(({ length }) => length)).toEqual(found.slice(1).map(() => size))
    }
    expect(await pages(client, { delimiter: '/', prefix: 'b/' })).toEqual([['b/1', 'b/2', 'b/c/']])
    expect(await pages(client, { delimiter: '/', prefix: 'b' })).toEqual([['b0', 'b/']])
    expect(await pages(client, { prefix: 'b' })).toEqual([['b/1', 'b/2', 'b/c/3', 'b0']])
    expect(await pages(client, { prefix: 'nothing' })).toEqual([[]])
  })

  it('takes a delimiter of several bytes, and one that is not a slash', async () => {
    const client = await withObjects(['a--1', 'a--2', 'a-3', 'é→1', 'é→2'])
    expect(await pages(client, { delimiter: '--' })).toEqual([['a-3', 'é→1', 'é→2', 'a--']])
    expect(await pages(client, { delimiter: '→' })).toEqual([['a--1', 'a--2', 'a-3', 'é→']])
  })

  it('holds 1,000 entries by default and at most', async () => {
    const client = await withObjects(Array.from({ length: 1005 }, (_, index) => String(index).padStart(4, '0')))
    for (const path of ['/demo/', '/demo/?max-keys=5000', '/demo/?max-keys=99999999999999999999']) {
      const page: ObjectsPage = await list(client, path)
      expect([page.Contents.length, page.IsTruncated, page.NextMarker]).toEqual([1000, true, '0999'])
    }
    expect((await pages(client, {})).map(({ length }) => length)).toEqual([1000, 5])
    const none: ObjectsPage = await list(client, '/demo/?max-keys=0')
    expect([none.Contents.length, none.IsTruncated]).toEqual([0, false])
  })

  it('follows what is stored and deleted', async () => {
    const client = await withObjects(['b'])
    expect(await pages(client, {})).toEqual([['b']])
    await put(client, '/demo/a', 'x')
    await put(client, '/demo/c', 'x')
    await put(client, '/demo/b', 'replaced')
    await client.send({ method: 'DELETE', path: '/demo/c' })
    expect(await pages(client, {})).toEqual([['a', 'b']])
  })

  it.each([
    '/demo/?max-keys=ten',
    '/demo/?max-keys=',
    '/demo/?max-keys=-1',
    '/demo/?max-keys=1.5',
    '/demo/?uploads&max-uploads=x',
  ])('refuses %s', async (path) => {
    const { client } = await startStore({ credentials: null })
    expect(verdict(await client.send({ path }))).toBe('400 InvalidArgument')
  })
})

interface UploadsPage {
  readonly IsTruncated: boolean
  readonly NextKeyMarker?: string
  readonly NextUploadIdMarker?: string
  readonly Uploads: readonly { readonly Key: string; readonly UploadId: string }[]
}

describe('ListMultipartUploads', () => {
  it('answers the members of the dialect', async () => {
    const { client } = await startStore({ credentials: null, now: () => Date.parse('2030-01-02T03:04:05.678Z') })
    expect(await list(client, '/demo/?uploads')).toEqual({ Bucket: 'demo', IsTruncated: false, Uploads: [] })
    const uploadId = await createUpload(client, '/demo/a%20b')
    await createUpload(client, '/other/elsewhere')
    expect(await list(client, '/demo?uploads')).toEqual({
      Bucket: 'demo',
      IsTruncated: false,
      Uploads: [{ Key: 'a b', UploadId: uploadId, Initiated: '2030-01-02T03:04:05.678Z' }],
    })
  })

  it('pages by key, then by uploadId', async () => {
    const { client } = await startStore({ credentials: null })
    const keys = ['b', 'a', '😀', '\uFF5E', 'b', 'b', 'c/1']
    const created: { Key: string; UploadId: string }[] = []
    for (const Key of keys)
      created.push({ Key, UploadId: await createUpload(client, `/demo/${encodeURIComponent(Key)}`) })
    const expected = created
      .map((upload) => ({ upload, order: Buffer.from(`${upload.Key}\0${upload.UploadId}`) }))
      .sort((one, other) => Buffer.compare(one.order, other.order))
      .map(({ upload }) => upload)

    const found: { Key: string; UploadId: string }[] = []
    let markers: Readonly<Record<string, string>> | null = {}
    while (markers !== null) {
      const page: UploadsPage = await list(client, `/demo/?uploads&${query({ ...markers, 'max-uploads': '2' })}`)
      found.push(...page.Uploads.map(({ Key, UploadId }) => ({ Key, UploadId })))
      expect(page.NextKeyMarker !== undefined).toBe(page.IsTruncated)
      markers = page.IsTruncated
        ? { 'key-marker': page.NextKeyMarker ?? '', 'upload-id-marker': page.NextUploadIdMarker ?? '' }
        : null
    }
    expect(found).toEqual(expected)
    const afterB: UploadsPage = await list(client, '/demo/?uploads&key-marker=b')
    expect(afterB.Uploads.map(({ Key }) => Key)).toEqual(['c/1', '\uFF5E', '😀'])
    const withPrefix: UploadsPage = await list(client, '/demo/?uploads&prefix=b')
    expect(withPrefix.Uploads).toHaveLength(3)
  })

  it('forgets uploads that ended', async () => {
    const { client } = await startStore({ credentials: null })
    const uploadId = await createUpload(client, '/demo/key')
    await client.send({ method: 'DELETE', path: `/demo/key?uploadId=${uploadId}` })
    expect(await list(client, '/demo/?uploads')).toMatchObject({ Uploads: [] })
  })
})

describe('ListParts', () => {
  it('answers the members of the dialect, ascending by number', async () => {
    const { client } = await startStore({ credentials: null, now: () => Date.parse('2030-01-02T03:04:05.678Z') })
    const uploadId = await createUpload(client, '/demo/key')
    const [tenth, second] = [noise(10), noise(2)]
    await uploadPart(client, '/demo/key', uploadId, 10, tenth)
    await uploadPart(client, '/demo/key', uploadId, 2, second)
    const LastModified = '2030-01-02T03:04:05.678Z'
    expect(await list(client, `/demo/key?uploadId=${uploadId}`)).toEqual({
      Bucket: 'demo',
      Key: 'key',
      UploadId: uploadId,
      MaxParts: 1000,
      IsTruncated: false,
      Parts: [
        { PartNumber: 2, ETag: `"${md5(second)}"`, Size: 2, LastModified },
        { PartNumber: 10, ETag: `"${md5(tenth)}"`, Size: 10, LastModified },
      ],
    })
  })

  it('pages with exclusive markers', async () => {
    const { client } = await startStore({ credentials: null })
    const uploadId = await createUpload(client, '/demo/key')
    for (const number of [1, 3, 7]) await uploadPart(client, '/demo/key', uploadId, number, noise(1))
    const path = `/demo/key?uploadId=${uploadId}&max-parts=2`
    expect(await list(client, path)).toMatchObject({
      MaxParts: 2,
      IsTruncated: true,
      NextPartNumberMarker: 3,
      Parts: [{ PartNumber: 1 }, { PartNumber: 3 }],
    })
    const last = await list(client, `${path}&part-number-marker=3`)
    expect(last).toMatchObject({ IsTruncated: false, Parts: [{ PartNumber: 7 }] })
    expect(last).not.toHaveProperty('NextPartNumberMarker')
  })

  it.each(['max-parts=x', 'part-number-marker=x'])('refuses %s', async (parameter) => {
    const { client } = await startStore({ credentials: null })
    const uploadId = await createUpload(client, '/demo/key')
    expect(verdict(await client.send({ path: `/demo/key?uploadId=${uploadId}&${parameter}` }))).toBe(
      '400 InvalidArgument',
    )
  })

  it('answers NoSuchUpload for the upload of another object', async () => {
    const { client } = await startStore({ credentials: null })
    const uploadId = await createUpload(client, '/demo/key')
    expect(verdict(await client.send({ path: `/demo/key2?uploadId=${uploadId}` }))).toBe('404 NoSuchUpload')
    expect(verdict(await client.send({ path: '/demo/key?uploadId=' }))).toBe('404 NoSuchUpload')
  })
})

describe('ListBuckets', () => {
  it('names the buckets of the service at its root, in order', async () => {
    const { client } = await startStore({ buckets: ['b', 'a'] })
    expect(json(await client.send({ path: '/', resource: '/' }))).toEqual({ Buckets: [{ Name: 'a' }, { Name: 'b' }] })
    expect(verdict(await client.send({ path: '/', resource: '/', authorization: null }))).toBe('403 AccessDenied')
    expect(verdict(await client.send({ method: 'DELETE', path: '/', resource: '/' }))).toBe('405 MethodNotAllowed')
  })
})
