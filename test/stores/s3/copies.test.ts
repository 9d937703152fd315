import { expect, test } from 'vitest'
import { createTrust } from '../../../electron/stores/network/trust.ts'
import { STORE_ERROR } from '../../../electron/stores/port/store-error.ts'
import { startHttpProxy } from '../../support/proxies/http-proxy.ts'
import { startScript, type ScriptedResponse } from '../../support/servers/scripted-server.ts'
import { signal } from '../support/open-store.ts'
import { openS3 } from './support/open-s3.ts'

const COPIED = { status: 200, body: '<CopyObjectResult><ETag>"e"</ETag></CopyObjectResult>' }
const REQUEST = { sourceKey: 'a b/ü+%.txt', sourceEtag: 'abc', traits: {}, key: 'new', ifAbsent: true, signal }

/** What a head tells, and what the copy is then told, at a provider with this host or header. */
async function sentFor(headers: Readonly<Record<string, string>>, host = 's3.example.com') {
  const head: ScriptedResponse = { status: 200, headers: { etag: '"abc"', 'content-length': 0, ...headers } }
  const { endpoint, requests } = await startScript([head, COPIED])
  const { port } = await startHttpProxy({ hosts: { [host]: new URL(endpoint).host } })
  const route = { proxy: { host: '127.0.0.1', port, credentials: null }, trust: createTrust([]) }
  const store = openS3(`http://${host}`, { network: { routeTo: () => route } })
  const { traits = {} } = await store.headObject({ key: REQUEST.sourceKey, signal })
  await store.copies?.copyObject({ ...REQUEST, traits })
  return Object.fromEntries(Object.entries(requests[1]?.headers ?? {}).filter(([name]) => !UNIMPORTANT.has(name)))
}

const UNIMPORTANT = new Set([
  ...['accept-encoding', 'authorization', 'connection', 'content-length', 'host', 'proxy-connection'],
  ...['x-amz-content-sha256', 'x-amz-date'],
])
const SOURCE = { 'x-amz-copy-source': 'demo/a%20b/%C3%BC%2B%25.txt' }

test('tells a copy what the service would not copy by itself, and nothing else', async () => {
  const kms = { 'x-amz-server-side-encryption': 'aws:kms', 'x-amz-server-side-encryption-aws-kms-key-id': 'key/1' }
  const found = { 'x-amz-storage-class': 'STANDARD_IA', ...kms }
  const condition = { 'x-amz-copy-source-if-match': '"abc"' }
  const copied = { 'content-type': 'text/x-odd', 'x-amz-meta-author': 'me', 'x-amz-tagging-count': '2' }
  expect(await sentFor({ ...found, ...copied })).toEqual({ ...SOURCE, ...condition, ...found })
  // The bucket encrypts by itself.
  expect(await sentFor({ 'x-amz-server-side-encryption': 'AES256' })).toEqual({ ...SOURCE, ...condition })
})

test('makes no copy over another object where the service can see to that', async () => {
  const condition = { ...SOURCE, 'x-amz-copy-source-if-match': '"abc"' }
  expect(await sentFor({}, 's3.eu-test-1.amazonaws.com')).toEqual({ ...condition, 'if-none-match': '*' })
  const r2 = { ...condition, 'cf-copy-destination-if-none-match': '*' }
  expect(await sentFor({}, 'id.r2.cloudflarestorage.com')).toEqual(r2)
  const ceph = { 'x-amz-request-id': 'tx000008d14e4c2f91c459f-006b0be776-100a-default' }
  expect(await sentFor(ceph)).toEqual({ ...SOURCE, 'x-amz-copy-if-match': '"abc"' })
})

test.each([
  ['an error under status 200', '<Error><Code>InternalError</Code></Error>', 'InternalError'],
  ['a page', '<html></html>', STORE_ERROR.badAnswer],
  ['nothing', '', STORE_ERROR.badAnswer],
])('takes %s for no copy, and does not rule it out', async (_what, body, code) => {
  const { endpoint } = await startScript([{ status: 200, body }])
  await expect(openS3(endpoint).copies?.copyObject(REQUEST)).rejects.toMatchObject({ code, maybeProcessed: true })
})

test('copies a range to a part, which has an ETag', async () => {
  const part = (etag: string) => ({ status: 200, body: `<CopyPartResult>${etag}</CopyPartResult>` })
  const { endpoint, requests } = await startScript([part('<ETag>"p"</ETag>'), part('')])
  const { copies } = openS3(endpoint)
  const request = { sourceKey: 'a', sourceEtag: null, key: 'new', uploadId: 'u', partNumber: 2, signal }
  const range = { start: 5, end: 10 }
  expect(await copies?.uploadPart({ ...request, range })).toMatchObject({ etag: 'p' })
  await expect(copies?.uploadPart({ ...request, range })).rejects.toMatchObject({ code: STORE_ERROR.badAnswer })
  expect(requests[0]).toMatchObject({
    ...{ method: 'PUT', url: '/demo/new?partNumber=2&uploadId=u' },
    headers: { 'x-amz-copy-source': 'demo/a', 'x-amz-copy-source-range': 'bytes=5-9' },
  })
  expect(requests[0]?.headers['x-amz-copy-source-if-match']).toBeUndefined()
})
