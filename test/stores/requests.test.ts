import { createHash, createHmac } from 'node:crypto'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { addressOf } from '../../electron/stores/messages/address.ts'
import { awaitSign } from '../../electron/stores/index.ts'
import { startRaw, startScript } from '../support/servers/scripted-server.ts'
import { bodyOf, CREDENTIALS, openStore, signal } from './support/open-store.ts'

const connection = {
  bucket: 'demo',
  dialect: 'storage',
  scheme: 'STORAGE',
  signature: 'hmac-sha1',
  region: '',
  credentials: null,
} as const

test.each([
  ['http://store.example:8080', false, 'http://demo.store.example:8080', '/a/b'],
  ['https://store.example/', false, 'https://demo.store.example', '/a/b'],
  ['https://store.example', true, 'https://store.example', '/demo/a/b'],
  ['http://127.0.0.1:9000', false, 'http://127.0.0.1:9000', '/demo/a/b'],
  ['http://[::1]:9000', false, 'http://[::1]:9000', '/demo/a/b'],
])('addresses %s, path style %s', (endpoint, pathStyle, origin, target) => {
  const address = addressOf({ ...connection, endpoint, pathStyle })
  expect({ origin: address.origin, target: address.target('a/b', []) }).toEqual({ origin, target })
})

test.each([
  { endpoint: 'ftp://store.example', bucket: 'demo' },
  { endpoint: 'nonsense', bucket: 'demo' },
  { endpoint: 'http://store.example', bucket: '' },
  { endpoint: 'http://store.example', bucket: 'evil/..' },
  { endpoint: 'http://store.example', bucket: 'evil@other' },
  { endpoint: 'http://store.example', bucket: 'Capital' },
])('refuses to address $endpoint with bucket $bucket', (where) => {
  expect(() => addressOf({ ...connection, ...where, pathStyle: false })).toThrow(
    expect.objectContaining({ code: 'InvalidArgument', maybeProcessed: false }),
  )
})

test.each([
  ['plain', '/demo/plain'],
  ['.', '/demo/.'],
  ['..', '/demo/..'],
  ['../../etc', '/demo/../../etc'],
  ['a//b/', '/demo/a//b/'],
  ['/lead', '/demo//lead'],
  ['a b+c', '/demo/a%20b%2Bc'],
  ['ü', '/demo/%C3%BC'],
  ["!'()*", '/demo/%21%27%28%29%2A'],
  ['50%?#', '/demo/50%25%3F%23'],
  ['\n\0', '/demo/%0A%00'],
])('sends the key %j as %s', async (key, target) => {
  const { endpoint, requests } = await startScript([{ status: 200, headers: { etag: '"e"' } }])
  await openStore(endpoint).putObject({ key, body: bodyOf(Buffer.from('x')), signal })
  expect(requests.map(({ url }) => url)).toEqual([target])
})

test.each(['', '\ud800'])('never sends the key %j', async (key) => {
  const { endpoint, requests } = await startScript([{ status: 204 }])
  await expect(openStore(endpoint).deleteObject({ key, signal })).rejects.toMatchObject({
    code: 'InvalidArgument',
    maybeProcessed: false,
  })
  expect(requests).toEqual([])
})

test('signs Complete over what the dialect names and sends the MD5 of the body', async () => {
  const { endpoint, requests } = await startScript([{ status: 200, body: '{"ETag":"\\"e-2\\""}' }])
  const store = openStore(endpoint, { scheme: 'ACME', now: () => Date.UTC(2024, 1, 29, 1, 2, 3) })
  const parts = [
    { partNumber: 1, etag: 'aa' },
    { partNumber: 5, etag: 'bb' },
  ]
  await store.completeMultipartUpload({ key: 'ä b/c', uploadId: 'id&=', parts, signal })

  const body = '{"Parts":[{"PartNumber":1,"ETag":"\\"aa\\""},{"PartNumber":5,"ETag":"\\"bb\\""}]}'
  const md5 = createHash('md5').update(body).digest('base64')
  const text = `POST\n${md5}\n\nThu, 29 Feb 2024 01:02:03 GMT\n/demo/ä b/c?uploadId=id&=`
  const signature = createHmac('sha1', CREDENTIALS.secretAccessKey).update(text).digest('base64')
  expect(requests).toMatchObject([
    {
      method: 'POST',
      url: '/demo/%C3%A4%20b/c?uploadId=id%26%3D',
      body: Buffer.from(body),
      headers: {
        host: endpoint.slice('http://'.length),
        date: 'Thu, 29 Feb 2024 01:02:03 GMT',
        'content-length': String(body.length),
        'content-md5': md5,
        authorization: `ACME key:${signature}`,
        'accept-encoding': 'identity',
      },
    },
  ])
})

test('signs listings without their paging parameters', async () => {
  const { endpoint, requests } = await startScript([{ status: 200, body: '{}' }])
  const store = openStore(endpoint, { signature: 'hmac-sha256', now: () => 0 })
  await store.listMultipartUploads({ prefix: 'a b', keyMarker: 'k', uploadIdMarker: 'u', signal })
  const text = 'GET\n\n\nThu, 01 Jan 1970 00:00:00 GMT\n/demo/?uploads'
  const signature = createHmac('sha256', CREDENTIALS.secretAccessKey).update(text).digest('base64')
  expect(requests).toMatchObject([
    {
      url: '/demo/?uploads&prefix=a%20b&key-marker=k&upload-id-marker=u',
      headers: { authorization: `STORAGE key:${signature}` },
    },
  ])
})

test.each([{ credentials: null }, { signature: 'none' } as const])('sends no signature with %j', async (changes) => {
  const { endpoint, requests } = await startScript([{ status: 200, body: '{}' }])
  await openStore(endpoint, changes).listObjects({ signal })
  expect(requests[0]?.headers).not.toHaveProperty('authorization')
})

test('announces the exact length of a body that comes in pieces', async () => {
  const { endpoint, requests } = await startScript([{ status: 200, headers: { etag: 'W/"e"' } }])
  const bytes = Buffer.alloc(300_001, 'x')
  const sent: number[] = []
  const result = await openStore(endpoint).uploadPart({
    key: 'k',
    uploadId: 'u',
    partNumber: 3,
    body: bodyOf(bytes, 100_000),
    onSent: (count) => sent.push(count),
    signal,
  })
  expect(result).toEqual({ etag: 'W/e', requestId: null })
  expect(requests.map(({ url }) => url)).toEqual(['/demo/k?partNumber=3&uploadId=u'])
  expect(requests[0]?.headers).toMatchObject({ 'content-length': '300001' })
  expect(requests[0]?.headers).not.toHaveProperty('transfer-encoding')
  expect(requests[0]?.body.equals(bytes)).toBe(true)
  expect(sent.reduce((sum, count) => sum + count)).toBe(300_001)
})

test.each([
  ['fewer', 10],
  ['more', 1000],
])('gives up a body that has %s bytes than it said', async (_how, realBytes) => {
  const { endpoint } = await startScript([{ status: 200, headers: { etag: '"e"' } }])
  const body = { ...bodyOf(Buffer.alloc(realBytes)), sizeBytes: 100 }
  await expect(openStore(endpoint).putObject({ key: 'k', body, signal })).rejects.toMatchObject({ code: 'ESHORTREAD' })
})

test('passes on what a body throws', async () => {
  const { endpoint } = await startScript([{ status: 200, headers: { etag: '"e"' } }])
  const broken = {
    sizeBytes: 100,
    open: () =>
      Readable.from(
        (function* () {
          yield Buffer.alloc(10)
          throw Object.assign(new Error('no such file'), { code: 'ENOENT' })
        })(),
      ),
  }
  await expect(openStore(endpoint).putObject({ key: 'k', body: broken, signal })).rejects.toMatchObject({
    code: 'ENOENT',
  })
})

test('keeps its connection between requests, until told to drop it', async () => {
  const server = await startScript([{ status: 200, body: '{}' }])
  const store = openStore(server.endpoint)
  for (let count = 0; count < 5; count += 1) await store.listObjects({ signal })
  expect(server.connectionCount).toBe(1)
  store.dropConnections()
  await store.listObjects({ signal })
  expect(server.connectionCount).toBe(2)
})

// Servers refuse a request with two (RFC 9112, 3.2).
test('asks for a sign of life with one Host', async () => {
  let asked = ''
  const { endpoint } = await startRaw((socket) => {
    socket.on('data', (bytes) => {
      asked += bytes.toString('latin1')
      if (asked.endsWith('\r\n\r\n')) socket.end('HTTP/1.1 200 OK\r\nx-amz-request-id: 1\r\n\r\n')
    })
  })
  expect(await awaitSign(endpoint, undefined, signal)).toMatchObject({ status: 200, speaks: 's3' })
  expect(asked.match(/^host:.*$/gim)).toEqual([`host: ${endpoint.replace('http://', '')}`])
})
