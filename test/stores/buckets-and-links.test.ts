import { describe, expect, onTestFinished, test } from 'vitest'
import { startDemoStore } from '../../electron/demo-store/index.ts'
import { listBuckets, type StoreConnection } from '../../electron/stores/index.ts'
import { linkTo } from '../../electron/stores/storage/presigned-links.ts'
import { STORE_ERROR } from '../../electron/stores/port/store-error.ts'
import { startScript } from '../support/servers/scripted-server.ts'
import { tempDir } from '../support/tools/temp-dir.ts'
import { bodyOf, CREDENTIALS, openStore, signal } from './support/open-store.ts'

const HOW = {
  pathStyle: true,
  scheme: 'STORAGE',
  signature: 'hmac-sha1',
  region: '',
  credentials: CREDENTIALS,
} as const

async function startDemo(): Promise<StoreConnection> {
  const directory = await tempDir()
  const demo = await startDemoStore({ directory, buckets: ['media', 'archive'], credentials: CREDENTIALS })
  onTestFinished(() => demo.close())
  return { ...HOW, endpoint: demo.endpoint, bucket: 'media', dialect: 'storage' }
}

test.each(['hmac-sha1', 'hmac-sha256'] as const)('lists buckets, signed with %s', async (signature) => {
  const connection = { ...(await startDemo()), signature, bucket: '' }
  const buckets = await listBuckets(connection, signal)
  expect(buckets.map(({ name }) => name)).toEqual(['archive', 'media'])
  const wrong = { ...connection, credentials: { ...CREDENTIALS, secretAccessKey: 'wrong' } }
  await expect(listBuckets(wrong, signal)).rejects.toMatchObject({ code: 'SignatureDoesNotMatch' })
})

test('says that a service has no list of buckets', async () => {
  const { endpoint } = await startScript([{ status: 405 }])
  await expect(listBuckets({ ...HOW, endpoint, bucket: '', dialect: 'storage' }, signal)).rejects.toMatchObject({
    code: STORE_ERROR.notImplemented,
  })
})

test('lists the buckets of an S3 service at its own host', async () => {
  const list =
    '<Bucket><Name>a</Name><CreationDate>2026-01-01T00:00:00Z</CreationDate></Bucket><Bucket><Name>b</Name></Bucket>'
  const body = `<ListAllMyBucketsResult><Owner><ID>me</ID></Owner><Buckets>${list}</Buckets></ListAllMyBucketsResult>`
  const empty = '<ListAllMyBucketsResult><Buckets/></ListAllMyBucketsResult>'
  const { endpoint, requests } = await startScript([
    { status: 200, body },
    { status: 200, body: empty },
    { status: 200, body: '<Other/>' },
  ])
  const connection = { ...HOW, endpoint, bucket: 'own', dialect: 's3' } as const
  expect(await listBuckets(connection, signal)).toEqual([
    { name: 'a', createdAt: '2026-01-01T00:00:00Z' },
    { name: 'b', createdAt: null },
  ])
  expect(requests[0]).toMatchObject({ method: 'GET', url: '/' })
  expect(await listBuckets(connection, signal)).toEqual([])
  await expect(listBuckets(connection, signal)).rejects.toMatchObject({ code: 'BadAnswer' })
})

test('a link lets anybody read one object until it expires', async () => {
  const connection = await startDemo()
  const key = 'a b/ü+?.txt'
  const store = openStore(connection.endpoint, connection)
  await store.putObject({ key, body: bodyOf(Buffer.from('text')), signal })
  const link = (await store.linkTo?.({ key, expiresSeconds: 60, signal })) ?? ''
  const ranged = await fetch(link, { headers: { range: 'bytes=1-2' } })
  expect([ranged.status, await ranged.text()]).toEqual([206, 'ex'])
  expect((await fetch(link, { method: 'HEAD' })).status).toBe(200)
  const sha256 = linkTo({ ...connection, signature: 'hmac-sha256' }, key, 60)
  expect((await fetch(sha256)).status).toBe(200)

  const refused = async (url: string, init: RequestInit = {}) => (await fetch(url, init)).status
  expect(await refused(link, { method: 'DELETE' })).toBe(403)
  expect(await refused(link.replace('a%20b', 'c'))).toBe(403)
  expect(await refused(link.replace(/Expires=\d+/, 'Expires=99999999999'))).toBe(403)
  const old = linkTo({ ...connection, now: () => Date.now() - 120_000 }, key, 60)
  const response = await fetch(old)
  expect([response.status, await response.text()]).toEqual([403, expect.stringContaining('expired') as string])
  expect(() => linkTo({ ...connection, signature: 'none' }, key, 60)).toThrow(
    expect.objectContaining({ code: 'AccessDenied' }),
  )
  const gone = openStore(connection.endpoint, connection).linkTo?.({ key: 'gone', expiresSeconds: 60, signal })
  await expect(gone).rejects.toMatchObject({ code: 'NoSuchKey' })
})

describe('a link of a computer whose clock is an hour behind', () => {
  const HERE = Date.UTC(2024, 0, 1, 12)
  const THERE = HERE + 3_600_000
  const date = new Date(THERE).toUTCString()
  const clockOf = { now: () => HERE }
  const request = { key: 'a', expiresSeconds: 600, signal }

  test('is valid for the chosen time by the service’s clock', async () => {
    const { endpoint } = await startScript([
      ({ headers }) => ({ status: headers.date === date ? 200 : 403, headers: { date } }),
    ])
    const link = new URL((await openStore(endpoint, clockOf).linkTo?.(request)) ?? '')
    expect(Number(link.searchParams.get('Expires'))).toBe(THERE / 1000 + 600)
  })

  test('of S3 too, and is signed for the region that the service named', async () => {
    const skew = { status: 403, headers: { date }, body: '' }
    const region = { status: 400, headers: { date, 'x-amz-bucket-region': 'eu-real-2' }, body: '' }
    const { endpoint, requests } = await startScript([skew, region, { status: 200, headers: { date } }])
    const s3 = { ...clockOf, dialect: 's3', signature: 'hmac-sha256' } as const
    const link = new URL((await openStore(endpoint, s3).linkTo?.(request)) ?? '')
    expect(requests.map(({ method }) => method)).toEqual(['HEAD', 'HEAD', 'HEAD'])
    expect(link.searchParams.get('X-Amz-Date')).toBe('20240101T130000Z')
    expect(link.searchParams.get('X-Amz-Expires')).toBe('600')
    expect(link.searchParams.get('X-Amz-Credential')).toBe('key/20240101/eu-real-2/s3/aws4_request')
  })

  test('takes the service’s time also where it is only some minutes off, which no service minds', async () => {
    const { endpoint } = await startScript([{ status: 200, headers: { date: new Date(HERE - 300_000).toUTCString() } }])
    const link = new URL((await openStore(endpoint, clockOf).linkTo?.(request)) ?? '')
    expect(Number(link.searchParams.get('Expires'))).toBe(HERE / 1000 + 300)
  })
})
