import * as http from 'node:http'
import { Duplex } from 'node:stream'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { HttpRequest } from '../../../../electron/stores/http/exchange.ts'
import { readResponse } from './read-response.ts'

interface Understood {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What Node's own client, whose parser is llhttp, makes of these bytes; null when it refuses them. */
function understoodByNode(text: string, method: HttpRequest['method']): Promise<Understood | null> {
  return new Promise((resolve) => {
    const connection = new Duplex({ read: () => undefined, write: (_bytes, _encoding, done) => done() })
    const request = http.request({ method, createConnection: () => connection, maxHeaderSize: 128 * 1024 })
    request.on('error', () => resolve(null))
    request.on('response', (response) => {
      const pieces: Buffer[] = []
      response.on('data', (bytes: Buffer) => pieces.push(bytes))
      response.on('error', () => resolve(null))
      response.on('end', () => {
        const body = Buffer.concat(pieces).toString('latin1')
        const status = response.statusCode ?? 0
        resolve(response.complete ? { status, headers: joined(response.rawHeaders), body } : null)
      })
    })
    request.on('finish', () => {
      connection.push(Buffer.from(text, 'latin1'))
      connection.push(null)
    })
    request.end()
  })
}

function joined(rawHeaders: readonly string[]): Record<string, string> {
  const headers = new Map<string, string>()
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name, value] = [(rawHeaders[index] ?? '').toLowerCase(), rawHeaders[index + 1] ?? '']
    const before = headers.get(name)
    headers.set(name, before === undefined ? value : `${before}, ${value}`)
  }
  return Object.fromEntries(headers)
}

const STATUS_LINES = [
  'HTTP/1.1 200 OK',
  'HTTP/1.1 206',
  'HTTP/1.0 200 OK',
  'HTTP/1.1 204 X',
  'HTTP/1.1 304 X',
  'HTTP/1.1 599 ü',
]
const FIELDS = [
  ...['Content-Length: 5', 'content-length: 0', 'Content-Length: 05', 'Content-Length:5', 'Content-Length: 5 '],
  ...['Content-Length: 5, 5', 'Content-Length: ', 'Transfer-Encoding: chunked', 'Transfer-Encoding: CHUNKED'],
  ...[
    'Transfer-Encoding: identity',
    'Transfer-Encoding: chunked, chunked',
    'Connection: close',
    'Connection: keep-alive',
  ],
  ...[
    'Connection: upgrade',
    'Upgrade: h2c',
    'Trailer: x',
    'ETag: "ü"',
    'X: a\tb',
    'X:',
    'Keep-Alive: timeout=1',
    'x!#$%&: y',
  ],
]
const BODIES = [
  '',
  'hello',
  '5\r\nhello\r\n0\r\n\r\n',
  '2;x="y z"\r\nhe\r\n3;q\r\nllo\r\n0\r\nX: y\r\n\r\n',
  '05\r\nhello\r\n00\r\n\r\n',
]
const SPLINTERS = [
  '\r',
  '\n',
  '\r\n',
  ' ',
  '\t',
  '\0',
  ':',
  ';',
  ',',
  '"',
  '0',
  '5',
  'a',
  '\x7f',
  '\x80',
  '\xa0',
  '\v',
  '\\',
  '=',
]

const PROPER = fc
  .tuple(
    fc.constantFrom('', '', '', 'HTTP/1.1 100 Continue\r\n\r\n', 'HTTP/1.1 103 X\r\nLink: a\r\n\r\n'),
    fc.constantFrom(...STATUS_LINES),
    fc.array(fc.constantFrom(...FIELDS), { maxLength: 3 }),
    fc.constantFrom(...BODIES),
  )
  .map(([interim, status, fields, body]) => `${interim}${[status, ...fields].join('\r\n')}\r\n\r\n${body}`)

/** Mostly proper answers with some characters put in, taken out or replaced. */
const RESPONSES = fc
  .tuple(
    PROPER,
    fc.array(fc.tuple(fc.nat(200), fc.constantFrom(0, 1), fc.constantFrom('', ...SPLINTERS)), { maxLength: 3 }),
  )
  .map(([text, changes]) =>
    changes.reduce((now, [at, removed, put]) => {
      const from = at % (now.length + 1)
      return now.slice(0, from) + put + now.slice(from + removed)
    }, text),
  )

/**
 * What RFCs allow and llhttp doesn't: a tab around these two values (RFC 9110, 5.6.3), a length that is repeated
 * (RFC 9110, 8.6), blanks around the signs of a chunk extension (RFC 9112, 7.1.1).
 */
const LLHTTP_IS_STRICTER = new RegExp(
  [
    '(content-length|transfer-encoding):[^\\r]*\\t',
    'content-length:[^\\r]*,',
    'content-length:[^]*\\r\\ncontent-length:',
    '\\r\\n[\\da-f]+[^\\r]*(?:[\\t ][;=]|[;=][\\t ])',
  ].join('|'),
  'i',
)

test('accepts nothing that llhttp reads otherwise or refuses', async () => {
  let acceptedCount = 0
  const property = fc.asyncProperty(RESPONSES, fc.constantFrom('GET', 'HEAD'), async (text, method) => {
    const ours = await readResponse(text, { method }).catch(() => null)
    if (ours === null || ours.isExcessive || LLHTTP_IS_STRICTER.test(text)) return
    acceptedCount += 1
    const { status, headers, body } = ours
    expect(await understoodByNode(text, method)).toEqual({ status, headers, body })
  })
  await fc.assert(property, { numRuns: 3000 })
  expect(acceptedCount).toBeGreaterThan(200)
})

test('reads the same wherever the bytes are cut', async () => {
  const property = fc.asyncProperty(RESPONSES, fc.array(fc.nat(200), { maxLength: 6 }), async (text, cuts) => {
    const read = (at: readonly number[]) => readResponse(text, { cuts: at }).catch(() => null)
    expect(await read(cuts)).toEqual(await read([]))
  })
  await fc.assert(property, { numRuns: 2000 })
})
