import { createHash, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createStore, type StoreConnection } from '../../electron/stores/index.ts'
import { linkTo } from '../../electron/stores/s3/presigned-links.ts'
import { MIB } from '../../shared/limits.ts'
import { bodyOf, contentOf, signal } from '../stores/support/open-store.ts'
import type { ServerAccess } from './support/server-access.ts'
import { describeOnServers } from './support/servers.ts'
import { allParts, md5Of, putPart, type S3World } from './support/world.ts'

const PLAIN_KEYS = ['plain', 'a b', 'a+b', '50%', '%2F', 'a%20b', 'ü/é/ 中', '👍', '~.-_', '?#=;', ' ']
const ODD_KEYS = [
  ...[
    "!'()*",
    '&<>"',
    'dir/',
    '/lead',
    'a//b',
    '..',
    '../up',
    'tab\there',
    'line\nbreak',
    'cr\rhere',
    `${'x'.repeat(1020)}ü`,
  ],
]

/** Parts by number. */
const GAPPY = [
  [1, randomBytes(5 * MIB)],
  [5, randomBytes(6 * MIB)],
  [9, Buffer.from('end')],
] as const

/** Puts, reads, lists and deletes objects of these keys. */
async function expectKept({ store }: S3World, keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    const bytes = Buffer.from(key)
    await store.putObject({ key, body: bodyOf(bytes), contentMd5: md5Of(bytes), signal })
    expect((await contentOf(await store.getObject({ key, signal }))).body.toString()).toBe(key)
    expect(await store.headObject({ key, signal })).toMatchObject({ sizeBytes: bytes.length })
  }
  const found: string[] = []
  let marker: string | null = ''
  while (marker !== null) {
    const page: Awaited<ReturnType<typeof store.listObjects>> = await store.listObjects({ marker, maxKeys: 1, signal })
    found.push(...page.objects.map(({ key }) => key))
    marker = page.nextMarker
  }
  const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))
  expect(found).toEqual([...keys].sort(byBytes))
  for (const key of keys) await store.deleteObject({ key, signal })
  expect((await store.listObjects({ signal })).objects).toEqual([])
}

describeOnServers('the s3 dialect', (createWorld) => {
  test('keeps plain keys as they are', async () => {
    await expectKept(await createWorld(), PLAIN_KEYS)
  })

  test('keeps odd keys as they are', async () => {
    await expectKept(await createWorld(), ODD_KEYS)
  })

  test('lists folders, and says what is missing', async () => {
    const { store } = await createWorld()
    await store.putObject({ key: 'ü/é/ 中', body: bodyOf(Buffer.from('x')), signal })
    const top = await store.listObjects({ delimiter: '/', prefix: 'ü/', signal })
    expect([top.objects, top.prefixes]).toEqual([[], ['ü/é/']])
    await expect(store.getObject({ key: 'plain', signal })).rejects.toMatchObject({ code: 'NoSuchKey' })
    await expect(store.headObject({ key: 'plain', signal })).rejects.toMatchObject({ code: 'NoSuchKey' })
    await store.deleteObject({ key: 'plain', signal })
  })

  test('completes parts with gaps between their numbers, under an odd key', async () => {
    const { store } = await createWorld()
    const key = 'a b+c%2F/ü&<"'
    const about = { contentType: 'video/mp4', metadata: { 'sluice-transfer': 'id-1' } }
    const { uploadId } = await store.createMultipartUpload({ key, ...about, signal })
    const upload = { key, uploadId }
    const parts = []
    for (const [number, bytes] of GAPPY) parts.push(await putPart(store, upload, number, bytes))
    const { etag } = await store.completeMultipartUpload({ ...upload, parts, signal })
    const got = await contentOf(await store.getObject({ key, ifMatch: etag, signal }))
    expect(got.head).toMatchObject({ etag, ...about })
    expect(got.body.equals(Buffer.concat(GAPPY.map(([, bytes]) => bytes)))).toBe(true)
  })

  test('lists open uploads and their parts, which the ETag of the whole follows from', async () => {
    const { store } = await createWorld()
    const { uploadId } = await store.createMultipartUpload({ key: 'ü', signal })
    const upload = { key: 'ü', uploadId }
    const parts = []
    for (const [number, bytes] of GAPPY) parts.push(await putPart(store, upload, number, bytes))
    expect((await store.listMultipartUploads({ prefix: 'ü', signal })).uploads).toMatchObject([upload])
    const { parts: listed, pageCount } = await allParts(store, upload, 1)
    expect(listed.map(({ partNumber, etag, sizeBytes }) => ({ partNumber, etag, sizeBytes }))).toEqual(
      parts.map((part, index) => ({ ...part, sizeBytes: GAPPY[index]?.[1].length })),
    )
    expect(pageCount).toBe(3)
    const md5s = Buffer.concat(GAPPY.map(([, bytes]) => createHash('md5').update(bytes).digest()))
    const etag = `${createHash('md5').update(md5s).digest('hex')}-3`
    expect(await store.completeMultipartUpload({ ...upload, parts, signal })).toMatchObject({ etag })
    await expect(store.listParts({ ...upload, signal })).rejects.toMatchObject({ code: 'NoSuchUpload' })
  })

  test('reads ranges', async () => {
    const { store } = await createWorld()
    const bytes = randomBytes(100_000)
    const { etag } = await store.putObject({ key: 'k', body: bodyOf(bytes), contentMd5: md5Of(bytes), signal })
    const range = { start: 99_990, end: 100_010 }
    const end = await contentOf(await store.getObject({ key: 'k', range, ifMatch: etag, signal }))
    expect(end).toMatchObject({ status: 206, contentRange: { start: 99_990, end: 100_000, totalBytes: 100_000 } })
    expect(end.body.equals(bytes.subarray(99_990))).toBe(true)
    const beyond = { start: 100_000, end: 100_001 }
    expect(await store.getObject({ key: 'k', range: beyond, signal })).toMatchObject({ kind: 'range-not-satisfiable' })
    expect(await store.getObject({ key: 'k', ifNoneMatch: etag, signal })).toMatchObject({ kind: 'not-modified' })
  })

  test('reads on condition that it is still the same', async () => {
    const { store } = await createWorld()
    await store.putObject({ key: 'k', body: bodyOf(Buffer.from('hello')), signal })
    await expect(store.getObject({ key: 'k', ifMatch: 'other', signal })).rejects.toMatchObject({ httpStatus: 412 })
  })

  test('puts nothing over what is there, if told so', async () => {
    const { store } = await createWorld()
    const put = (text: string) => store.putObject({ key: 'k', body: bodyOf(Buffer.from(text)), ifAbsent: true, signal })
    await store.listObjects({ signal })
    // Ceph gives itself away by its answers.
    expect(store.capabilities.ifAbsent).toEqual({ put: true, complete: false })
    await put('first')
    await expect(put('second')).rejects.toMatchObject({ httpStatus: 412 })
    expect((await contentOf(await store.getObject({ key: 'k', signal }))).body.toString()).toBe('first')
  })

  test('pages through 2,501 parts, and aborts them', async () => {
    const { store } = await createWorld()
    const upload = { key: 'many', ...(await store.createMultipartUpload({ key: 'many', signal })) }
    const numbers = Array.from({ length: 2501 }, (_none, index) => index + 1)
    const waiting = numbers.values()
    const bytes = randomBytes(64)
    await Promise.all(
      Array.from({ length: 16 }, async () => {
        for (const number of waiting) await putPart(store, upload, number, bytes)
      }),
    )
    const { parts, pageCount } = await allParts(store, upload)
    expect(parts.map(({ partNumber }) => partNumber)).toEqual(numbers)
    expect(pageCount).toBe(3)
    await store.abortMultipartUpload({ ...upload, signal })
    await expect(store.listParts({ ...upload, signal })).rejects.toMatchObject({ code: 'NoSuchUpload' })
    await expect(store.abortMultipartUpload({ ...upload, signal })).rejects.toMatchObject({ code: 'NoSuchUpload' })
    expect((await store.listMultipartUploads({ signal })).uploads).toEqual([])
  })

  test('is told what is wrong with a body or a list of parts', async () => {
    const { store } = await createWorld()
    const body = bodyOf(Buffer.from('hello'))
    const wrong = md5Of(Buffer.from('other'))
    await expect(store.putObject({ key: 'k', body, contentMd5: wrong, signal })).rejects.toMatchObject({
      code: expect.stringMatching(/^(BadDigest|InvalidDigest)$/) as string,
      maybeProcessed: false,
    })
    const upload = { key: 'k', ...(await store.createMultipartUpload({ key: 'k', signal })) }
    const parts = [
      await putPart(store, upload, 1, Buffer.from('small')),
      await putPart(store, upload, 2, Buffer.from('x')),
    ]
    await expect(store.completeMultipartUpload({ ...upload, parts, signal })).rejects.toMatchObject({
      code: 'EntityTooSmall',
      maybeProcessed: false,
    })
    const strange = [{ partNumber: 1, etag: 'd41d8cd98f00b204e9800998ecf8427e' }]
    await expect(store.completeMultipartUpload({ ...upload, parts: strange, signal })).rejects.toMatchObject({
      code: 'InvalidPart',
    })
  })

  test.each<[string, (server: ServerAccess) => Partial<StoreConnection>]>([
    ['SignatureDoesNotMatch', ({ accessKeyId }) => ({ credentials: { accessKeyId, secretAccessKey: 'wrong' } })],
    ['InvalidAccessKeyId', () => ({ credentials: { accessKeyId: 'nobody', secretAccessKey: 'x' } })],
    ['NoSuchBucket', () => ({ bucket: 'sluice-no-such-bucket' })],
    ['AccessDenied', () => ({ credentials: null })],
  ])('is told %s', async (code, changes) => {
    const { connection, server } = await createWorld()
    const refused = createStore(connection(changes(server)))
    await expect(refused.listObjects({ signal })).rejects.toMatchObject({ code })
    await refused.close()
  })

  test('puts right a clock that is an hour off', async () => {
    const { connection } = await createWorld()
    const store = createStore(connection({ now: () => Date.now() - 3_600_000 }))
    const bytes = Buffer.from('late')
    await store.putObject({ key: 'k', body: bodyOf(bytes), contentMd5: md5Of(bytes), signal })
    expect(await store.headObject({ key: 'k', signal })).toMatchObject({ sizeBytes: 4 })
    await store.close()
  })

  test('makes links that others can follow', async () => {
    const { store, connection } = await createWorld()
    const key = 'a b+ü/%.txt'
    await store.putObject({ key, body: bodyOf(Buffer.from('hello')), signal })
    const response = await fetch(await linkTo(connection(), key, 60, signal))
    expect([response.status, await response.text()]).toEqual([200, 'hello'])
  })
})
