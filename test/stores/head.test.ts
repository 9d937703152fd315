import { expect, test } from 'vitest'
import { startScript } from '../support/servers/scripted-server.ts'
import { openStore, signal } from './support/open-store.ts'

const head = (endpoint: string) => openStore(endpoint).headObject({ key: 'k', signal })

test('reads the headers of an object', async () => {
  const { endpoint, requests } = await startScript([
    { status: 200, headers: { 'content-length': 7, etag: '"e"', 'last-modified': 'then', date: 'nonsense' } },
  ])
  expect(await head(endpoint)).toMatchObject({ sizeBytes: 7, etag: 'e', lastModified: 'then', serverTimeMs: null })
  expect(requests.map(({ method }) => method)).toEqual(['HEAD'])
})

test.each([403, 404, 405, 501])('asks for the first byte when HEAD is answered %i', async (status) => {
  const { endpoint, requests } = await startScript([
    { status },
    { status: 206, headers: { 'content-range': 'bytes 0-0/1234', etag: '"e"' }, body: 'x' },
  ])
  expect(await head(endpoint)).toMatchObject({ sizeBytes: 1234, etag: 'e' })
  expect(requests.map(({ method, headers }) => [method, headers.range])).toEqual([
    ['HEAD', undefined],
    ['GET', 'bytes=0-0'],
  ])
})

test.each([
  [{ status: 200, headers: { etag: '"e"' }, body: 'whole object' }, 12],
  [{ status: 200, headers: { etag: '"e"' } }, 0],
  [{ status: 416, headers: { 'content-range': 'bytes */0', etag: '"e"' } }, 0],
])('takes %j to the first byte too', async (response, sizeBytes) => {
  const { endpoint } = await startScript([{ status: 405 }, response])
  expect(await head(endpoint)).toMatchObject({ sizeBytes, etag: 'e' })
})

test('has the reason of a refusal from GET', async () => {
  const { endpoint } = await startScript([
    { status: 403 },
    { status: 403, body: '{"Error":{"Code":"SignatureDoesNotMatch"}}' },
  ])
  await expect(head(endpoint)).rejects.toMatchObject({ code: 'SignatureDoesNotMatch' })
})

test('knows a missing object by a bare 404 to both', async () => {
  const { endpoint } = await startScript([{ status: 404 }])
  await expect(head(endpoint)).rejects.toMatchObject({ code: 'NoSuchKey', httpStatus: 404 })
})

test('asks for the first byte at once after a key was free, until an object is there', async () => {
  const { endpoint, requests } = await startScript([
    { status: 404 },
    { status: 404 },
    { status: 404 },
    { status: 206, headers: { 'content-range': 'bytes 0-0/1234', etag: '"e"' }, body: 'x' },
    { status: 200, headers: { 'content-length': 1234, etag: '"e"' } },
  ])
  const { headObject } = openStore(endpoint)
  for (const key of ['free', 'free, too']) {
    await expect(headObject({ key, signal })).rejects.toMatchObject({ code: 'NoSuchKey' })
  }
  for (const key of ['there', 'there, too']) {
    expect(await headObject({ key, signal })).toMatchObject({ sizeBytes: 1234, etag: 'e' })
  }
  expect(requests.map(({ method }) => method)).toEqual(['HEAD', 'GET', 'GET', 'GET', 'HEAD'])
})

test.each([429, 500, 503])('does not ask again after %i', async (status) => {
  const { endpoint, requests } = await startScript([{ status, headers: { 'retry-after': '3' } }])
  await expect(head(endpoint)).rejects.toMatchObject({ httpStatus: status, retryAfterMs: 3000 })
  expect(requests.length).toBe(1)
})
