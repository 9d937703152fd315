import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startRaw, startScript, type ScriptedResponse } from '../support/servers/scripted-server.ts'
import { contentOf, openStore, signal } from './support/open-store.ts'

const TEN = '0123456789'
const get = async (response: ScriptedResponse, range = { start: 0, end: 10 }) => {
  const { endpoint } = await startScript([response])
  return openStore(endpoint).getObject({ key: 'k', range, signal })
}

/** A server that sends these bytes for every request and then, unless told otherwise, closes. */
const startBytes = (text: string, close = true) =>
  startRaw((socket) => socket.once('data', () => (close ? socket.end(text) : socket.write(text))))

test('gives what the response says', async () => {
  const headers = {
    'content-range': 'bytes 5-14/100',
    'content-type': 'text/x',
    'content-encoding': 'gzip',
    etag: '"abc-2"',
    'last-modified': 'Sun, 06 Nov 1994 08:49:37 GMT',
    date: 'Thu, 01 Jan 1970 00:00:05 GMT',
    'x-storage-request-id': 'r1',
  }
  const { endpoint, requests } = await startScript([{ status: 206, headers, body: TEN }])
  const result = await openStore(endpoint).getObject({ key: 'k', range: { start: 5, end: 15 }, signal })
  expect(await contentOf(result)).toEqual({
    kind: 'content',
    status: 206,
    contentRange: { start: 5, end: 15, totalBytes: 100 },
    contentLength: 10,
    head: {
      sizeBytes: 100,
      etag: 'abc-2',
      lastModified: 'Sun, 06 Nov 1994 08:49:37 GMT',
      contentType: 'text/x',
      contentEncoding: 'gzip',
      serverTimeMs: 5000,
      requestId: 'r1',
    },
    body: Buffer.from(TEN),
  })
  expect(requests[0]?.headers).toMatchObject({ range: 'bytes=5-14' })
})

test('copes with a response that says almost nothing', async () => {
  const { endpoint } = await startBytes(`HTTP/1.1 200 OK\r\n\r\n${TEN}`)
  expect(await contentOf(await openStore(endpoint).getObject({ key: 'k', signal }))).toEqual({
    kind: 'content',
    status: 200,
    contentRange: null,
    endsWithConnection: true,
    contentLength: null,
    head: {
      sizeBytes: null,
      etag: null,
      lastModified: null,
      contentType: null,
      contentEncoding: null,
      serverTimeMs: null,
      requestId: null,
    },
    body: Buffer.from(TEN),
  })
})

test('passes a 200 to a ranged request on as such', async () => {
  expect(await get({ status: 200, body: TEN, headers: { 'content-range': 'bytes 0-9/10' } })).toMatchObject({
    status: 200,
    contentRange: null,
  })
})

test.each([
  undefined,
  'bytes 0-9',
  'bytes 9-0/10',
  'bytes 0-10/10',
  'items 0-9/10',
  'bytes=0-9/10',
  'bytes 0-9/10, bytes 0-9/10',
  'bytes */10',
  'bytes 0-99999999999999999999/*',
])('refuses a 206 with Content-Range %s', async (value) => {
  const headers = value === undefined ? {} : { 'content-range': value }
  await expect(get({ status: 206, body: TEN, headers })).rejects.toMatchObject({ code: 'BadAnswer', httpStatus: 206 })
})

test('refuses multipart/byteranges', async () => {
  const headers = { 'content-range': 'bytes 0-9/10', 'content-type': 'multipart/byteranges; boundary=x' }
  await expect(get({ status: 206, body: TEN, headers })).rejects.toMatchObject({ code: 'BadAnswer' })
})

test('takes an unknown total', async () => {
  expect(await get({ status: 206, body: TEN, headers: { 'content-range': 'bytes 0-9/*' } })).toMatchObject({
    contentRange: { start: 0, end: 10, totalBytes: null },
    head: { sizeBytes: null },
  })
})

test.each([
  ['bytes */7', 7],
  [undefined, null],
])('tells a range that cannot be satisfied, Content-Range %s', async (value, totalBytes) => {
  const headers = { 'x-storage-request-id': 'r', ...(value === undefined ? {} : { 'content-range': value }) }
  expect(await get({ status: 416, headers, body: 'x' })).toEqual({
    kind: 'range-not-satisfiable',
    totalBytes,
    requestId: 'r',
  })
})

test('tells not-modified', async () => {
  const { endpoint, requests } = await startScript([{ status: 304 }])
  const result = await openStore(endpoint).getObject({ key: 'k', ifModifiedSince: 'some date', ifMatch: 'e', signal })
  expect(result).toEqual({ kind: 'not-modified', requestId: null })
  expect(requests[0]?.headers).toMatchObject({ 'if-modified-since': 'some date' })
  expect(requests[0]?.headers).not.toHaveProperty('if-match')
})

test.each([204, 202])('refuses status %i', async (status) => {
  await expect(get({ status })).rejects.toMatchObject({ code: 'BadAnswer', httpStatus: status })
})

/** Reads as far as it goes: the bytes and the error. */
async function readBroken(endpoint: string) {
  const result = await openStore(endpoint).getObject({ key: 'k', signal })
  let text = ''
  const reading = (async () => {
    for await (const bytes of result.kind === 'content' ? result.body : []) text += Buffer.from(bytes).toString()
  })()
  await expect(reading).rejects.toMatchObject({ code: 'NetworkError', maybeProcessed: true })
  return text
}

test.each([
  ['a body shorter than Content-Length', `HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n${TEN}`],
  ['a chunked body without its end', `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\na\r\n${TEN}\r\n`],
  [
    'a body shorter than its range',
    `HTTP/1.1 206 OK\r\nContent-Range: bytes 0-19/20\r\nContent-Length: 10\r\n\r\n${TEN}`,
  ],
  [
    'a body longer than its range',
    `HTTP/1.1 206 OK\r\nContent-Range: bytes 0-9/20\r\nContent-Length: 13\r\n\r\n${TEN}xxx`,
  ],
  ['an endless body of a range', `HTTP/1.1 206 OK\r\nContent-Range: bytes 0-9/20\r\n\r\n${TEN}xxx`],
])('gives the right bytes of %s and then fails', async (_what, text) => {
  const { endpoint } = await startBytes(text)
  expect(await readBroken(endpoint)).toBe(TEN)
})

test('never takes bytes after the end of a response for the next one', async () => {
  let count = 0
  const { endpoint } = await startRaw((socket) =>
    socket.on('data', () => {
      count += 1
      socket.write(
        `HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n${count}.HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil`,
      )
    }),
  )
  const store = openStore(endpoint)
  const read = async () => (await contentOf(await store.getObject({ key: 'k', signal }))).body.toString()
  expect([await read(), await read(), await read()]).toEqual(['1.', '2.', '3.'])
})

test('stops reading the connection while nobody takes the bytes', async () => {
  let written = 0
  const total = 64 * 1024 * 1024
  const { endpoint } = await startRaw((socket) =>
    socket.once('data', () => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${total}\r\n\r\n`)
      const more = () => {
        while (written < total) {
          written += 65536
          if (!socket.write(Buffer.alloc(65536))) return void socket.once('drain', more)
        }
      }
      more()
    }),
  )
  const result = await openStore(endpoint).getObject({ key: 'k', signal })
  // Turns enough for the whole body to arrive, were anyone reading it.
  for (let turn = 0; turn < 3000; turn += 1) await setImmediate()
  expect(written).toBeLessThan(total)
  expect((await contentOf(result)).body.length).toBe(total)
})
