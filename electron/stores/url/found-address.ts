// Where a link leads: to the same file, whoever has it.

import type { HttpResponse } from '../http/exchange.ts'
import { leave } from '../messages/error-responses.ts'
import { unquoteEtag } from '../messages/header-values.ts'
import type { GetObjectRequest } from '../port/object-store.ts'
import { StoreError } from '../port/store-error.ts'
import { followLink, type Followed, type SignedLink } from './follow-link.ts'

/** So often is a link followed in search of the mirror that has the version that was begun. */
const MOST_TURNS = 4
/** An address that has failed for so long is given up (milliseconds). */
const FAILING_MS = 60_000

type Headers = Readonly<Record<string, string>>
type Wanted = Pick<GetObjectRequest, 'ifMatch' | 'ifUnmodifiedSince' | 'signal'>

/**
 * The address that a link led to. Many links lead to one of several mirrors, another one each time, and each of them
 * tells another ETag or time of the same file. So a request for one version goes where that was found, as long as it is
 * there; redirects may be short-lived, and all other requests follow the link anew.
 */
export class FoundAddress {
  readonly #signed: SignedLink
  /** Null: not known, or given up. */
  #url: URL | null = null
  /** When the address began to fail, monotonic (milliseconds); null: it works. */
  #failingSinceMs: number | null = null

  constructor(signed: SignedLink) {
    this.#signed = signed
  }

  /** GETs the link. Throws like `followLink`, and a StoreError for 412. */
  async get(headers: Headers, wanted: Wanted): Promise<HttpResponse> {
    const { ifMatch, ifUnmodifiedSince, signal } = wanted
    const isAny = ifMatch === undefined && ifUnmodifiedSince === undefined
    const kept = isAny ? null : await this.#fromFound(headers, signal)
    if (kept !== null && isOf(kept, wanted)) return kept
    if (kept !== null) await leave(kept)
    for (let turn = 1; ; turn += 1) {
      const { response, url } = await this.#follow(headers, signal)
      const isRight = !(response instanceof StoreError) && (isAny || isOf(response, wanted))
      if (isRight) this.#settle(url)
      if (isRight || url === this.#signed.link || turn === MOST_TURNS) return orThrow(response)
      if (!(response instanceof StoreError)) await leave(response)
    }
  }

  /** GETs it where it was found, if it was. Throws like `followLink`. */
  async look(headers: Headers, signal: AbortSignal): Promise<HttpResponse> {
    return (await this.#fromFound(headers, signal)) ?? orThrow((await this.#follow(headers, signal)).response)
  }

  #follow(headers: Headers, signal: AbortSignal): Promise<Followed> {
    return followLink(this.#signed, this.#signed.link, headers, signal)
  }

  #settle(url: URL): void {
    this.#url = url === this.#signed.link ? null : url
    this.#failingSinceMs = null
  }

  /** Null: nothing was found before, or it is there no more. Throws what may pass by itself. */
  async #fromFound(headers: Headers, signal: AbortSignal): Promise<HttpResponse | null> {
    const url = this.#url
    if (url === null) return null
    try {
      const response = orThrow((await followLink(this.#signed, url, headers, signal)).response)
      this.#failingSinceMs = null
      return response
    } catch (failure) {
      signal.throwIfAborted()
      if (isLasting(failure) || this.#hasFailedLong()) {
        if (this.#url === url) this.#url = null
        return null
      }
      throw failure
    }
  }

  #hasFailedLong(): boolean {
    const nowMs = performance.now()
    this.#failingSinceMs ??= nowMs
    return nowMs - this.#failingSinceMs > FAILING_MS
  }
}

function orThrow(response: HttpResponse | StoreError): HttpResponse {
  if (response instanceof StoreError) throw response
  return response
}

/** Whether the address itself refuses: its time may be over, or its file another one. */
function isLasting(failure: unknown): boolean {
  if (!(failure instanceof StoreError) || failure.httpStatus === null) return false
  const { httpStatus } = failure
  return httpStatus < 500 && httpStatus !== 408 && httpStatus !== 429
}

/** Whether a response that has content has that of the version. */
function isOf({ status, headers }: HttpResponse, { ifMatch, ifUnmodifiedSince }: Wanted): boolean {
  if (status !== 200 && status !== 206) return true
  if (ifMatch !== undefined) return unquoteEtag(headers.get('etag')) === ifMatch
  return headers.get('last-modified') === ifUnmodifiedSince
}
