import { expect, test } from 'vitest'
import { readResponse } from './read-response.ts'

const ok = (fields: string, body = '') => `HTTP/1.1 200 OK\r\n${fields}\r\n${body}`

test('reads status, fields and body', async () => {
  const text = ok('ETag:"x"\r\nX-A: \t b c\t \r\nx-a:d\r\nX-Empty:\r\nContent-Length: 3\r\n', 'abc')
  expect(await readResponse(text)).toEqual({
    status: 200,
    headers: { etag: '"x"', 'x-a': 'b c, d', 'x-empty': '', 'content-length': '3' },
    body: 'abc',
    isExcessive: false,
  })
})

test.each([
  ['Content-Length', ok('Content-Length: 5\r\n', 'hello')],
  ['chunks', ok('Transfer-Encoding: Chunked\r\n', '3;a;b="c d"\r\nhel\r\n002\r\nlo\r\n0\r\nX-T: 1\r\n\r\n')],
  // As some gateways send them.
  ['chunks with blanks', ok('Transfer-Encoding: chunked\r\n', '3 ;a\r\nhel\r\n2\t; b = "c" ;d\r\nlo\r\n0 ;e\r\n\r\n')],
  ['a length twice', ok('Content-Length: 5\r\nContent-Length: 5\r\n', 'hello')],
  ['a list of one length', ok('Content-Length: 5, 5 ,5\r\n', 'hello')],
  ['the end of the connection', ok('', 'hello')],
  ['interim answers before it', `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\nLink: x\r\n\r\n${ok('', 'hello')}`],
  ['no reason phrase', 'HTTP/1.1 200\r\ncontent-length: 5\r\n\r\nhello'],
  ['HTTP/1.0', 'HTTP/1.0 200 OK\r\n\r\nhello'],
])('reads a body with %s the same, wherever its bytes are cut', async (_what, text) => {
  const whole = await readResponse(text)
  expect(whole).toMatchObject({ status: 200, body: 'hello' })
  for (let cut = 1; cut < text.length; cut += 1) expect(await readResponse(text, { cuts: [cut] })).toEqual(whole)
  expect(await readResponse(text, { cuts: Array.from(text, (_byte, index) => index) })).toEqual(whole)
})

const MIB = 1024 * 1024
const LONG = Array.from({ length: 3 * MIB }, (_byte, index) =>
  String.fromCharCode(97 + ((index * 7 + (index >> 9)) % 26)),
).join('')
const inChunks = (text: string, size: number) =>
  (text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [])
    .map((each) => `${each.length.toString(16)}\r\n${each}\r\n`)
    .join('') + '0\r\n\r\n'

test.each([
  ['Content-Length', ok(`Content-Length: ${LONG.length}\r\n`, LONG)],
  ['whole blocks', ok(`Content-Length: ${MIB}\r\n`, LONG.slice(0, MIB))],
  ['the end of the connection', ok('', LONG)],
  ['small chunks', ok('Transfer-Encoding: chunked\r\n', inChunks(LONG, 100))],
  ['large chunks', ok('Transfer-Encoding: chunked\r\n', inChunks(LONG, 700_000))],
])('reads a long body with %s through its two blocks', async (what, text) => {
  const body = what === 'whole blocks' ? LONG.slice(0, MIB) : LONG
  for (const readerIsSlow of [false, true]) {
    const response = await readResponse(text, { cuts: [40, 70_000, 524_300, 524_400, 2_000_000], readerIsSlow })
    expect(response.body === body).toBe(true)
  }
})

test.each([
  ['HEAD', 200, 'Content-Length: 5\r\n'],
  ['GET', 204, ''],
  ['GET', 304, 'Content-Length: 5\r\n'],
  ['HEAD', 200, 'Transfer-Encoding: chunked\r\n'],
] as const)('expects no body after %s with %i', async (method, status, fields) => {
  const response = await readResponse(`HTTP/1.1 ${status} X\r\n${fields}\r\n`, { method })
  expect(response).toMatchObject({ status, body: '', isExcessive: false })
})

test('passes a repeated length on as the one length that it is', async () => {
  const response = await readResponse(ok('Content-Length: 5, 5\r\n', 'hello'))
  expect(response.headers).toEqual({ 'content-length': '5' })
})

test.each([2, 512 * 1024, MIB])('notices bytes after a body of %i', async (sizeBytes) => {
  const body = LONG.slice(0, sizeBytes)
  const response = await readResponse(ok(`Content-Length: ${sizeBytes}\r\n`, `${body}HTTP/1.1 200 OK`))
  expect([response.body === body, response.isExcessive]).toEqual([true, true])
})

test.each([
  ['not HTTP', 'SSH-2.0-x\r\n\r\n'],
  ['HTTP/2', 'HTTP/2.0 200 OK\r\n\r\n'],
  ['an empty line first', '\r\nHTTP/1.1 200 OK\r\n\r\n'],
  ['a short status', 'HTTP/1.1 20 OK\r\n\r\n'],
  ['a status that is none', 'HTTP/1.1 999 OK\r\n\r\n'],
  ['an interim answer in HTTP/1.0', 'HTTP/1.0 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\n'],
  ['an unasked upgrade', 'HTTP/1.1 101 Switching\r\n\r\n'],
  ['a bare LF', 'HTTP/1.1 200 OK\r\nA: b\nC: d\r\n\r\n'],
  ['a bare CR', ok('A: b\rC: d\r\n')],
  ['a folded line', ok('A: b\r\n c\r\n')],
  ['a blank before the colon', ok('A : b\r\n')],
  ['a NUL', ok('A: \0\r\n')],
  ['a field without a colon', ok('A\r\n')],
  ['a field without a name', ok(': a\r\n')],
  ['two lengths that differ', ok('Content-Length: 1\r\nContent-Length: 2\r\n', 'a')],
  ['a list of lengths that differ', ok('Content-Length: 1, 2\r\n', 'a')],
  ['a list of lengths that are written differently', ok('Content-Length: 1, 01\r\n', 'a')],
  ['a list with nothing in it', ok('Content-Length: 1,\r\n', 'a')],
  ['a list of words', ok('Content-Length: a, a\r\n', 'a')],
  ['a repeated length and chunks', ok('Content-Length: 1, 1\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n')],
  ['a signed length', ok('Content-Length: +1\r\n', 'a')],
  ['an unsafe length', ok('Content-Length: 9007199254740993\r\n', 'a')],
  ['a length and chunks', ok('Content-Length: 1\r\nTransfer-Encoding: chunked\r\n', '1\r\na\r\n0\r\n\r\n')],
  ['an unknown coding', ok('Transfer-Encoding: gzip, chunked\r\n', '0\r\n\r\n')],
  ['chunks in HTTP/1.0', 'HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
  ['a head without end', ok(`A: ${'b'.repeat(70_000)}\r\n`)],
  ['interim answers without end', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(4000)],
  ['a chunk size that is none', ok('Transfer-Encoding: chunked\r\n', 'x\r\n')],
  ['a blank after a chunk size', ok('Transfer-Encoding: chunked\r\n', '1 \r\na\r\n0\r\n\r\n')],
  ['a blank before a chunk size', ok('Transfer-Encoding: chunked\r\n', ' 1\r\na\r\n0\r\n\r\n')],
  ['a blank after a chunk extension', ok('Transfer-Encoding: chunked\r\n', '1;a \r\na\r\n0\r\n\r\n')],
  ['a chunk extension without a name', ok('Transfer-Encoding: chunked\r\n', '1 ; \r\na\r\n0\r\n\r\n')],
  ['a chunk longer than its size', ok('Transfer-Encoding: chunked\r\n', '1\r\nab\r\n0\r\n\r\n')],
  ['a chunk line with a bare LF', ok('Transfer-Encoding: chunked\r\n', '1\na\r\n0\r\n\r\n')],
  ['a chunk extension without end', ok('Transfer-Encoding: chunked\r\n', `1;${'a'.repeat(9000)}\r\na\r\n0\r\n\r\n`)],
  ['a trailer that is none', ok('Transfer-Encoding: chunked\r\n', '0\r\nfoo bar\r\n\r\n')],
  ['a trailer without end', ok('Transfer-Encoding: chunked\r\n', `0\r\n${'a: b\r\n'.repeat(20_000)}\r\n`)],
])('refuses %s', async (_what, text) => {
  await expect(readResponse(text)).rejects.toMatchObject({ code: 'NOT_HTTP' })
})

test.each([
  ['no answer', ''],
  ['half a head', 'HTTP/1.1 200 OK\r\nA: b\r\n'],
  ['a body cut short', ok('Content-Length: 5\r\n', 'abc')],
  ['chunks without the last', ok('Transfer-Encoding: chunked\r\n', '1\r\na\r\n')],
  ['a trailer cut short', ok('Transfer-Encoding: chunked\r\n', '1\r\na\r\n0\r\n')],
])('knows %s for an early end', async (_what, text) => {
  await expect(readResponse(text)).rejects.toMatchObject({ code: 'ENDED_EARLY' })
})
