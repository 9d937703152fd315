// Tells a captive portal's or a proxy's page from an object.

import type { HttpResponse } from '../http/exchange.ts'
import { STORE_ERROR, StoreError } from '../port/store-error.ts'
import { badResponse, leave, redirectError, requestIdOf } from './error-responses.ts'

/** S3 redirects with 301 and 307 alone (Amazon S3 API, Redirects); those that send people to another page use these. */
const PAGE_REDIRECTS: ReadonlySet<number> = new Set([302, 303])
/** Names of files that no server makes up a page for. What is stored as text or as a page is not among them. */
const FILE_NAME =
  /\.(?:zip|t?gz|t?bz2|t?xz|zst|7z|rar|tar|iso|img|dmg|pkg|exe|msi|deb|rpm|apk|jar|whl|appimage|bin|dat|raw|bak|qcow2|vmdk|vhdx?|ova|mp[34]|mov|mkv|avi|webm|mxf|mts|m4[av]|wav|flac|aac|ogg|opus|jpe?g|png|gif|tiff?|webp|heic|psd|exr|dng|cr2|nef|arw|pdf|docx?|xlsx?|pptx?|od[tsp]|epub|csv|tsv|jsonl?|parquet|sqlite|db|np[yz]|h5|hdf5|nc|safetensors|ckpt|pt|onnx|bam|fastq|vcf|wasm)$/i
const PAGE_TYPE = /^(?:text\/html|application\/xhtml\+xml)\b/i
/** A comment ends at its first end: many of them could be taken apart in more ways than there is time for. */
const PAGE_BEGIN = /^\ufeff?\s*(?:<!--(?:(?!-->).)*-->\s*)*<(?:!doctype\s+html|html|head)\b/is
const MOST_READ_CHARACTERS = 1024

/** What is known of an object before its response. */
interface Wanted {
  /** Its key, or the path of its link. */
  readonly name: string
  /** Its responses name an ETag or a time. */
  readonly hasVersion: boolean
}

/**
 * The response, or what says the same, unless it is a page instead of the object: a network that wants a sign-in first
 * answers every request over http with one. It is told by its type and that no service named the request, together with
 * a version that is not there although it has to be, or with a beginning that no file of that name has. Throws
 * `errorOf` of the response, which is left then.
 */
export async function unlessPage(
  response: HttpResponse,
  { name, hasVersion }: Wanted,
  errorOf: (response: HttpResponse) => StoreError = wantsSignIn,
): Promise<HttpResponse> {
  const { status, headers } = response
  if ((status !== 200 && status !== 206) || !isPage(response)) return response
  const isUnversioned = headers.get('etag') === undefined && headers.get('last-modified') === undefined
  if (hasVersion && isUnversioned) return refuse(response, errorOf)
  const isBeginning = status === 200 || /^bytes 0-/i.test(headers.get('content-range') ?? '')
  if (!isBeginning || !FILE_NAME.test(name)) return response
  const { begin, body } = await peek(response)
  return PAGE_BEGIN.test(begin) ? refuse({ ...response, body }, errorOf) : { ...response, body }
}

/** Leaves a response that says by its status alone that something is done. Throws where a page says so. */
export async function takeForDone(response: HttpResponse): Promise<void> {
  await leave(response)
  if (response.status === 200 && isPage(response)) throw wantsSignIn(response)
}

/** A response that is not what the operation promises: a page, or anything else. */
export function badMessage(response: HttpResponse & { readonly operation?: string }, what: string): StoreError {
  return isPage(response) ? wantsSignIn(response) : badResponse(response, what)
}

/** A redirect that the service did not send, to a page of another host; or one that may not be followed. */
export function strayRedirect(response: HttpResponse, operation: string, origin: string): StoreError {
  const location = response.headers.get('location') ?? ''
  const isOfPage = PAGE_REDIRECTS.has(response.status) && requestIdOf(response) === null
  const isElsewhere = URL.canParse(location, origin) && new URL(location, origin).hostname !== new URL(origin).hostname
  return isOfPage && isElsewhere ? wantsSignIn({ ...response, operation }) : redirectError(response, operation, origin)
}

/** A page instead of the file, from the very server that the link names. */
export function pageOfServer({ status: httpStatus }: HttpResponse): StoreError {
  return new StoreError(STORE_ERROR.webPage, `The link was answered ${httpStatus} with a web page`, { httpStatus })
}

function wantsSignIn({
  status,
  operation = 'The request',
}: HttpResponse & { readonly operation?: string }): StoreError {
  const message = `${operation} was answered ${status} with a web page`
  return new StoreError(STORE_ERROR.networkSignIn, message, { httpStatus: status })
}

async function refuse(response: HttpResponse, errorOf: (response: HttpResponse) => StoreError): Promise<never> {
  await leave(response)
  throw errorOf(response)
}

function isPage(response: HttpResponse): boolean {
  return PAGE_TYPE.test(response.headers.get('content-type') ?? '') && requestIdOf(response) === null
}

/** Reads the first block of a body, which then still comes first. */
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
