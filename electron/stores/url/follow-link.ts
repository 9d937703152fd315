import type { ConnectionPool } from '../http/connection-pool.ts'
import { CONTENT_STATUSES } from '../messages/content.ts'
import { exchange, type HttpResponse } from '../http/exchange.ts'
import { badResponse, errorOfResponse, leave, redirectError } from '../messages/error-responses.ts'
import { STORE_ERROR, StoreError } from '../port/store-error.ts'

const MAX_REDIRECTS = 5
/** Statuses of success without content (RFC 9110, 15.3.5 and 15.3.6). */
const NO_CONTENT_STATUSES: ReadonlySet<number> = new Set([204, 205])
/** If-Match or If-Unmodified-Since did not fit (RFC 9110, 13.1.1 and 13.1.4). */
const OTHER_VERSION = 412
const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
/** Codes for statuses whose body names no code. */
const CODES_BY_STATUS: Readonly<Record<number, string>> = { 404: 'NoSuchKey', 412: 'PreconditionFailed' }

/** A link and the sign-in for its origin. */
export interface SignedLink {
  readonly poolOf: (origin: string) => ConnectionPool
  readonly link: URL
  readonly authorization: string | null
}

/** The response to a link, and the address it came from after all redirects. */
export interface Followed {
  readonly url: URL
  /** A StoreError when the file there is not the version that was asked for. */
  readonly response: HttpResponse | StoreError
}

/**
 * GETs a link, or an address that it led to, over at most five redirects, none of them from https to http. Throws a
 * StoreError for a response that is neither content nor 412; its message contains nothing of the link but the host.
 */
export async function followLink(
  { poolOf, link, authorization }: SignedLink,
  from: URL,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Followed> {
  let url = from
  for (let redirects = 0; ; redirects += 1) {
    const target = url.pathname + url.search
    const sent = authorization !== null && url.origin === link.origin ? { ...headers, authorization } : headers
    const response = await exchange(poolOf(url.origin), () => ({ method: 'GET', target, headers: sent }), signal)
    if (CONTENT_STATUSES.includes(response.status)) return { response, url }
    if (NO_CONTENT_STATUSES.has(response.status)) throw await noContent(response)
    if (response.status === OTHER_VERSION) return { response: await refusal(response, signal), url }
    if (!REDIRECT_STATUSES.has(response.status)) throw await refusal(response, signal)
    await leave(response)
    const next = redirectTarget(response, url)
    if (next === null || redirects === MAX_REDIRECTS) throw redirectError(response, 'The link', url.origin)
    url = next
  }
}

/** Returns null when the redirect must not be followed. */
function redirectTarget(response: HttpResponse, from: URL): URL | null {
  const location = response.headers.get('location') ?? ''
  if (location === '' || !URL.canParse(location, from.href)) return null
  const url = new URL(location, from)
  return url.protocol === 'https:' || url.protocol === from.protocol ? url : null
}

/** The error is not temporary, because another request would get the same answer. */
async function noContent(response: HttpResponse): Promise<StoreError> {
  await leave(response)
  const { status: httpStatus } = response
  return new StoreError(STORE_ERROR.unnamed, `The link returned ${httpStatus} without content`, { httpStatus })
}

async function refusal(response: HttpResponse, signal: AbortSignal): Promise<StoreError> {
  if (response.status < 400) {
    await leave(response)
    return badResponse(response, 'no content')
  }
  const error = await errorOfResponse(response, 'The link', Date.now(), signal)
  const { httpStatus, requestId, retryAfterMs } = error
  const ownCode = error.code === STORE_ERROR.unnamed ? CODES_BY_STATUS[response.status] : undefined
  // The service's own message may repeat the whole link.
  const isExpired = error.code === 'ExpiredToken' || /expired/i.test(error.message)
  const code = isExpired ? STORE_ERROR.linkExpired : (ownCode ?? error.code)
  const message = `The link returned ${response.status} ${code}`
  return new StoreError(code, message, { httpStatus, requestId, retryAfterMs })
}
