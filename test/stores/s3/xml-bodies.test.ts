import { expect, test } from 'vitest'
import { startScript, type ScriptedResponse } from '../../support/servers/scripted-server.ts'
import { signal } from '../support/open-store.ts'
import { openS3 } from './support/open-s3.ts'

const complete = async (...responses: ScriptedResponse[]) => {
  const { endpoint } = await startScript(responses)
  return openS3(endpoint).completeMultipartUpload({
    ...{ key: 'a/k', uploadId: 'u', parts: [{ partNumber: 1, etag: 'e' }], signal },
  })
}
const COMPLETED = '<CompleteMultipartUploadResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">'

test.each([
  ['an answer', `<?xml version="1.0"?>\n${COMPLETED}<Key>odd</Key><ETag>"e-1"</ETag></CompleteMultipartUploadResult>`],
  ['white space before', `  \n \r\n${COMPLETED}<ETag>&quot;e-1&quot;</ETag></CompleteMultipartUploadResult>`],
])('completes with %s', async (_what, body) => {
  expect(await complete({ status: 200, body })).toMatchObject({ etag: 'e-1' })
})

test.each(['', '   ', `${COMPLETED}<ETag>"e-1`, '<Other><ETag>e</ETag></Other>', '{"ETag":"e-1"}'])(
  'leaves the outcome open after 200 with %j',
  async (body) => {
    await expect(complete({ status: 200, body })).rejects.toMatchObject({ code: 'BadAnswer', maybeProcessed: true })
  },
)

test('finds the error in a 200, after white space', async () => {
  const body = '    <?xml version="1.0"?><Error><Code>InternalError</Code><Message>again</Message></Error>'
  await expect(complete({ status: 200, body })).rejects.toMatchObject({ code: 'InternalError', maybeProcessed: true })
})

test('asks the object for the ETag that Ceph leaves out', async () => {
  const body = `${COMPLETED}<ETag></ETag></CompleteMultipartUploadResult>`
  expect(await complete({ status: 200, body }, { status: 200, headers: { etag: '"e-1"' } })).toMatchObject({
    etag: 'e-1',
  })
  await expect(complete({ status: 200, body }, { status: 404 })).rejects.toMatchObject({
    code: 'BadAnswer',
    maybeProcessed: true,
  })
})

test('knows an upload that is gone by Ceph’s word for it', async () => {
  const body = '<Error><Code>NoSuchKey</Code></Error>'
  const { endpoint } = await startScript([{ status: 404, body }])
  const store = openS3(endpoint)
  await expect(store.listParts({ key: 'k', uploadId: 'u', signal })).rejects.toMatchObject({ code: 'NoSuchUpload' })
  await expect(store.getObject({ key: 'k', signal })).rejects.toMatchObject({ code: 'NoSuchKey' })
})

test('reads keys as they are, encoded or not, and goes on after the last', async () => {
  const entry = (key: string) =>
    `<Contents><Key>${key}</Key><Size>1</Size><ETag>"e"</ETag><LastModified>t</LastModified></Contents>`
  const { endpoint, requests } = await startScript([
    {
      status: 200,
      body:
        '<ListBucketResult><EncodingType>url</EncodingType><IsTruncated>true</IsTruncated><NextMarker>a+b</NextMarker>' +
        `${entry('a%20%25%01')}${entry('a%2Bb')}<CommonPrefixes><Prefix>a+%C3%BC/</Prefix></CommonPrefixes></ListBucketResult>`,
    },
    { status: 200, body: `<ListBucketResult>${entry('a+b%20&amp; ')}</ListBucketResult>` },
  ])
  const store = openS3(endpoint)
  const page = await store.listObjects({ prefix: 'a', delimiter: '/', signal })
  expect(page.objects.map(({ key }) => key)).toEqual(['a %\x01', 'a+b'])
  expect([page.prefixes, page.nextMarker]).toEqual([['a ü/'], 'a+b'])
  expect((await store.listObjects({ marker: 'a+b', signal })).objects[0]?.key).toBe('a+b%20& ')
  expect(requests.map(({ url }) => url)).toEqual([
    '/demo?delimiter=%2F&encoding-type=url&prefix=a',
    '/demo?encoding-type=url&marker=a%2Bb',
  ])
})

test('refuses pages that never end, and errors in place of pages', async () => {
  const part = '<Part><PartNumber>3</PartNumber><ETag>"e"</ETag><Size>1</Size></Part>'
  const truncated = '<IsTruncated>true</IsTruncated>'
  const { endpoint } = await startScript([
    {
      status: 200,
      body: `<ListPartsResult>${truncated}<NextPartNumberMarker>3</NextPartNumberMarker>${part}</ListPartsResult>`,
    },
    {
      status: 200,
      body: `<ListMultipartUploadsResult>${truncated}<Upload><Key>k</Key><UploadId>u</UploadId></Upload></ListMultipartUploadsResult>`,
    },
    { status: 200, body: `<ListBucketResult>${truncated}</ListBucketResult>` },
    { status: 200, body: '<Error><Code>InternalError</Code></Error>' },
  ])
  const store = openS3(endpoint)
  const refused = { code: 'BadAnswer' }
  await expect(store.listParts({ key: 'k', uploadId: 'u', partNumberMarker: 3, signal })).rejects.toMatchObject(refused)
  await expect(store.listMultipartUploads({ keyMarker: 'k', uploadIdMarker: 'u', signal })).rejects.toMatchObject(
    refused,
  )
  await expect(store.listObjects({ signal })).rejects.toMatchObject(refused)
  await expect(store.listObjects({ signal })).rejects.toMatchObject(refused)
})

test.each([
  [501, ''],
  [405, '<Error><Code>MethodNotAllowed</Code></Error>'],
  [400, '<Error><Code>NotImplemented</Code></Error>'],
])('says that an operation answered %i %s is not there', async (status, body) => {
  const { endpoint } = await startScript([{ status, body }])
  await expect(openS3(endpoint).listMultipartUploads({ signal })).rejects.toMatchObject({
    code: 'OperationNotAvailable',
  })
})
