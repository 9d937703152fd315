import { expect, test } from 'vitest'
import { startScript } from '../support/servers/scripted-server.ts'
import { bodyOf, openStore, signal } from './support/open-store.ts'

const upload = { key: 'k', uploadId: 'u', signal }

/** The ETag that Complete names to a service that answers so before. */
async function namedAfter(response: { readonly body?: string; readonly etag?: string }): Promise<unknown> {
  const { body = '', etag } = response
  const { endpoint, requests } = await startScript([
    { status: 200, body, headers: etag === undefined ? {} : { etag } },
    { status: 200, body: '{"ETag":"done"}' },
  ])
  const store = openStore(endpoint)
  const part = { ...upload, partNumber: 1 }
  const told =
    etag === undefined
      ? (await store.listParts(upload)).parts[0]?.etag
      : (await store.uploadPart({ ...part, body: bodyOf(Buffer.from('x')) })).etag
  await store.completeMultipartUpload({ ...upload, parts: [{ partNumber: 1, etag: told ?? '' }] })
  const sent = JSON.parse(requests.at(-1)?.body.toString() ?? '') as { Parts: { ETag: string }[] }
  return [told, sent.Parts[0]?.ETag]
}

test.each([
  ['"e"', 'e'],
  ['e', 'e'],
  ['W/"e"', 'W/e'],
])('names a part by the text %s that the service gave', async (etag, told) => {
  expect(await namedAfter({ etag })).toEqual([told, etag])
  const body = JSON.stringify({ Parts: [{ PartNumber: 1, ETag: etag, Size: 1 }] })
  expect(await namedAfter({ body })).toEqual([told, etag])
})
