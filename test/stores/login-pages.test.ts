import { expect, onTestFinished, test } from 'vitest'
import { classify } from '../../electron/engine/index.ts'
import { createUrlStore } from '../../electron/stores/index.ts'
import { startScript, type ScriptedResponse } from '../support/servers/scripted-server.ts'
import { createAuthorship } from '../../electron/stores/messages/authorship.ts'
import { createTrust } from '../../electron/stores/network/trust.ts'
import { CERTIFICATES } from '../support/servers/certificates.ts'
import { startTlsFront } from '../support/servers/tls-front.ts'
import { openS3 } from './s3/support/open-s3.ts'
import { bodyOf, contentOf, openStore, signal } from './support/open-store.ts'

const PAGE = '\n<!DOCTYPE html><html><head><title>Hotel Wi-Fi</title></head><body>Sign in</body></html>'
const HTML = { 'content-type': 'text/html; charset=utf-8' }
const LOGIN: ScriptedResponse = { status: 200, headers: HTML, body: PAGE }
const VERSION = { etag: '"e"', 'last-modified': 'Sun, 06 Nov 1994 08:49:37 GMT' }
const WANTS_SIGN_IN = { code: 'NetworkSignIn' }

const link = (url: string) => {
  const store = createUrlStore(url)
  onTestFinished(() => store.close())
  return store
}

test.each([
  ['JSON', openStore],
  ['S3', openS3],
])('%s: a login page is the response to no request of a service', async (_dialect, open) => {
  const { endpoint, requests } = await startScript([LOGIN])
  const store = open(endpoint)
  const key = { key: 'k', signal }
  const upload = { ...key, uploadId: 'u' }
  const body = () => bodyOf(Buffer.from('x'))
  const asked = [
    () => store.getObject(key),
    () => store.getObject({ ...key, range: { start: 0, end: 1 } }),
    () => store.headObject(key),
    () => store.putObject({ ...key, body: body() }),
    () => store.createMultipartUpload(key),
    () => store.uploadPart({ ...upload, partNumber: 1, body: body() }),
    () => store.listParts(upload),
    () => store.listMultipartUploads({ signal }),
    () => store.completeMultipartUpload({ ...upload, parts: [{ partNumber: 1, etag: 'e' }] }),
    () => store.abortMultipartUpload(upload),
    () => store.listObjects({ signal }),
    () => store.deleteObject(key),
    () => store.headPart?.({ ...key, partNumber: 1 }) ?? store.headObject(key),
    () => store.listObjectParts?.({ ...key, partNumberMarker: 0 }) ?? store.headObject(key),
    () => store.deleteObjects?.({ keys: ['k'], signal }) ?? store.deleteObject(key),
  ]
  for (const request of asked) await expect(request(), request.toString()).rejects.toMatchObject(WANTS_SIGN_IN)
  expect(requests.length).toBeGreaterThanOrEqual(asked.length)
})

test.each([
  ['JSON', openStore],
  ['S3', openS3],
])('%s: a redirect to the login page of another host is no response of the service', async (_dialect, open) => {
  const { endpoint } = await startScript([{ status: 302, headers: { location: 'http://login.hotel.example/?u=1' } }])
  const store = open(endpoint)
  await expect(store.getObject({ key: 'k', signal })).rejects.toMatchObject(WANTS_SIGN_IN)
  await expect(store.listObjects({ signal })).rejects.toMatchObject(WANTS_SIGN_IN)
})

test.each([
  ['JSON', openStore],
  ['S3', openS3],
])('%s: what the service itself says leads to no login page', async (_dialect, open) => {
  const location = 'http://elsewhere.example/'
  const named = { 'x-storage-request-id': 'r', 'x-amz-request-id': 'r' }
  const { endpoint } = await startScript([
    { status: 302, headers: { location, ...named } },
    { status: 301, headers: { location } },
    { status: 302, headers: { location: '/login' } },
    { status: 200, headers: { ...HTML, ...VERSION }, body: PAGE },
    { status: 200, headers: { ...HTML, ...named }, body: PAGE },
    { status: 204, headers: HTML },
  ])
  const store = open(endpoint)
  const get = () => store.getObject({ key: 'page.html', signal })
  for (let count = 0; count < 3; count += 1) await expect(get()).rejects.toMatchObject({ code: 'RedirectRefused' })
  expect((await contentOf(await get())).body.toString()).toBe(PAGE)
  expect((await contentOf(await get())).body.toString()).toBe(PAGE)
  await store.deleteObject({ key: 'page.html', signal })
})

test('a network that says itself that it wants a sign-in is understood (RFC 6585, 6)', async () => {
  const { endpoint } = await startScript([{ status: 511, headers: HTML, body: PAGE }])
  await expect(openStore(endpoint).listObjects({ signal })).rejects.toMatchObject(WANTS_SIGN_IN)
  await expect(link(`${endpoint}/a`).getObject({ key: '', signal })).rejects.toMatchObject(WANTS_SIGN_IN)
})

test.each([
  ['JSON', openStore],
  ['S3', openS3],
])('%s: a page that names a version is neither a part nor the version that was begun', async (_dialect, open) => {
  const { endpoint } = await startScript([{ ...LOGIN, headers: { ...HTML, ...VERSION } }])
  const store = open(endpoint)
  const body = bodyOf(Buffer.from('x'))
  await expect(store.putObject({ key: 'k', body, signal })).rejects.toMatchObject(WANTS_SIGN_IN)
  const part = { key: 'k', uploadId: 'u', partNumber: 1, body, signal }
  await expect(store.uploadPart(part)).rejects.toMatchObject(WANTS_SIGN_IN)
  const version = { etag: 'other', lastModified: VERSION['last-modified'] }
  const range = { start: 100, end: 200 }
  await expect(store.getObject({ key: 'backup', range, version, signal })).rejects.toMatchObject(WANTS_SIGN_IN)
  // Some networks answer with a message.
  const message = { headers: { 'content-type': 'application/json' }, status: 200, body: '{"error":"login"}' }
  const other = open((await startScript([message])).endpoint)
  await expect(other.getObject({ key: 'film.mov', signal })).rejects.toMatchObject(WANTS_SIGN_IN)
  expect((await contentOf(await other.getObject({ key: 'list.json', signal }))).body.toString()).toBe(message.body)
  // A page may have changed.
  const page = await contentOf(await store.getObject({ key: 'backup.html', range, version, signal }))
  expect(page.body.toString()).toBe(PAGE)
})

test.each([
  ['JSON', openStore, 'x-storage-request-id'],
  ['S3', openS3, 'x-amz-request-id'],
])('%s: where the service gave a request id, an answer without one is not its own', async (_dialect, open, header) => {
  const named = { ...VERSION, [header]: 'r' }
  const foreign = { status: 200, headers: VERSION, body: '{"login":"first"}' }
  const { endpoint } = await startScript([{ status: 200, headers: named, body: 'content' }, foreign])
  const store = open(endpoint)
  const get = () => store.getObject({ key: 'k', signal })
  expect((await contentOf(await get())).body.toString()).toBe('content')
  await expect(get()).rejects.toMatchObject(WANTS_SIGN_IN)
  // Some services give one with some operations only.
  await store.headObject({ key: 'k', signal })
})

const MD5 = '900150983cd24fb0d6963f7d28e17f72'

test.each([
  ['JSON', openStore, 'x-storage-request-id'],
  ['S3', openS3, 'x-amz-request-id'],
])('%s: nodes that give no request id are believed by what only the service can say', async (dialect, open, header) => {
  const isXml = dialect === 'S3'
  let isNamed = true
  const answer = (status: number, headers: Record<string, string>, body = ''): ScriptedResponse => ({
    status,
    headers: { ...headers, ...(isNamed ? { [header]: 'r' } : {}) },
    body,
  })
  const members = (xml: string, json: string) =>
    isXml
      ? answer(200, { 'content-type': 'application/xml' }, xml)
      : answer(200, { 'content-type': 'application/json' }, json)
  const object = { etag: `"${MD5}-2"`, 'last-modified': VERSION['last-modified'] }
  const { endpoint } = await startScript([
    ({ method, url, headers }) => {
      if (method === 'PUT') return answer(200, { etag: `"${MD5}"` })
      if (method === 'DELETE') return answer(204, {})
      if (method === 'POST' && url.includes('uploads'))
        return members(
          '<InitiateMultipartUploadResult><UploadId>u</UploadId></InitiateMultipartUploadResult>',
          '{"UploadId":"u"}',
        )
      if (method === 'POST')
        return members(
          '<CompleteMultipartUploadResult><ETag>"e"</ETag></CompleteMultipartUploadResult>',
          '{"ETag":"e"}',
        )
      if (url.includes('uploadId'))
        return members(
          '<ListPartsResult><IsTruncated>false</IsTruncated></ListPartsResult>',
          '{"IsTruncated":false,"Parts":[]}',
        )
      if (!url.includes('/k')) return members('<ListBucketResult><Name>b</Name></ListBucketResult>', '{"Name":"b"}')
      return headers.range === undefined
        ? answer(200, object, 'content')
        : answer(206, { 'content-range': 'bytes 0-1/7', etag: '"opaque"' }, 'co')
    },
  ])
  const store = open(endpoint)
  const key = { key: 'k', signal }
  const upload = { ...key, uploadId: 'u' }
  const body = () => bodyOf(Buffer.from('abc'))
  const requests = [
    () => store.headObject(key),
    () => store.putObject({ ...key, body: body() }),
    () => store.uploadPart({ ...upload, partNumber: 1, body: body() }),
    () => store.createMultipartUpload(key),
    () => store.listParts(upload),
    () => store.completeMultipartUpload({ ...upload, parts: [{ partNumber: 1, etag: 'e' }] }),
    () => store.abortMultipartUpload(upload),
    () => store.listObjects({ signal }),
    () => store.getObject(key).then(contentOf),
    () => store.getObject({ ...key, range: { start: 0, end: 2 } }).then(contentOf),
  ]
  for (const request of requests) await request()
  isNamed = false
  for (const request of requests) await expect(request(), request.toString()).resolves.not.toThrow()
})

test.each([
  ['JSON', openStore, 'x-storage-request-id', '{"IsTruncated":false,"Parts":[]}'],
  ['S3', openS3, 'x-amz-request-id', '<ListPartsResult/>'],
])('%s: members of something else are a sign-in where ids were given', async (_dialect, open, header, list) => {
  const message = { 'content-type': 'application/json' }
  const { endpoint } = await startScript([
    { status: 200, headers: { ...message, [header]: 'r' }, body: list },
    { status: 200, headers: message, body: '{"login":"first"}' },
  ])
  const store = open(endpoint)
  const ask = () => store.listParts({ key: 'k', uploadId: 'u', signal })
  await ask()
  await expect(ask()).rejects.toMatchObject(WANTS_SIGN_IN)
})

test('a service of which only some nodes give request ids is waited for no longer once that shows', async () => {
  let asked = 0
  const named = () => ((asked += 1) % 2 === 1 ? { 'x-amz-request-id': 'r' } : {})
  const { endpoint } = await startScript([() => ({ status: 200, headers: { etag: '"opaque"', ...named() } })])
  const store = openS3(endpoint)
  const put = () => store.putObject({ key: 'k', body: bodyOf(Buffer.from('x')), signal })
  for (let times = 0; times < 3; times += 1) {
    await put()
    await expect(put()).rejects.toMatchObject(WANTS_SIGN_IN)
  }
  for (let times = 0; times < 4; times += 1) await put()
})

test('a network that wants a sign-in again and again is never taken for a node of the service', async () => {
  let nowMs = 0
  const authorship = createAuthorship(() => nowMs)
  const answer = (headers: Record<string, string>) =>
    authorship.own({
      status: 200,
      headers: new Map(Object.entries(headers)),
      body: (async function* () {})(),
      operation: 'PutObject',
    })
  for (let times = 0; times < 10; times += 1) {
    await answer({ 'x-amz-request-id': 'r' })
    nowMs += 6000
    await expect(answer({ etag: '"page"' })).rejects.toMatchObject(WANTS_SIGN_IN)
  }
})

test.each([
  ['instead of a file of another kind', '/film.mov', LOGIN, {}],
  ['from a server that names a version of every page', '/film.mov', { ...LOGIN, headers: { ...HTML, ...VERSION } }, {}],
  ['instead of the version that was begun', '/8f3e', LOGIN, { ifMatch: 'e' }],
  ['instead of what was begun, told by its time', '/8f3e', LOGIN, { ifUnmodifiedSince: VERSION['last-modified'] }],
])('a link: a login page %s is not its content', async (_what, path, response, conditions) => {
  const { endpoint } = await startScript([response])
  const range = { start: 0, end: 1000 }
  const get = link(endpoint + path).getObject({ key: '', signal, range, ...conditions })
  await expect(get).rejects.toMatchObject(WANTS_SIGN_IN)
})

test.each([
  ['a page that was asked for', '/index.html', LOGIN],
  ['a page without an extension', '/report', LOGIN],
  ['a file whose server calls everything a page', '/film.mov', { ...LOGIN, body: 'moov\0\0' }],
  ['an empty file', '/film.mov', { ...LOGIN, body: '' }],
  ['a page in a file', '/film.mov', { status: 200, headers: { 'content-type': 'video/mp4' }, body: PAGE }],
])('a link: %s is its content', async (_what, path, response) => {
  const { endpoint } = await startScript([response])
  const result = await contentOf(await link(endpoint + path).getObject({ key: '', signal }))
  expect(result.body.toString()).toBe(response.body)
})

test('a link: a page from the very server that its certificate vouches for is no matter of the network', async () => {
  const { endpoint } = await startScript([LOGIN])
  const front = await startTlsFront(endpoint, CERTIFICATES.good)
  const trust = { context: createTrust([CERTIFICATES.good.cert]).context, pinned: null }
  const store = createUrlStore(`${front}/film.mov`, { routeTo: () => ({ proxy: null, trust }) })
  onTestFinished(() => store.close())
  const error: unknown = await store.getObject({ key: '', signal }).catch((reason: unknown) => reason)
  expect(error).toMatchObject({ code: 'WebPage' })
  expect(classify(error)).toMatchObject({ kind: 'stop', error: { info: { code: 'web-page' } } })
})
