import { expect, test } from 'vitest'
import { startScript } from '../support/servers/scripted-server.ts'
import { openS3 } from './s3/support/open-s3.ts'
import { openStore, signal } from './support/open-store.ts'

const XML = '<?xml version="1.0" encoding="UTF-8"?>\n'

async function answering(body: string) {
  const { endpoint } = await startScript([{ status: 200, body, headers: { 'x-storage-request-id': 'r-1' } }])
  return body.startsWith('<') ? openS3(endpoint) : openStore(endpoint)
}

/** Members that say nothing, as services write them. */
test.each([
  '{"IsTruncated":false,"NextKeyMarker":"","NextUploadIdMarker":"","Uploads":[]}',
  '{"IsTruncated":null,"NextKeyMarker":null,"NextUploadIdMarker":null,"Uploads":null}',
  '{}',
  `${XML}<ListMultipartUploadsResult><IsTruncated>false</IsTruncated><NextKeyMarker/><NextUploadIdMarker></NextUploadIdMarker></ListMultipartUploadsResult>`,
])('uploads: %s', async (body) => {
  const store = await answering(body)
  expect(await store.listMultipartUploads({ signal })).toEqual({ uploads: [], next: null, requestId: 'r-1' })
})

test.each([
  '{"IsTruncated":true,"NextKeyMarker":"","NextUploadIdMarker":null,"Uploads":[{"Key":"k","UploadId":"u","Initiated":""}]}',
  `${XML}<ListMultipartUploadsResult><IsTruncated>true</IsTruncated><NextKeyMarker/><Upload><Key>k</Key><UploadId>u</UploadId><Initiated/></Upload></ListMultipartUploadsResult>`,
])('uploads go on after the last one: %s', async (body) => {
  const store = await answering(body)
  expect(await store.listMultipartUploads({ signal })).toMatchObject({
    uploads: [{ key: 'k', uploadId: 'u', initiated: null }],
    next: { keyMarker: 'k', uploadIdMarker: 'u' },
  })
})

const PART = '{"PartNumber":3,"ETag":"\\"e\\"","Size":7,"LastModified":null}'
test.each([
  [`{"IsTruncated":true,"NextPartNumberMarker":0,"Parts":[${PART}]}`, 3],
  [`{"IsTruncated":true,"NextPartNumberMarker":"","Parts":[${PART}]}`, 3],
  [`{"IsTruncated":true,"NextPartNumberMarker":null,"Parts":[${PART}]}`, 3],
  [`{"IsTruncated":false,"NextPartNumberMarker":0,"Parts":[${PART}]}`, null],
  [
    `${XML}<ListPartsResult><IsTruncated>true</IsTruncated><NextPartNumberMarker>0</NextPartNumberMarker><Part><PartNumber>3</PartNumber><ETag>"e"</ETag><Size>7</Size></Part></ListPartsResult>`,
    3,
  ],
  [
    `${XML}<ListPartsResult><IsTruncated>false</IsTruncated><NextPartNumberMarker/><Part><PartNumber>3</PartNumber><ETag>"e"</ETag><Size>7</Size></Part></ListPartsResult>`,
    null,
  ],
] as const)('parts: %s', async (body, nextPartNumberMarker) => {
  const store = await answering(body)
  const page = await store.listParts({ key: 'k', uploadId: 'u', signal })
  expect(page).toMatchObject({ nextPartNumberMarker, parts: [{ partNumber: 3, etag: 'e', sizeBytes: 7 }] })
})

test('objects', async () => {
  const object = '{"Key":"k","Size":1,"ETag":null,"LastModified":"2026-01-01T00:00:00Z"}'
  const store = await answering(`{"IsTruncated":false,"NextMarker":"","CommonPrefixes":null,"Contents":[${object}]}`)
  expect(await store.listObjects({ signal })).toMatchObject({ objects: [{ key: 'k', etag: '' }], nextMarker: null })
})

test.each(['[]', '{"Uploads":7}', 'hello'])('%s can’t be read, and it is said of what', async (body) => {
  const store = await answering(body)
  await expect(store.listMultipartUploads({ signal })).rejects.toMatchObject({
    code: 'BadAnswer',
    message: 'ListMultipartUploads returned 200 with an unexpected body',
    httpStatus: 200,
    requestId: 'r-1',
  })
})

test.each([
  ['a', 'u'],
  ['k', 'u'],
])('pages of uploads do not go back from k to %s', async (key, uploadId) => {
  const store = await answering(`{"IsTruncated":true,"NextKeyMarker":"${key}","NextUploadIdMarker":"${uploadId}"}`)
  const request = { keyMarker: 'k', uploadIdMarker: 'u', signal }
  await expect(store.listMultipartUploads(request)).rejects.toThrow('a page that does not advance')
})

test('pages of uploads go on where the upload id counts in the order of the keys, as at Ceph', async () => {
  const store = await answering('{"IsTruncated":true,"NextKeyMarker":"k","NextUploadIdMarker":"2~a"}')
  const page = await store.listMultipartUploads({ keyMarker: 'k-1', uploadIdMarker: '2~b', signal })
  expect(page.next).toEqual({ keyMarker: 'k', uploadIdMarker: '2~a' })
})
