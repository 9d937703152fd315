import type { IncomingHttpHeaders } from 'node:http'

/** What a rule looks at: one request that reached the proxy. */
export interface SeenRequest {
  readonly method: string
  /** Request target as sent, still percent-encoded. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  /** How many requests with this method and target came so far, this one included: 1 is the first try. */
  readonly attempt: number
}

/** All that is given must fit. */
export interface RequestMatch {
  readonly method?: string
  /** Substring of the target before its `?`, or an expression it must match. */
  readonly path?: string | RegExp
  /** Query parameters by decoded value; `true`: present with any value, `false`: absent. */
  readonly query?: Readonly<Record<string, string | number | boolean>>
  /** Which tries of one and the same request: 1 is the first. */
  readonly attempt?: number | readonly number[]
  /** Whether it asks for a range, or a byte of the object that it asks for (a request without a range asks for all). */
  readonly ranged?: boolean
  readonly covers?: number
  readonly test?: (request: SeenRequest) => boolean
}

/**
 * Where in an exchange something happens. `request`: the head arrived, nothing was forwarded. `sent`: the body arrived
 * as well, nothing was forwarded; only a cut makes sense there. `response`: the target began to answer, nothing was
 * sent back. `head`: the first few bytes of the answer's head were sent; nothing but a cut or a stall for good makes
 * sense there. `headers`: the head of the answer was sent. `end`: all bytes were sent, the message is not ended. Byte
 * counts are of bodies.
 */
export type FaultPoint =
  | 'request'
  | 'sent'
  | 'response'
  | 'head'
  | 'headers'
  | 'end'
  | { readonly requestBytes: number }
  | { readonly responseBytes: number }

export type Fault =
  /** TCP reset. */
  | { readonly kind: 'reset'; readonly at: FaultPoint }
  /** Orderly close; inside a body this truncates it. */
  | { readonly kind: 'close'; readonly at: FaultPoint }
  /** Nothing moves until the promise resolves or, without one, until the client gives up. */
  | { readonly kind: 'stall'; readonly at: FaultPoint; readonly until?: Promise<unknown> }
  | { readonly kind: 'delay'; readonly at: FaultPoint; readonly delayMs: number }
  /** Answers in the target's place; `afterTarget`: the target has processed the request, its answer is lost. */
  | {
      readonly kind: 'response'
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: string
      /** After `body`, this much filler. */
      readonly fillerBytes?: number
      readonly afterTarget?: boolean
    }
  /** The target processes the request and answers; the client sees a reset instead. */
  | { readonly kind: 'drop-response' }
  /** Buffers on the way take all of the request and carry it to the target later, whoever has left; its answer is lost. */
  | { readonly kind: 'arrive-late'; readonly at: Promise<unknown> }
  /** Replaces headers of the answer; null removes one. A Content-Length that no longer fits is sent as it is. */
  | { readonly kind: 'headers'; readonly set: Readonly<Record<string, string | null>> }
  | { readonly kind: 'ignore-range' }
  /** The target is asked for another range than the client asked for, and its answer says so. */
  | { readonly kind: 'shift-range'; readonly startBy?: number; readonly endBy?: number }
  /**
   * A proxy that encodes what it passes on; the length goes, and the ETag becomes weak where the proxy is a good one.
   */
  | { readonly kind: 'encode'; readonly encoding: 'gzip' | 'deflate'; readonly weakens?: boolean }
  /** The one range in multipart/byteranges. */
  | { readonly kind: 'multipart' }
  /** Without Content-Length. */
  | { readonly kind: 'framing'; readonly as: 'chunked' | 'until-close' }
  /** The body ends early and Content-Length agrees with it. */
  | { readonly kind: 'shorten'; readonly bytes: number }
  /** The body goes on after its end and Content-Length agrees with it. */
  | { readonly kind: 'lengthen'; readonly bytes: number }
  /** Flips one bit of the byte at this offset of the answer's body, or the request's. */
  | { readonly kind: 'corrupt'; readonly responseByte: number }
  | { readonly kind: 'corrupt'; readonly requestByte: number }
  /** From the byte `fromByte` of the body on. */
  | { readonly kind: 'limit'; readonly bytesPerSecond: number; readonly fromByte?: number }

export interface FaultRule {
  readonly when?: RequestMatch
  /** How often the rule applies at most. Left out: always. */
  readonly times?: number
  /** What happens in the world just before a cut, a stall or an answer of the rule's own does. */
  readonly first?: () => unknown
  readonly fault: Fault
}

/** Whether a request fits. */
export function matches(when: RequestMatch, request: SeenRequest): boolean {
  const [path = '', search = ''] = splitTarget(request.url)
  if (when.method !== undefined && when.method !== request.method) return false
  if (typeof when.path === 'string' && !path.includes(when.path)) return false
  if (when.path instanceof RegExp && !when.path.test(path)) return false
  if (when.attempt !== undefined && ![when.attempt].flat().includes(request.attempt)) return false
  const range = rangeOf(request)
  if (when.ranged !== undefined && when.ranged !== (range !== null)) return false
  if (when.covers !== undefined && range !== null && (when.covers < range.first || when.covers > range.last))
    return false
  const query = new URLSearchParams(search)
  for (const [name, value] of Object.entries(when.query ?? {})) {
    if (typeof value === 'boolean' ? query.has(name) !== value : query.get(name) !== String(value)) return false
  }
  return when.test?.(request) ?? true
}

function splitTarget(url: string): [string, string] {
  const mark = url.indexOf('?')
  return mark === -1 ? [url, ''] : [url.slice(0, mark), url.slice(mark + 1)]
}

/** The range that a request asks for, both ends included; null without one. */
export function rangeOf({ headers }: Pick<SeenRequest, 'headers'>): { first: number; last: number } | null {
  const match = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '')
  if (match === null) return null
  return { first: Number(match[1]), last: match[2] === '' ? Infinity : Number(match[2]) }
}
