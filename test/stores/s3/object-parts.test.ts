import { expect, test } from 'vitest'
import { startScript } from '../../support/servers/scripted-server.ts'
import { signal } from '../support/open-store.ts'
import { openS3 } from './support/open-s3.ts'

const root = (content: string) =>
  `<?xml version="1.0"?>\n<GetObjectAttributesResponse>${content}</GetObjectAttributesResponse>`
const part = (number: number, size: number) => `<Part><PartNumber>${number}</PartNumber><Size>${size}</Size></Part>`

test('asks about one part, and takes the length for its size and the ETag for that of the object', async () => {
  const headers = { etag: '"e-3"', 'content-length': 5, 'content-range': 'bytes 5-9/15', 'x-amz-mp-parts-count': 3 }
  const { endpoint, requests } = await startScript([{ status: 206, headers }])
  const found = await openS3(endpoint).headPart?.({ key: 'a b', partNumber: 2, signal })
  expect(found).toMatchObject({ etag: 'e-3', sizeBytes: 5 })
  expect(requests[0]).toMatchObject({ method: 'HEAD', url: '/demo/a%20b?partNumber=2' })
})

test('does not ask for a byte where the question is refused', async () => {
  const { endpoint, requests } = await startScript([{ status: 403 }])
  await expect(openS3(endpoint).headPart?.({ key: 'k', partNumber: 1, signal })).rejects.toMatchObject({
    httpStatus: 403,
  })
  expect(requests).toHaveLength(1)
})

test('lists the sizes of parts by pages', async () => {
  const more = '<NextPartNumberMarker>2</NextPartNumberMarker><IsTruncated>true</IsTruncated>'
  const first = `<ETag>e-3</ETag><ObjectParts><PartsCount>3</PartsCount>${more}${part(1, 5)}${part(2, 7)}</ObjectParts>`
  const last = `<ETag>e-3</ETag><ObjectParts><IsTruncated>false</IsTruncated>${part(3, 1)}</ObjectParts>`
  const { endpoint, requests } = await startScript([first, last].map((body) => ({ status: 200, body: root(body) })))
  const store = openS3(endpoint)
  expect(await store.listObjectParts?.({ key: 'k', partNumberMarker: 0, signal })).toMatchObject({
    ...{ etag: 'e-3', sizes: [5, 7], nextPartNumberMarker: 2 },
  })
  expect(await store.listObjectParts?.({ key: 'k', partNumberMarker: 2, signal })).toMatchObject({
    ...{ sizes: [1], nextPartNumberMarker: null },
  })
  expect(requests.map(({ url, headers }) => [url, headers['x-amz-part-number-marker']])).toEqual([
    ['/demo/k?attributes=', undefined],
    ['/demo/k?attributes=', '2'],
  ])
  expect(requests[0]?.headers['x-amz-object-attributes']).toBe('ETag,ObjectParts')
})

test.each([
  [
    'without parts, which it has no checksums of',
    '<ETag>e-3</ETag><ObjectParts><PartsCount>3</PartsCount></ObjectParts>',
  ],
  ['of an object that is no upload of parts', '<ETag>e-3</ETag>'],
])('a list %s has no sizes', async (_what, content) => {
  const { endpoint } = await startScript([{ status: 200, body: root(content) }])
  const page = await openS3(endpoint).listObjectParts?.({ key: 'k', partNumberMarker: 0, signal })
  expect(page).toMatchObject({ etag: 'e-3', sizes: [], nextPartNumberMarker: null })
})

test.each([
  ['another document', '<ListPartsResult/>'],
  ['a part without its size', root('<ObjectParts><Part><PartNumber>1</PartNumber></Part></ObjectParts>')],
  ['a page that does not advance', root('<ObjectParts><IsTruncated>true</IsTruncated></ObjectParts>')],
  ['no XML', '{}'],
])('%s is a response that can’t be read', async (_what, body) => {
  const { endpoint } = await startScript([{ status: 200, body }])
  const listed = openS3(endpoint).listObjectParts?.({ key: 'k', partNumberMarker: 0, signal })
  await expect(listed).rejects.toMatchObject({ code: 'BadAnswer' })
})
