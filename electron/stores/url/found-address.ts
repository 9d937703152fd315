// Finds the address that a link leads to, and stays with it.

import type { HttpResponse } from '../http/exchange.ts'
import { leave } from '../messages/error-responses.ts'
import { unquoteEtag } from '../messages/header-values.ts'
import type { GetObjectRequest } from '../port/object-store.ts'
import { StoreError } from '../port/store-error.ts'
import { followLink, type Followed, type SignedLink } from './follow-link.ts'

/** A link is followed at most this often to find the mirror that has the wanted version. */
const MOST_TURNS = 4
/** An address that has failed for this long is given up (milliseconds). */
const FAILING_MS = 60_000

type Headers = Readonly<Record<string, string>>
type Wanted = Pick<GetObjectRequest, 'ifMatch' | 'ifUnmodifiedSince' | 'signal'>

/**
 * The address that a link led to. Many links lead to a different mirror each time, and each mirror gives the same file an
 * ETag and a time of its own. So a request for one version goes to the address where that version was found, for as long
 * as it is there. All other requests follow the link again, because redirects may be short-lived.
 */
export class FoundAddress {
  readonly #signed: SignedLink
  /** Null when not known, or given up. */
  #url: URL | null = null
  /** When the address began to fail, monotonic (milliseconds); null while it works. */
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

  /** GETs the address that was found, or else the link. Throws like `followLink`. */
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

  /** Returns null if nothing was found before, or if it is no longer there. Throws failures that may pass. */
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

/** Whether the address itself refuses: it may have expired, or it may hold another file by now. */
function isLasting(failure: unknown): boolean {
  if (!(failure instanceof StoreError) || failure.httpStatus === null) return false
  const { httpStatus } = failure
  return httpStatus < 500 && httpStatus !== 408 && httpStatus !== 429
}

/** Whether a response with content is of the wanted version. */
function isOf({ status, headers }: HttpResponse, { ifMatch, ifUnmodifiedSince }: Wanted): boolean {
  if (status !== 200 && status !== 206) return true
  if (ifMatch !== undefined) return unquoteEtag(headers.get('etag')) === ifMatch
  return headers.get('last-modified') === ifUnmodifiedSince
}
