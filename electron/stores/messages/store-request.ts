import type { HttpRequest, HttpResponse } from '../http/exchange.ts'
import type { Query } from './address.ts'

/** One request to a bucket or one of its keys, before a dialect signs it. */
export interface StoreRequest extends Pick<
  HttpRequest,
  'method' | 'body' | 'onSent' | 'headersTimeoutMs' | 'idleTimeoutMs'
> {
  /** Name of the operation, for messages. */
  readonly operation: string
  /** Null when the request is about the bucket, or about the service where there is no bucket. */
  readonly key: string | null
  readonly query?: Query
  /** By lower-case name; undefined ones are not sent. */
  readonly headers?: Readonly<Record<string, string | undefined>>
  /** Statuses that are not errors. */
  readonly accepts: readonly number[]
  readonly signal: AbortSignal
}

/** Signs and sends requests in a dialect, and turns error responses into StoreErrors. */
export interface Transport {
  send(request: StoreRequest): Promise<HttpResponse>
  close(): Promise<void>
  dropConnections(): void
}

/** Drops undefined headers. */
export function presentHeaders(headers: StoreRequest['headers'] = {}): Record<string, string> {
  const found: Record<string, string> = {}
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined) found[name] = value
  }
  return found
}
