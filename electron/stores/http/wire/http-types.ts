// A request and its response, as the dialects see them. No sockets.

import type { RequestBody } from '../../port/object-store.ts'

export interface HttpRequest {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** Request target, percent-encoded, sent byte for byte. */
  readonly target: string
  /** By name; Host and Content-Length are added. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array | RequestBody | undefined
  /** Called with the number of bytes of a streamed body that were taken off our hands since the last call. */
  readonly onSent?: ((bytes: number) => void) | undefined
  /** Longest silence before the head of the response, after the body's last byte left; default 30 s. */
  readonly headersTimeoutMs?: number | undefined
  /** Longest silence within the response's body; default 15 s. Time in which it is not read does not count. */
  readonly idleTimeoutMs?: number | undefined
}

export interface HttpResponse {
  readonly status: number
  /** By lower-case name; repeated ones joined by `, `. */
  readonly headers: ReadonlyMap<string, string>
  /** To be read to its end or left, once. A block is valid only until the next one is asked for. */
  readonly body: AsyncIterableIterator<Uint8Array>
}
