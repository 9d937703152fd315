import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { STORE_ERROR } from '../../../electron/stores/port/store-error.ts'
import { startScript } from '../../support/servers/scripted-server.ts'
import { signal } from '../support/open-store.ts'
import { openS3 } from './support/open-s3.ts'

const response = (body: string) => ({
  status: 200,
  body: `<?xml version="1.0"?>\n<DeleteResult>${body}</DeleteResult>`,
})
const refusal = (key: string, code: string) =>
  `<Error><Key>${key}</Key><Code>${code}</Code><Message>no</Message></Error>`

test('names all keys in one signed request, and tells which were refused', async () => {
  const body = refusal('a &amp; b', 'AccessDenied') + refusal('gone', 'NoSuchKey')
  const { endpoint, requests } = await startScript([response(body), response('')])
  const store = openS3(endpoint)
  const keys = ['a & b', '/ü+<x>/', 'gone']
  expect(await store.deleteObjects?.({ keys, signal })).toEqual(['a & b'])
  expect(await store.deleteObjects?.({ keys, signal })).toEqual([])
  const sent = requests[0]?.body ?? Buffer.from('')
  expect(requests[0]).toMatchObject({
    method: 'POST',
    url: '/demo?delete=',
    headers: { 'content-md5': createHash('md5').update(sent).digest('base64') },
  })
  expect([...sent.toString().matchAll(/<Key>(.*?)<\/Key>/g)].map(([, key]) => key)).toEqual([
    ...['a &amp; b', '/ü+&lt;x&gt;/', 'gone'],
  ])
})

test('takes a refusal that fits no key for one of all of them', async () => {
  const { endpoint } = await startScript([response(refusal('a%20b', 'AccessDenied'))])
  expect(await openS3(endpoint).deleteObjects?.({ keys: ['a b', 'c'], signal })).toEqual(['a b', 'c'])
})

test.each(['a\u0007b', ' a', 'a ', 'a\nb', 'a\rb'])('names no key that could be read as another: %j', async (key) => {
  const { endpoint, requests } = await startScript([response('')])
  const asked = openS3(endpoint).deleteObjects?.({ keys: ['a', key], signal })
  await expect(asked).rejects.toMatchObject({ code: STORE_ERROR.notImplemented })
  expect(requests).toEqual([])
})

test('says where there is no such thing, and takes nothing else for a response', async () => {
  const { endpoint } = await startScript([{ status: 501 }, { status: 200, body: '<html></html>' }])
  const store = openS3(endpoint)
  const ask = () => store.deleteObjects?.({ keys: ['a'], signal })
  await expect(ask()).rejects.toMatchObject({ code: STORE_ERROR.notImplemented })
  await expect(ask()).rejects.toMatchObject({ code: STORE_ERROR.badAnswer })
})
