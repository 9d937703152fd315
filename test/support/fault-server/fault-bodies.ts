import type { OutgoingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { createDeflate, createGzip } from 'node:zlib'
import type { Fault } from './fault-rules.ts'

/** The target's answer on its way back. */
export interface PassingResponse {
  readonly headers: OutgoingHttpHeaders
  readonly body: AsyncIterable<Buffer> | readonly Buffer[]
  /** The connection's end is the body's end. */
  readonly isUntilClose: boolean
}

/** Faults that change an answer as a whole. */
export type ResponseFault = Extract<Fault, { kind: 'shorten' | 'lengthen' | 'encode' | 'multipart' | 'framing' }>

export const RESPONSE_FAULTS: readonly ResponseFault['kind'][] = [
  'shorten',
  'lengthen',
  'encode',
  'multipart',
  'framing',
]

const BOUNDARY = 'THIS_STRING_SEPARATES'

/** The answer as `fault` leaves it; null when it has nothing to change. */
export function changeResponse(fault: ResponseFault, response: PassingResponse): PassingResponse | null {
  const { headers, body } = response
  const length = Number(headers['content-length'] ?? 0)
  switch (fault.kind) {
    case 'shorten':
      if (fault.bytes >= length) return null
      return { ...response, headers: { ...headers, 'content-length': fault.bytes }, body: cutShort(body, fault.bytes) }
    case 'lengthen':
      return {
        ...response,
        headers: { ...headers, 'content-length': length + fault.bytes },
        body: joined(body, Buffer.alloc(fault.bytes, 'x')),
      }
    case 'encode': {
      const encoder = fault.encoding === 'gzip' ? createGzip({ level: 1 }) : createDeflate({ level: 1 })
      const etag = headers.etag === undefined || fault.weakens !== true ? headers.etag : `W/${headers.etag}`
      return {
        ...response,
        headers: {
          ...without(headers, 'content-length'),
          'content-encoding': fault.encoding,
          ...(etag ? { etag } : {}),
        },
        body: Readable.from(body).pipe(encoder),
      }
    }
    case 'multipart': {
      const partHead = `--${BOUNDARY}\r\nContent-Type: application/octet-stream\r\nContent-Range: ${String(headers['content-range'])}\r\n\r\n`
      return {
        ...response,
        headers: {
          ...without(headers, 'content-length', 'content-range'),
          'content-type': `multipart/byteranges; boundary=${BOUNDARY}`,
        },
        body: joined(Buffer.from(`\r\n${partHead}`), body, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)),
      }
    }
    case 'framing':
      return { ...response, headers: without(headers, 'content-length'), isUntilClose: fault.as === 'until-close' }
  }
}

function without(headers: OutgoingHttpHeaders, ...names: readonly string[]): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)))
}

async function* cutShort(source: PassingResponse['body'], bytes: number): AsyncGenerator<Buffer> {
  let left = bytes
  for await (const chunk of source) {
    if (left > 0) yield chunk.subarray(0, left)
    left -= chunk.length
  }
}

async function* joined(...sources: readonly (PassingResponse['body'] | Buffer)[]): AsyncGenerator<Buffer> {
  for (const source of sources) {
    if (Buffer.isBuffer(source)) yield source
    else yield* source
  }
}

/** `bytes` bytes of nothing in particular. */
export function* filler(bytes: number): Generator<Buffer> {
  const block = Buffer.alloc(64 * 1024, 'x')
  for (let left = bytes; left > 0; left -= block.length) yield block.subarray(0, left)
}
