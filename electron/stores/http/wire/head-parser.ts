// A strict parser of response heads: anything ambiguous is an error, so no two readers can disagree.

import type { HttpRequest } from './http-types.ts'
import { ProtocolError } from './network-error.ts'

/** The head of a response. */
export interface ResponseHead {
  readonly status: number
  /** Connections that speak HTTP/1.0 are not kept. */
  readonly minorVersion: 0 | 1
  /** By lower-case name; values of repeated headers are joined by `, `, except for a Content-Length that only repeats. */
  readonly headers: ReadonlyMap<string, string>
}

/** How a response's body ends: after this many bytes, with its last chunk, or (Infinity) with the connection. */
export type BodyFraming = 'chunked' | number

const STATUS_LINE = /^HTTP\/1\.([01]) ([1-5]\d\d)(?: [\t\x20-\x7e\x80-\xff]*)?$/
const FIELD_NAME = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/
const NOT_IN_A_VALUE = /[^\t\x20-\x7e\x80-\xff]/

/**
 * Parses the head of a response, without its empty line, decoded as Latin-1 (RFC 9112, 4 and 5). Throws a ProtocolError
 * for anything a lenient reader would repair: folded lines, bare CR or LF, control characters, blanks before a colon.
 */
export function parseHead(text: string): ResponseHead {
  const lines = text.split('\r\n')
  const status = STATUS_LINE.exec(lines[0] ?? '')
  if (status === null) throw new ProtocolError('The status line is malformed')
  const headers = new Map<string, string>()
  for (let index = 1; index < lines.length; index += 1) {
    const line = lines[index] ?? ''
    const name = fieldName(line)
    const value = trimBlanks(line, name.length + 1)
    const before = headers.get(name)
    headers.set(name, before === undefined ? value : `${before}, ${value}`)
  }
  const length = headers.get('content-length')
  if (length !== undefined) headers.set('content-length', repeatedLength(length) ?? length)
  return { status: Number(status[2]), minorVersion: status[1] === '0' ? 0 : 1, headers }
}

/** The length that a list repeats: it may be taken for that one length (RFC 9110, 8.6). Null for anything else. */
function repeatedLength(value: string): string | null {
  const [first = '', ...others] = value.split(/[\t ]*,[\t ]*/)
  return /^\d+$/.test(first) && others.every((other) => other === first) ? first : null
}

/** Returns the lower-case name of a field line. Throws a ProtocolError when the line is not a field line. */
export function fieldName(line: string): string {
  const name = line.slice(0, Math.max(0, line.indexOf(':')))
  if (!FIELD_NAME.test(name)) throw new ProtocolError('A header has an invalid name')
  if (NOT_IN_A_VALUE.test(line)) throw new ProtocolError('A header contains a control character')
  return name.toLowerCase()
}

/** Trims SP and HTAB only (RFC 9110, 5.6.3); `trim` would also remove Latin-1 blanks. */
function trimBlanks(line: string, from: number): string {
  let [start, end] = [from, line.length]
  while (start < end && isBlank(line.charCodeAt(start))) start += 1
  while (end > start && isBlank(line.charCodeAt(end - 1))) end -= 1
  return line.slice(start, end)
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09
}

/**
 * Returns how this response's body is delimited (RFC 9112, 6.3). Throws a ProtocolError when readers could disagree.
 */
export function bodyFraming(head: ResponseHead, method: HttpRequest['method']): BodyFraming {
  const coding = head.headers.get('transfer-encoding')
  const length = head.headers.get('content-length')
  if (coding !== undefined && (length !== undefined || head.minorVersion === 0 || !/^chunked$/i.test(coding))) {
    throw new ProtocolError('The Transfer-Encoding header is invalid')
  }
  const lengthBytes = length === undefined ? Infinity : Number(length)
  if (length !== undefined && !(/^\d+$/.test(length) && Number.isSafeInteger(lengthBytes))) {
    throw new ProtocolError('The Content-Length header is invalid')
  }
  if (method === 'HEAD' || head.status === 204 || head.status === 304) return 0
  return coding === undefined ? lengthBytes : 'chunked'
}

/** How long the connection may be kept after this response, at most `defaultMs`; 0 when it may not be kept. */
export function keepAliveMs({ minorVersion, headers }: ResponseHead, defaultMs: number): number {
  if (minorVersion === 0 || /(?:^|,)[\t ]*close[\t ]*(?:,|$)/i.test(headers.get('connection') ?? '')) return 0
  const timeout = /(?:^|[,;\t ])timeout=(\d{1,9})/i.exec(headers.get('keep-alive') ?? '')
  // One second less than the server grants, so it does not hang up on a request under way.
  return timeout === null ? defaultMs : Math.max(0, Math.min(defaultMs, Number(timeout[1]) * 1000 - 1000))
}
