import { expect, test } from 'vitest'
import { startScript, type ScriptedResponse } from '../support/servers/scripted-server.ts'
import { bodyOf, openStore, signal } from './support/open-store.ts'

const get = async (response: ScriptedResponse) => {
  const { endpoint } = await startScript([response])
  return openStore(endpoint).getObject({ key: 'k', signal })
}

test.each([
  ['nested JSON', '{"Error":{"Code":"NoSuchKey","Message":"gone","RequestId":"r1"}}'],
  ['JSON at the top', '{"Code":"NoSuchKey","Message":"gone","RequestId":"r1"}'],
  ['lower-case JSON', '{"error":{"code":"NoSuchKey","message":"gone","requestid":"r1"}}'],
  ['lower-case JSON at the top', ' {"code":"NoSuchKey","message":"gone","requestId":"r1"}'],
  [
    'XML',
    '<?xml version="1.0"?>\n<Error><Code>NoSuchKey</Code><Message>gone</Message><RequestId>r1</RequestId></Error>',
  ],
  [
    'XML with the error inside',
    '<ErrorResponse xmlns="urn:x"><Error><Code>NoSuchKey</Code><Message>g&#111;ne</Message></Error><RequestId>r1</RequestId></ErrorResponse>',
  ],
  ['lower-case XML', '<error><code>NoSuchKey</code><message>gone</message><requestid>r1</requestid></error>'],
])('reads an error in %s', async (_shape, body) => {
  await expect(get({ status: 404, body })).rejects.toMatchObject({
    code: 'NoSuchKey',
    httpStatus: 404,
    requestId: 'r1',
    maybeProcessed: false,
    message: 'GetObject returned 404 NoSuchKey: gone',
  })
})

test('prefers the request id of the header', async () => {
  const body = '{"Error":{"Code":"AccessDenied","RequestId":"body"}}'
  await expect(get({ status: 403, body, headers: { 'x-storage-request-id': 'header' } })).rejects.toMatchObject({
    requestId: 'header',
  })
})

/** A service could send a person to settings of this computer. */
const IN_OUR_NAME = ['{"Code":"CertificateError"}', '<Error><Code>ProxySignInNeeded</Code></Error>']

test.each([
  '',
  '<html>Bad gateway</html>',
  '<html><p><Code>NoSuchKey</Code></p></html>',
  '[]',
  '{"Error":null}',
  '{"Code":7}',
  '{"Code":"a b"}',
  ...IN_OUR_NAME,
])('has no code for the body %j, and then the outcome is open', async (body) => {
  await expect(get({ status: 403, body })).rejects.toMatchObject({
    code: 'UnnamedError',
    httpStatus: 403,
    maybeProcessed: true,
  })
})

test('reads no more than 1 MiB of an error', async () => {
  const body = `{"Error":{"Code":"AccessDenied","Message":"${'x'.repeat(2 ** 20)}"}}`
  await expect(get({ status: 403, body })).rejects.toMatchObject({ code: 'UnnamedError', httpStatus: 403 })
})

const DATE = 'Sun, 06 Nov 1994 08:49:37 GMT'
test.each([
  ['7', 7000],
  ['Sun, 06 Nov 1994 08:49:40 GMT', 3000],
  ['Sunday, 06-Nov-94 08:50:37 GMT', 60_000],
  ['Sun Nov  6 08:49:38 1994', 1000],
  ['Sun, 06 Nov 1994 08:00:00 GMT', 0],
  ['soon', null],
])('understands Retry-After: %s', async (retryAfter, retryAfterMs) => {
  const headers = { 'retry-after': retryAfter, date: DATE }
  await expect(get({ status: 503, headers, body: '{"Error":{"Code":"SlowDown"}}' })).rejects.toMatchObject({
    code: 'SlowDown',
    retryAfterMs,
    maybeProcessed: true,
  })
})

test('takes a bare 404 to GetObject as NoSuchKey', async () => {
  await expect(get({ status: 404 })).rejects.toMatchObject({ code: 'NoSuchKey', httpStatus: 404 })
})

test.each([
  [404, ''],
  [405, ''],
  [405, '{"Error":{"Code":"MethodNotAllowed"}}'],
  [501, '{"Error":{"Code":"NotImplemented"}}'],
  [404, '{"Error":{"Code":"NoSuchRoute"}}'],
])('says that an undocumented operation answered %i %s is not there', async (status, body) => {
  const { endpoint } = await startScript([{ status, body }])
  const store = openStore(endpoint)
  const expected = { code: 'OperationNotAvailable', httpStatus: status }
  await expect(store.listObjects({ signal })).rejects.toMatchObject(expected)
  await expect(store.listMultipartUploads({ signal })).rejects.toMatchObject(expected)
  await expect(store.createMultipartUpload({ key: 'k', signal })).rejects.toMatchObject(expected)
  await expect(store.listParts({ key: 'k', uploadId: 'u', signal })).rejects.toMatchObject(expected)
})

test.each(['NoSuchBucket', 'NoSuchKey', 'NoSuchUpload'])('keeps the known code %s', async (code) => {
  const { endpoint } = await startScript([{ status: 404, body: `{"Error":{"Code":"${code}"}}` }])
  await expect(openStore(endpoint).listParts({ key: 'k', uploadId: 'u', signal })).rejects.toMatchObject({ code })
})

test('follows no redirect with a signature', async () => {
  const other = await startScript([{ status: 200 }])
  const { endpoint, requests } = await startScript([
    { status: 307, headers: { location: `${other.endpoint}/secret?x=1` } },
  ])
  await expect(openStore(endpoint).getObject({ key: 'k', signal })).rejects.toMatchObject({
    code: 'RedirectRefused',
    httpStatus: 307,
    message: `GetObject was redirected to ${other.endpoint} (307)`,
  })
  expect([requests.length, other.requests.length]).toEqual([1, 0])
})

test.each([
  ['PutObject', { status: 200 }],
  ['PutObject', { status: 200, headers: { etag: '""' } }],
])('does not take %s for done after %j', async (_operation, response) => {
  const { endpoint } = await startScript([response])
  await expect(
    openStore(endpoint).putObject({ key: 'k', body: bodyOf(Buffer.from('x')), signal }),
  ).rejects.toMatchObject({ code: 'BadAnswer', httpStatus: 200 })
})

test.each(['', '[]', '{}', '{"UploadId":""}', '{"UploadId":"u","Key":"other"}', '<Create/>'])(
  'takes %j for no new upload',
  async (body) => {
    const { endpoint } = await startScript([{ status: 200, body }])
    await expect(openStore(endpoint).createMultipartUpload({ key: 'k', signal })).rejects.toMatchObject({
      code: 'BadAnswer',
    })
  },
)

test('refuses pages that never end', async () => {
  const part = '{"PartNumber":3,"ETag":"e","Size":1}'
  const { endpoint } = await startScript([
    { status: 200, body: `{"IsTruncated":true,"NextPartNumberMarker":3,"Parts":[${part}]}` },
    { status: 200, body: '{"IsTruncated":true,"NextKeyMarker":"k","NextUploadIdMarker":"u","Uploads":[]}' },
    { status: 200, body: '{"IsTruncated":true,"NextMarker":"m","Contents":[]}' },
    { status: 200, body: '{"IsTruncated":true}' },
  ])
  const store = openStore(endpoint)
  const refused = { code: 'BadAnswer' }
  await expect(store.listParts({ key: 'k', uploadId: 'u', partNumberMarker: 3, signal })).rejects.toMatchObject(refused)
  await expect(store.listMultipartUploads({ keyMarker: 'k', uploadIdMarker: 'u', signal })).rejects.toMatchObject(
    refused,
  )
  await expect(store.listObjects({ marker: 'm', signal })).rejects.toMatchObject(refused)
  await expect(store.listObjects({ signal })).rejects.toMatchObject(refused)
})

test('takes a full page of the longest keys', async () => {
  const keys = Array.from({ length: 1000 }, (_none, index) => String(index).padStart(1024, '\u0001'))
  const entries = keys.map((key) => ({ Key: key, Size: 1, ETag: '"e"', LastModified: 't' }))
  const { endpoint } = await startScript([{ status: 200, body: JSON.stringify({ Contents: entries }) }])
  const page = await openStore(endpoint).listObjects({ signal })
  expect(page.objects.map(({ key }) => key)).toEqual(keys)
})

test('goes on after the last entry where a truncated page names no next one', async () => {
  const { endpoint } = await startScript([
    { status: 200, body: '{"IsTruncated":true,"Parts":[{"PartNumber":3,"ETag":"\\"e\\"","Size":1}]}' },
    { status: 200, body: '{"IsTruncated":true,"Uploads":[{"Key":"k","UploadId":"u"}]}' },
    {
      status: 200,
      body: '{"IsTruncated":true,"CommonPrefixes":["z/"],"Contents":[{"Key":"b","Size":1,"ETag":"e","LastModified":"t"}]}',
    },
  ])
  const store = openStore(endpoint)
  expect(await store.listParts({ key: 'k', uploadId: 'u', signal })).toMatchObject({
    parts: [{ partNumber: 3, etag: 'e', sizeBytes: 1, lastModified: null }],
    nextPartNumberMarker: 3,
  })
  expect(await store.listMultipartUploads({ signal })).toMatchObject({
    uploads: [{ key: 'k', uploadId: 'u', initiated: null }],
    next: { keyMarker: 'k', uploadIdMarker: 'u' },
  })
  expect(await store.listObjects({ signal })).toMatchObject({ prefixes: ['z/'], nextMarker: 'z/' })
})

test.each([
  ['storage', '{"Contents":[{"Key":"other/a","Size":1,"ETag":"e","LastModified":"t"}]}'],
  ['storage', '{"CommonPrefixes":["other/"]}'],
  [
    's3',
    '<ListBucketResult><Contents><Key>other/a</Key><Size>1</Size><ETag>"e"</ETag><LastModified>t</LastModified></Contents></ListBucketResult>',
  ],
] as const)('takes no keys of another folder for those of one, over %s', async (dialect, body) => {
  const { endpoint } = await startScript([{ status: 200, body }])
  const listing = openStore(endpoint, { dialect }).listObjects({ prefix: 'mine/', signal })
  await expect(listing).rejects.toMatchObject({ code: 'BadAnswer' })
})
