import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createStore } from '../../electron/stores/index.ts'
import { linkTo } from '../../electron/stores/s3/links.ts'
import { MIB } from '../../shared/limits.ts'
import { bodyOf, contentOf, signal } from '../stores/support/open-store.ts'
import { allParts, createCephWorld, gateway, md5Of, putPart } from './support/world.ts'

const KEYS = [
  ...[
    'plain',
    'a b',
    'a+b',
    '50%',
    '%2F',
    'a%20b',
    'ü/é/ 中',
    '👍',
    'dir/',
    '/lead',
    'a//b',
    '&<>"\'',
    '~.-_',
    '?#&=;',
  ],
  ...['..', '../up', ' ', 'tab\there', 'line\nbreak', 'cr\rhere', `${'x'.repeat(1020)}ü`],
]

describe.skipIf(gateway === null)('the s3 dialect on a real gateway', () => {
  test('keeps every key as it is', async () => {
    const { store } = await createCephWorld()
    for (const key of KEYS) {
      const bytes = Buffer.from(key)
      await store.putObject({ key, body: bodyOf(bytes), contentMd5: md5Of(bytes), signal })
      expect((await contentOf(await store.getObject({ key, signal }))).body.toString()).toBe(key)
      expect(await store.headObject({ key, signal })).toMatchObject({ sizeBytes: bytes.length })
    }
    const found: string[] = []
    let marker: string | null = ''
    while (marker !== null) {
      const page: Awaited<ReturnType<typeof store.listObjects>> = await store.listObjects({
        marker,
        maxKeys: 1,
        signal,
      })
      found.push(...page.objects.map(({ key }) => key))
      marker = page.nextMarker
    }
    const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))
    expect(found).toEqual([...KEYS].sort(byBytes))
    const top = await store.listObjects({ delimiter: '/', prefix: 'ü/', signal })
    expect([top.objects, top.prefixes]).toEqual([[], ['ü/é/']])
    for (const key of KEYS) await store.deleteObject({ key, signal })
    expect((await store.listObjects({ signal })).objects).toEqual([])
    await expect(store.getObject({ key: 'plain', signal })).rejects.toMatchObject({ code: 'NoSuchKey' })
    await expect(store.headObject({ key: 'plain', signal })).rejects.toMatchObject({ code: 'NoSuchKey' })
    await store.deleteObject({ key: 'plain', signal })
  })

  test('completes parts with gaps between their numbers, under an odd key', async () => {
    const { store } = await createCephWorld()
    const key = 'a b+c%2F/ü&<"'
    const { uploadId } = await store.createMultipartUpload({
      ...{ key, contentType: 'video/mp4', metadata: { 'sluice-transfer': 'id-1' }, signal },
    })
    const upload = { key, uploadId }
    const bytes = [randomBytes(5 * MIB), randomBytes(6 * MIB), Buffer.from('end')]
    const parts = []
    for (const [index, each] of bytes.entries()) parts.push(await putPart(store, upload, [1, 5, 9][index] ?? 0, each))
    expect((await store.listMultipartUploads({ prefix: key, signal })).uploads).toMatchObject([upload])
    const { parts: listed, pageCount } = await allParts(store, upload, 1)
    expect(listed.map(({ partNumber, etag, sizeBytes }) => ({ partNumber, etag, sizeBytes }))).toEqual(
      parts.map((part, index) => ({ ...part, sizeBytes: bytes[index]?.length })),
    )
    expect(pageCount).toBe(3)
    const whole = Buffer.concat(bytes)
    const md5s = Buffer.concat(bytes.map((each) => createHash('md5').update(each).digest()))
    const etag = `${createHash('md5').update(md5s).digest('hex')}-3`
    expect(await store.completeMultipartUpload({ ...upload, parts, signal })).toMatchObject({ etag })
    const got = await contentOf(await store.getObject({ key, ifMatch: etag, signal }))
    expect(got.head).toMatchObject({ etag, contentType: 'video/mp4', metadata: { 'sluice-transfer': 'id-1' } })
    expect(got.body.equals(whole)).toBe(true)
    await expect(store.listParts({ ...upload, signal })).rejects.toMatchObject({ code: 'NoSuchUpload' })
  })

  test('reads ranges, under conditions', async () => {
    const { store } = await createCephWorld()
    const bytes = randomBytes(100_000)
    const { etag } = await store.putObject({ key: 'k', body: bodyOf(bytes), contentMd5: md5Of(bytes), signal })
    const range = { start: 99_990, end: 100_010 }
    const end = await contentOf(await store.getObject({ key: 'k', range, ifMatch: etag, signal }))
    expect(end).toMatchObject({ status: 206, contentRange: { start: 99_990, end: 100_000, totalBytes: 100_000 } })
    expect(end.body.equals(bytes.subarray(99_990))).toBe(true)
    const beyond = { start: 100_000, end: 100_001 }
    expect(await store.getObject({ key: 'k', range: beyond, signal })).toMatchObject({ kind: 'range-not-satisfiable' })
    expect(await store.getObject({ key: 'k', ifNoneMatch: etag, signal })).toMatchObject({ kind: 'not-modified' })
    await expect(store.getObject({ key: 'k', ifMatch: 'other', signal })).rejects.toMatchObject({ httpStatus: 412 })
  })

  test('puts nothing over what is there, if told so', async () => {
    const { store } = await createCephWorld()
    const put = (text: string) => store.putObject({ key: 'k', body: bodyOf(Buffer.from(text)), ifAbsent: true, signal })
    await store.listObjects({ signal })
    // Ceph gives itself away by its answers.
    expect(store.capabilities.ifAbsent).toEqual({ put: true, complete: false })
    await put('first')
    await expect(put('second')).rejects.toMatchObject({ httpStatus: 412 })
    expect((await contentOf(await store.getObject({ key: 'k', signal }))).body.toString()).toBe('first')
  })

  test('pages through 2,501 parts, and aborts them', async () => {
    const { store } = await createCephWorld()
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

  test('tells what is wrong with a request', async () => {
    const { store, connection, gateway: where } = await createCephWorld()
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
    const other = { accessKeyId: where.accessKeyId, secretAccessKey: 'wrong' }
    const cases = [
      [{ credentials: other }, 'SignatureDoesNotMatch'],
      [{ credentials: { accessKeyId: 'nobody', secretAccessKey: 'x' } }, 'InvalidAccessKeyId'],
      [{ bucket: 'sluice-no-such-bucket' }, 'NoSuchBucket'],
      [{ credentials: null }, 'AccessDenied'],
    ] as const
    for (const [changes, code] of cases) {
      const refused = createStore(connection(changes))
      await expect(refused.listObjects({ signal })).rejects.toMatchObject({ code })
      await refused.close()
    }
  })

  test('puts right a clock that is an hour off', async () => {
    const { connection } = await createCephWorld()
    const store = createStore(connection({ now: () => Date.now() - 3_600_000 }))
    const bytes = Buffer.from('late')
    await store.putObject({ key: 'k', body: bodyOf(bytes), contentMd5: md5Of(bytes), signal })
    expect(await store.headObject({ key: 'k', signal })).toMatchObject({ sizeBytes: 4 })
    await store.close()
  })

  test('makes links that others can follow', async () => {
    const { store, connection } = await createCephWorld()
    const key = 'a b+ü/%.txt'
    await store.putObject({ key, body: bodyOf(Buffer.from('hello')), signal })
    const response = await fetch(await linkTo(connection(), key, 60))
    expect([response.status, await response.text()]).toEqual([200, 'hello'])
  })
})
