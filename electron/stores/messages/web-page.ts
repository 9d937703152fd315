// Tells an object from the page of a captive portal or proxy.

import type { HttpResponse } from '../http/exchange.ts'
import { STORE_ERROR, StoreError } from '../port/store-error.ts'
import type { GetObjectRequest } from '../port/object-store.ts'
import { badResponse, leave, redirectError, requestIdOf } from './error-responses.ts'
import { unquoteEtag } from './header-values.ts'

/** S3 redirects only with 301 and 307 (Amazon S3 API, Redirects); redirects to another page use these. */
const PAGE_REDIRECTS: ReadonlySet<number> = new Set([302, 303])
/** Names of files that no server makes up a page for. Files stored as text or as a page are not among them. */
const FILE_NAME =
  /\.(?:zip|t?gz|t?bz2|t?xz|zst|7z|rar|tar|iso|img|dmg|pkg|exe|msi|deb|rpm|apk|jar|whl|appimage|bin|dat|raw|bak|qcow2|vmdk|vhdx?|ova|mp[34]|mov|mkv|avi|webm|mxf|mts|m4[av]|wav|flac|aac|ogg|opus|jpe?g|png|gif|tiff?|webp|heic|psd|exr|dng|cr2|nef|arw|pdf|docx?|xlsx?|pptx?|od[tsp]|epub|csv|tsv|jsonl?|parquet|sqlite|db|np[yz]|h5|hdf5|nc|safetensors|ckpt|pt|onnx|bam|fastq|vcf|wasm)$/i
/** Names of pages. */
const PAGE_NAME = /\.(?:x?html?)$/i
/** Some networks say the same in a message. */
const MESSAGE_TYPE = /^application\/(?:[\w.-]+\+)?json\b/i
const MESSAGE_NAME = /\.jsonl?$/i
const PAGE_TYPE = /^(?:text\/html|application\/xhtml\+xml)\b/i
/** A comment ends at its first `-->`: otherwise many comments could be matched in too many ways to finish in time. */
const PAGE_BEGIN = /^\ufeff?\s*(?:<!--(?:(?!-->).)*-->\s*)*<(?:!doctype\s+html|html|head)\b/is
const MOST_READ_CHARACTERS = 1024

/** What is known of an object before its response. */
interface Wanted {
  /** The object's key, or the path of its link. */
  readonly name: string
  /** The object's responses name an ETag or a time. */
  readonly hasVersion: boolean
  /** What they named. */
  readonly version?: GetObjectRequest['version']
}

/**
 * Returns the response, or an equivalent one, unless it is a page instead of the object: a network that wants a sign-in
 * first answers every http request with a page. A page has an HTML content type and no request id of the service, and
 * either lacks the version that it ought to have, or begins as no file of that name or of the wanted version does; a
 * message lacks the version, too. Throws `errorOf` of the response after leaving it.
 */
export async function unlessPage(
  response: HttpResponse,
  { name, hasVersion, version }: Wanted,
  errorOf: (response: HttpResponse) => StoreError = wantsSignIn,
): Promise<HttpResponse> {
  const { status, headers } = response
  if (status !== 200 && status !== 206) return response
  const isUnversioned = headers.get('etag') === undefined && headers.get('last-modified') === undefined
  if (hasVersion && isUnversioned && isMessage(response, name)) return refuse(response, errorOf)
  if (!isPage(response)) return response
  if (hasVersion && isUnversioned) return refuse(response, errorOf)
  const isBeginning = status === 200 || /^bytes 0-/i.test(headers.get('content-range') ?? '')
  const isOther = version !== undefined && !isOf(response, version) && !PAGE_NAME.test(name)
  if (!isBeginning || !(isOther || FILE_NAME.test(name))) return response
  const { begin, body } = await peek(response)
  return PAGE_BEGIN.test(begin) ? refuse({ ...response, body }, errorOf) : { ...response, body }
}

/** Leaves a response whose status alone says that something is done. Throws when it is a page that says so. */
export async function takeForDone(response: HttpResponse): Promise<void> {
  await leave(response)
  if (response.status === 200 && isPage(response)) throw wantsSignIn(response)
}

/**
 * The error of a response that is not what the operation promises: a page, anything else, or, if it was in doubt whether
 * the service sent it, certainly not the service's.
 */
export function badMessage(
  response: HttpResponse & { readonly operation?: string; readonly isInDoubt?: boolean },
  what: string,
): StoreError {
  return isPage(response) || response.isInDoubt === true ? wantsSignIn(response) : badResponse(response, what)
}

/** The error of a redirect to a page of another host, which the service did not send, or of one not to be followed. */
export function strayRedirect(response: HttpResponse, operation: string, origin: string): StoreError {
  const location = response.headers.get('location') ?? ''
  const isOfPage = PAGE_REDIRECTS.has(response.status) && requestIdOf(response) === null
  const isElsewhere = URL.canParse(location, origin) && new URL(location, origin).hostname !== new URL(origin).hostname
  return isOfPage && isElsewhere ? wantsSignIn({ ...response, operation }) : redirectError(response, operation, origin)
}

/** The error of a page instead of the file, from the very server that the link names. */
export function pageOfServer({ status: httpStatus }: HttpResponse): StoreError {
  return new StoreError(STORE_ERROR.webPage, `The link returned ${httpStatus} with a web page`, { httpStatus })
}

function wantsSignIn({
  status,
  operation = 'The request',
}: HttpResponse & { readonly operation?: string }): StoreError {
  const message = `${operation} returned ${status} with a web page`
  return new StoreError(STORE_ERROR.networkSignIn, message, { httpStatus: status })
}

async function refuse(response: HttpResponse, errorOf: (response: HttpResponse) => StoreError): Promise<never> {
  await leave(response)
  throw errorOf(response)
}

function isOf({ headers }: HttpResponse, { etag, lastModified }: NonNullable<Wanted['version']>): boolean {
  return unquoteEtag(headers.get('etag')) === etag && (headers.get('last-modified') ?? null) === lastModified
}

/** Whether a response is a message instead of a file that can't be one by its name. */
function isMessage({ headers }: HttpResponse, name: string): boolean {
  return MESSAGE_TYPE.test(headers.get('content-type') ?? '') && FILE_NAME.test(name) && !MESSAGE_NAME.test(name)
}

/** Whether a response with this body is a page that the service did not send. */
export function isPageText(response: HttpResponse, text: string): boolean {
  return isPage(response) && PAGE_BEGIN.test(text)
}

/** Whether a response calls itself a web page, and the service did not sign it with a request id. */
export function isPage(response: HttpResponse): boolean {
  return PAGE_TYPE.test(response.headers.get('content-type') ?? '') && requestIdOf(response) === null
}

/** Reads the first block of a body; the returned body still begins with it. */
async function peek({ body }: HttpResponse) {
  const first = await body.next()
  const begin = first.done === true ? '' : Buffer.from(first.value.subarray(0, MOST_READ_CHARACTERS)).toString('utf8')
  let isFirst = true
  const again: AsyncIterableIterator<Uint8Array> = {
    [Symbol.asyncIterator]: () => again,
    next: () => {
      if (!isFirst) return body.next()
      isFirst = false
      return Promise.resolve(first)
    },
    return: () => body.return?.() ?? Promise.resolve({ done: true, value: undefined }),
  }
  return { begin, body: again }
}
