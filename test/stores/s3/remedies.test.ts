import { expect, onTestFinished, test } from 'vitest'
import { classify } from '../../../electron/engine/index.ts'
import { createProfileCredentials } from '../../../electron/stores/index.ts'
import { createTrust } from '../../../electron/stores/network/trust.ts'
import { reroute, routeOf } from '../../../electron/stores/s3/route.ts'
import type { Credentials, StoreConnection } from '../../../electron/stores/port/store-connection.ts'
import { startFaultProxy } from '../../support/fault-server/fault-server.ts'
import { startHttpProxy } from '../../support/proxies/http-proxy.ts'
import { startScript, type ScriptedResponse, type TakenRequest } from '../../support/servers/scripted-server.ts'
import { bodyOf, CREDENTIALS, signal } from '../support/open-store.ts'
import { openS3, proofOf } from './support/open-s3.ts'

const HERE = Date.UTC(2024, 0, 1, 12)
const THERE = HERE + 3_600_000
const regionOf = (request: TakenRequest) => proofOf(request.headers.authorization).credential?.split('/')[2]

test('asks once more with the clock of the service, and goes on with it', async () => {
  const skewed = { headers: { date: new Date(THERE).toUTCString() }, status: 403 }
  const { endpoint, requests } = await startScript([
    { ...skewed, body: '<Error><Code>RequestTimeTooSkewed</Code></Error>' },
    { status: 200, headers: { etag: '"e"' } },
  ])
  const store = openS3(endpoint, { now: () => HERE })
  await store.putObject({ key: 'k', body: bodyOf(Buffer.from('abc')), signal })
  await store.putObject({ key: 'k', body: bodyOf(Buffer.from('abc')), signal })
  expect(requests.map(({ headers, body }) => [headers['x-amz-date'], body.toString()])).toEqual([
    ['20240101T120000Z', 'abc'],
    ['20240101T130000Z', 'abc'],
    ['20240101T130000Z', 'abc'],
  ])
})

test.each<[string, ScriptedResponse]>([
  ['a redirect', { status: 301, headers: { 'x-amz-bucket-region': 'eu-real-2' } }],
  [
    'the error of a signature',
    { status: 400, body: '<Error><Code>AuthorizationHeaderMalformed</Code><Region>eu-real-2</Region></Error>' },
  ],
])('learns the region from %s, once for all requests', async (_what, response) => {
  const right = { status: 200, headers: { etag: '"e"', 'content-length': 0 } }
  const { endpoint, requests } = await startScript([
    (request) => (regionOf(request) === 'eu-real-2' ? right : response),
  ])
  const store = openS3(endpoint)
  const all = ['a', 'b', 'c'].map((key) => store.putObject({ key, body: bodyOf(Buffer.from(key)), signal }))
  expect((await Promise.all(all)).map(({ etag }) => etag)).toEqual(['e', 'e', 'e'])
  const before = requests.length
  await store.putObject({ key: 'd', body: bodyOf(Buffer.from('d')), signal })
  expect(requests.slice(before).map(regionOf)).toEqual(['eu-real-2'])
})

test('ends also what was sent to the region taken at first, when connections are dropped', async () => {
  const right = await startScript([{ status: 200, headers: { etag: '"e"' } }])
  const wrong = await startScript([{ status: 301, headers: { 'x-amz-bucket-region': 'eu-real-2' } }])
  const first = await startFaultProxy({ target: wrong.endpoint })
  onTestFinished(() => first.close())
  first.rule({ when: { path: '/silent' }, fault: { kind: 'stall', at: 'request' } })
  const hosts = {
    'demo.s3.amazonaws.com': new URL(first.endpoint).host,
    'demo.s3.eu-real-2.amazonaws.com': new URL(right.endpoint).host,
  }
  const { port } = await startHttpProxy({ hosts })
  const route = { proxy: { host: '127.0.0.1', port, credentials: null }, trust: createTrust([]) }
  const network = { routeTo: () => route }
  const store = openS3('http://s3.amazonaws.com', { pathStyle: false, region: '', network })
  const silent = store.getObject({ key: 'silent', signal })
  await first.seen({ path: '/silent' })
  await store.putObject({ key: 'k', body: bodyOf(Buffer.from('abc')), signal })
  expect(right.requests).toHaveLength(1)
  store.dropConnections()
  await expect(silent).rejects.toMatchObject({
    code: 'NetworkError',
    message: expect.stringContaining('connections were dropped') as string,
  })
})

test('reads the region of a response to HEAD from its headers', async () => {
  const { endpoint, requests } = await startScript([
    { status: 400, headers: { 'x-amz-bucket-region': 'eu-real-2' } },
    { status: 200, headers: { 'content-length': 7 } },
  ])
  expect(await openS3(endpoint).headObject({ key: 'k', signal })).toMatchObject({ sizeBytes: 7 })
  expect(requests.map(({ method }) => method)).toEqual(['HEAD', 'HEAD'])
})

test('follows no redirect to another host, and no region in circles', async () => {
  const other = await startScript([{ status: 200 }])
  const { endpoint, requests } = await startScript([
    { status: 307, headers: { location: `${other.endpoint}/x` } },
    { status: 301, headers: { 'x-amz-bucket-region': 'eu-real-2' } },
    { status: 301, headers: { 'x-amz-bucket-region': 'eu-real-3' } },
  ])
  const store = openS3(endpoint)
  const refused = { code: 'RedirectRefused' }
  await expect(store.getObject({ key: 'k', signal })).rejects.toMatchObject(refused)
  await expect(store.getObject({ key: 'k', signal })).rejects.toMatchObject(refused)
  expect([requests.length, other.requests.length]).toEqual([3, 0])
})

const connection: StoreConnection = {
  ...{ endpoint: 'https://s3.amazonaws.com', bucket: 'demo', dialect: 's3', pathStyle: false, scheme: '' },
  ...{ signature: 'hmac-sha256', region: '', credentials: CREDENTIALS },
}

test.each([
  ['https://s3.amazonaws.com', 'us-east-1', 'https://demo.s3.eu-west-1.amazonaws.com'],
  ['https://s3.us-west-2.amazonaws.com', 'us-west-2', 'https://demo.s3.eu-west-1.amazonaws.com'],
  ['https://s3.dualstack.us-west-2.amazonaws.com', 'us-west-2', 'https://demo.s3.dualstack.eu-west-1.amazonaws.com'],
  ['https://s3.amazonaws.com.evil.example', 'us-east-1', 'https://demo.s3.amazonaws.com.evil.example'],
])('goes from %s (%s) to %s for the region eu-west-1', (endpoint, region, origin) => {
  const route = routeOf({ ...connection, endpoint })
  expect(route.region).toBe(region)
  expect(reroute(route, connection, 'eu-west-1')).toMatchObject({ origin, region: 'eu-west-1' })
  expect(reroute(route, connection, region)).toBeNull()
  expect(reroute(route, connection, 'x.evil.example/')).toBeNull()
})

test.each([
  ['they have expired', 400, 'ExpiredToken'],
  ['their key was replaced', 403, 'InvalidAccessKeyId'],
])('asks for fresh credentials when the service takes the old ones no more: %s', async (_why, status, code) => {
  const { endpoint, requests } = await startScript([
    { status, body: `<Error><Code>${code}</Code></Error>` },
    { status: 204 },
  ])
  const held: Credentials[] = [CREDENTIALS, { ...CREDENTIALS, accessKeyId: 'fresh', sessionToken: 't' }]
  let index = 0
  const store = openS3(endpoint, {
    credentials: null,
    credentialSource({ isRefused }) {
      if (isRefused) index += 1
      return Promise.resolve(held[index] ?? CREDENTIALS)
    },
  })
  await store.deleteObject({ key: 'k', signal })
  expect(requests.map(({ headers }) => proofOf(headers.authorization).credential?.split('/')[0])).toEqual([
    'key',
    'fresh',
  ])
})

test('asks nothing again when the source has the refused key only', async () => {
  const { endpoint, requests } = await startScript([
    { status: 403, body: '<Error><Code>InvalidAccessKeyId</Code></Error>' },
  ])
  const store = openS3(endpoint, { credentials: null, credentialSource: () => Promise.resolve({ ...CREDENTIALS }) })
  await expect(store.deleteObject({ key: 'k', signal })).rejects.toMatchObject({ code: 'InvalidAccessKeyId' })
  expect(requests).toHaveLength(1)
})

test('knows from a refusal that a bucket wants the MD5 of each body, as Amazon says of one that locks objects', async () => {
  const message =
    'Content-MD5 OR x-amz-checksum- HTTP header is required for Put Part requests with Object Lock parameters'
  const body = `<Error><Code>InvalidRequest</Code><Message>${message}</Message></Error>`
  const { endpoint } = await startScript([{ status: 400, body }])
  const store = openS3(endpoint)
  expect(store.capabilities.wantsContentMd5).toBe(false)
  const part = { key: 'k', uploadId: 'u', partNumber: 1, body: bodyOf(Buffer.from('abc')), signal }
  await expect(store.uploadPart(part)).rejects.toMatchObject({ code: 'MissingContentMD5', maybeProcessed: false })
  expect(store.capabilities.wantsContentMd5).toBe(true)
})

test('says what is wrong with a profile', async () => {
  await expect(createProfileCredentials('no-such-profile')({ isRefused: false })).rejects.toMatchObject({
    code: 'InvalidAccessKeyId',
    maybeProcessed: false,
    message: expect.stringContaining('no-such-profile') as string,
  })
})

test('puts a bucket with a dot in the path where a certificate has to fit', () => {
  const bucket = 'media.example'
  expect(routeOf({ ...connection, bucket }).origin).toBe('https://s3.amazonaws.com')
  expect(routeOf({ ...connection, bucket }).path('a')).toBe('/media.example/a')
  const plain = { ...connection, bucket, endpoint: 'http://s3.example.com' }
  expect(routeOf(plain).origin).toBe('http://media.example.s3.example.com')
})

test('a 404 about an upload without a code is a gateway’s, where the service is known to answer', async () => {
  const named = { 'x-amz-request-id': 'r' }
  const gateway = { status: 404, headers: { 'content-type': 'text/plain' }, body: '404 page not found' }
  const { endpoint } = await startScript([gateway, { status: 200, headers: { ...named, etag: '"e"' } }, gateway])
  const store = openS3(endpoint)
  const part = { key: 'k', uploadId: 'u', partNumber: 1, body: bodyOf(Buffer.from('x')), signal }
  // Until then the address may be wrong.
  await expect(store.uploadPart(part)).rejects.toMatchObject({ code: 'UnnamedError' })
  await store.uploadPart(part)
  const parts = [{ partNumber: 1, etag: 'e' }]
  const requests = [store.uploadPart(part), store.listParts(part), store.completeMultipartUpload({ ...part, parts })]
  for (const request of requests) {
    const failure: unknown = await request.catch((reason: unknown) => reason)
    expect(failure).toMatchObject({ code: 'AnsweredInFront', httpStatus: 404, maybeProcessed: true })
    expect(classify(failure)).toMatchObject({ kind: 'wait', reason: 'server-error' })
  }
})
