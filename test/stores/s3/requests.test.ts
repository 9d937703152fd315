import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { createSigV4 } from '../../../electron/stores/s3/signer.ts'
import { startScript } from '../../support/servers/scripted-server.ts'
import { bodyOf, CREDENTIALS, signal } from '../support/open-store.ts'
import { openS3, proofOf } from './support/open-s3.ts'

const ETAG = { status: 200, headers: { etag: '"e"' } }
const dateMs = Date.UTC(2024, 1, 29, 1, 2, 3)

test('signs a part with its MD5 and leaves its hash out, also over plain http', async () => {
  const { endpoint, requests } = await startScript([ETAG])
  const bytes = Buffer.alloc(300_001, 'x')
  const contentMd5 = createHash('md5').update(bytes).digest('base64')
  const store = openS3(endpoint, { now: () => dateMs })
  await store.uploadPart({ key: 'ä b+c', uploadId: 'u~1', partNumber: 3, body: bodyOf(bytes), contentMd5, signal })
  const [request] = requests
  const path = '/demo/%C3%A4%20b%2Bc'
  const query = 'partNumber=3&uploadId=u~1'
  const headers = { 'content-md5': contentMd5, host: new URL(endpoint).host }
  const signed = { method: 'PUT', path, query, headers, payloadHash: 'UNSIGNED-PAYLOAD' }
  const proof = createSigV4().sign(signed, { credentials: CREDENTIALS, region: 'eu-test-1', dateMs })
  expect(request).toMatchObject({ url: `${path}?${query}`, headers: { ...headers, ...proof } })
  expect(request?.body.equals(bytes)).toBe(true)
})

test('reads a body once: its hash stays out of the signature', async () => {
  const { endpoint, requests } = await startScript([ETAG])
  const body = bodyOf(Buffer.from('hello'))
  let opened = 0
  const open = () => {
    opened += 1
    return body.open()
  }
  await openS3(endpoint).putObject({ key: 'k', body: { ...body, open }, signal })
  expect(requests[0]?.headers['x-amz-content-sha256']).toBe('UNSIGNED-PAYLOAD')
  expect(requests[0]?.body.toString()).toBe('hello')
  expect(opened).toBe(1)
})

test('sends a session token and signs it', async () => {
  const { endpoint, requests } = await startScript([{ status: 204 }])
  await openS3(endpoint, { credentials: { ...CREDENTIALS, sessionToken: 'tok' } }).deleteObject({ key: 'k', signal })
  expect(requests[0]?.headers['x-amz-security-token']).toBe('tok')
  expect(proofOf(requests[0]?.headers.authorization).signedHeaders).toBe(
    'host;x-amz-content-sha256;x-amz-date;x-amz-security-token',
  )
})

test.each([{ credentials: null }, { signature: 'none' } as const])('sends no signature with %j', async (changes) => {
  const { endpoint, requests } = await startScript([{ status: 204 }])
  await openS3(endpoint, changes).deleteObject({ key: 'k', signal })
  expect(requests[0]?.headers).not.toHaveProperty('authorization')
  expect(requests[0]?.headers).not.toHaveProperty('x-amz-date')
})

test('completes with the parts as the service named them', async () => {
  const body = '<CompleteMultipartUploadResult><ETag>&quot;e-2&quot;</ETag></CompleteMultipartUploadResult>'
  const { endpoint, requests } = await startScript([{ status: 200, body }])
  const parts = [
    { partNumber: 1, etag: 'a"&' },
    { partNumber: 5, etag: 'b' },
  ]
  await openS3(endpoint).completeMultipartUpload({
    key: 'k',
    uploadId: 'u',
    parts,
    sizeBytes: 7,
    ifAbsent: true,
    signal,
  })
  const sent =
    '<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">' +
    '<Part><PartNumber>1</PartNumber><ETag>"a&quot;&amp;"</ETag></Part>' +
    '<Part><PartNumber>5</PartNumber><ETag>"b"</ETag></Part></CompleteMultipartUpload>'
  expect(requests[0]).toMatchObject({
    method: 'POST',
    url: '/demo/k?uploadId=u',
    headers: {
      'content-type': 'application/xml',
      'content-md5': createHash('md5').update(sent).digest('base64'),
      'x-amz-content-sha256': createHash('sha256').update(sent).digest('hex'),
    },
  })
  expect(requests[0]?.body.toString()).toBe(sent)
  // Nobody knows that this service would honor them.
  expect(requests[0]?.headers).not.toHaveProperty('x-amz-mp-object-size')
  expect(requests[0]?.headers).not.toHaveProperty('if-none-match')
})

test('sends and reads metadata', async () => {
  const upload = '<InitiateMultipartUploadResult><UploadId>u</UploadId></InitiateMultipartUploadResult>'
  const { endpoint, requests } = await startScript([
    { status: 200, body: upload },
    { status: 200, headers: { 'content-length': 3, 'x-amz-meta-sluice-transfer': 'id-1', etag: '"e"' } },
  ])
  const store = openS3(endpoint)
  const metadata = { 'sluice-transfer': 'id-1' }
  expect(await store.createMultipartUpload({ key: 'k', metadata, signal })).toMatchObject({ uploadId: 'u' })
  expect(requests[0]).toMatchObject({ url: '/demo/k?uploads=', headers: { 'x-amz-meta-sluice-transfer': 'id-1' } })
  expect(await store.headObject({ key: 'k', signal })).toMatchObject({ etag: 'e', sizeBytes: 3, metadata })
})

test('asks for a range under conditions', async () => {
  const { endpoint, requests } = await startScript([
    { status: 304 },
    { status: 206, headers: { 'content-range': 'bytes 2-3/9', 'x-amz-meta-a': 'b' }, body: 'cd' },
  ])
  const store = openS3(endpoint)
  expect(await store.getObject({ key: 'k', ifNoneMatch: 'e', signal })).toMatchObject({ kind: 'not-modified' })
  const range = { start: 2, end: 4 }
  expect(await store.getObject({ key: 'k', range, ifMatch: 'e', signal })).toMatchObject({
    kind: 'content',
    contentRange: { ...range, totalBytes: 9 },
    head: { metadata: { a: 'b' } },
  })
  expect(requests.map(({ headers }) => [headers['if-none-match'], headers.range, headers['if-match']])).toEqual([
    ['"e"', undefined, undefined],
    [undefined, 'bytes=2-3', '"e"'],
  ])
})

test('asks for the first byte where HEAD does not say why', async () => {
  const { endpoint, requests } = await startScript([
    { status: 403 },
    { status: 403, body: '<Error><Code>SignatureDoesNotMatch</Code></Error>' },
  ])
  await expect(openS3(endpoint).headObject({ key: 'k', signal })).rejects.toMatchObject({
    code: 'SignatureDoesNotMatch',
  })
  expect(requests.map(({ method, headers }) => [method, headers.range])).toEqual([
    ['HEAD', undefined],
    ['GET', 'bytes=0-0'],
  ])
})
