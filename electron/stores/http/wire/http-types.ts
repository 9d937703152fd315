// A request and its response as the dialects see them, without sockets.

import type { RequestBody } from '../../port/object-store.ts'

export interface HttpRequest {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** The request target, percent-encoded and sent byte for byte. */
  readonly target: string
  /** By name; Host and Content-Length are added. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array | RequestBody | undefined
  /** Called with how many bytes of a streamed body the system has accepted since the last call. */
  readonly onSent?: ((bytes: number) => void) | undefined
  /** Longest silence while the response's head is awaited; default 30 s, or 15 min with a streamed body. */
  readonly headersTimeoutMs?: number | undefined
  /** Longest silence within the response's body; default 15 s. Time during which nobody reads does not count. */
  readonly idleTimeoutMs?: number | undefined
}

export interface HttpResponse {
  readonly status: number
  /** By lower-case name; values of repeated headers are joined by `, `. */
  readonly headers: ReadonlyMap<string, string>
  /** Can be read once, to its end or until the reader leaves. A block is valid only until the next one is requested. */
  readonly body: AsyncIterableIterator<Uint8Array>
}
