// Reads ListParts and ListMultipartUploads to the last page, and waits outages out.

import type {
  ListedPart,
  ListedUpload,
  ListMultipartUploadsPage,
  ListMultipartUploadsRequest,
  ListPartsPage,
  ListPartsRequest,
  ObjectStore,
} from '../../stores/port/object-store.ts'
import { STORE_ERROR, StoreError } from '../../stores/port/store-error.ts'
import { TransferError } from '../core/transfer-error.ts'
import type { RetryPolicy } from '../core/retry-policy.ts'
import { withRetry } from '../retry/create-retry-policy.ts'
import { endlessPages } from '../retry/endless-pages.ts'

/** What the service says about the parts of an upload. `unlisted`: it doesn't list parts, or not to us. */
export type PartsListing =
  | { readonly kind: 'listed'; readonly parts: readonly ListedPart[] }
  | { readonly kind: 'unlisted' }
  | { readonly kind: 'gone' }

/** These answers mean `unlisted`; whether another failure is worth a retry is up to the retry policy. */
const NOT_FOR_US = new Set<string>(['AccessDenied', STORE_ERROR.notImplemented])

/** Lists all parts of an upload, page by page. An outage is waited out: it never looks like an upload that is gone. */
export async function listAllParts(
  store: ObjectStore,
  address: { readonly key: string; readonly uploadId: string; readonly signal: AbortSignal },
  retryPolicy: RetryPolicy,
): Promise<PartsListing> {
  const parts: ListedPart[] = []
  let request: ListPartsRequest | null = address
  while (request !== null) {
    const page = await listPage(store, request, retryPolicy)
    if (page === 'gone' || page === 'unlisted') return { kind: page }
    parts.push(...page.parts)
    const marker = page.nextPartNumberMarker
    request = marker === null ? null : { ...address, partNumberMarker: marker }
  }
  return { kind: 'listed', parts }
}

/**
 * Lists the open uploads of exactly this key, in the service's order. Throws TransferError if it doesn't list uploads.
 */
export async function listUploadsOfKey(
  store: ObjectStore,
  key: string,
  retryPolicy: RetryPolicy,
  signal: AbortSignal,
): Promise<readonly ListedUpload[]> {
  const uploads: ListedUpload[] = []
  for await (const page of uploadPages(store, key, signal, (ask) => withRetry(retryPolicy, ask))) {
    uploads.push(...page.uploads.filter((upload) => upload.key === key))
  }
  return uploads
}

/** A listing of more pages than this, full or empty, is of no use to anyone. */
const MAX_PAGES = 10_000

/**
 * Yields the open uploads of all keys that begin with `prefix`, a page at a time. Throws what `ask` throws, and
 * TransferError `answer-unreadable` if the service's pages go round in circles.
 */
export async function* uploadPages(
  store: Pick<ObjectStore, 'listMultipartUploads'>,
  prefix: string,
  signal: AbortSignal,
  ask: (request: () => Promise<ListMultipartUploadsPage>) => Promise<ListMultipartUploadsPage>,
): AsyncGenerator<ListMultipartUploadsPage, void> {
  let next: ListMultipartUploadsPage['next'] = null
  const passed = new Set<string>()
  do {
    const request: ListMultipartUploadsRequest = { prefix, ...next, signal }
    const page = await ask(() => store.listMultipartUploads(request))
    yield page
    next = page.next
    // Markers within one key have no order to check, so every marker is remembered.
    const marker = JSON.stringify(next)
    if (passed.has(marker) || passed.size === MAX_PAGES) throw endlessPages('ListMultipartUploads', page.requestId)
    passed.add(marker)
  } while (next !== null)
}

/**
 * Lists the open uploads of all keys that begin with `prefix`. `unlisted`: the service doesn't list them, or not to us.
 */
export async function listUploadsUnder(
  store: ObjectStore,
  prefix: string,
  bounds: { readonly retryPolicy: RetryPolicy; readonly signal: AbortSignal; readonly maxPages: number },
): Promise<readonly ListedUpload[] | 'too-many' | 'unlisted'> {
  const { retryPolicy, signal, maxPages } = bounds
  const uploads: ListedUpload[] = []
  let pages = 0
  try {
    for await (const page of uploadPages(store, prefix, signal, (ask) => withRetry(retryPolicy, ask))) {
      pages += 1
      uploads.push(...page.uploads)
      if (pages === maxPages && page.next !== null) return 'too-many'
    }
    return uploads
  } catch (failure) {
    if (failure instanceof TransferError && NOT_FOR_US.has(failure.info.serviceCode ?? '')) return 'unlisted'
    throw failure
  }
}

/** Returns one page of ListParts, or why there is none. */
export function listPage(
  store: ObjectStore,
  request: ListPartsRequest,
  retryPolicy: RetryPolicy,
): Promise<ListPartsPage | 'gone' | 'unlisted'> {
  return answeredOr(retryPolicy, () => store.listParts(request))
}

function answeredOr<Page>(retryPolicy: RetryPolicy, ask: () => Promise<Page>): Promise<Page | 'gone' | 'unlisted'> {
  return withRetry(retryPolicy, async () => {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      if (error.code === 'NoSuchUpload') return 'gone'
      if (NOT_FOR_US.has(error.code)) return 'unlisted'
      throw error
    }
  })
}
