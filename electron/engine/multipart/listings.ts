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
import type { RetryPolicy } from '../core/retry-policy.ts'
import { withRetry } from '../retry/create-retry-policy.ts'

/** What the service says about the parts of an upload. `unlisted`: it doesn't list parts, or not to us. */
export type PartsListing =
  | { readonly kind: 'listed'; readonly parts: readonly ListedPart[] }
  | { readonly kind: 'unlisted' }
  | { readonly kind: 'gone' }

/** These answers are final; whether another failure is worth a retry is up to the retry policy. */
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

/** Lists the open uploads of exactly this key, in the order of the service. Throws TransferError where it doesn’t list. */
export async function listUploadsOfKey(
  store: ObjectStore,
  key: string,
  retryPolicy: RetryPolicy,
  signal: AbortSignal,
): Promise<readonly ListedUpload[]> {
  const uploads: ListedUpload[] = []
  let markers: { readonly keyMarker?: string; readonly uploadIdMarker?: string } | null = {}
  while (markers !== null) {
    const request: ListMultipartUploadsRequest = { prefix: key, ...markers, signal }
    const page: ListMultipartUploadsPage = await withRetry(retryPolicy, () => store.listMultipartUploads(request))
    uploads.push(...page.uploads.filter((upload) => upload.key === key))
    markers = page.next
  }
  return uploads
}

/** Lists the open uploads of all keys that begin with `prefix`. `unlisted`: the service doesn't list them, or not to us. */
export async function listUploadsUnder(
  store: ObjectStore,
  prefix: string,
  bounds: { readonly retryPolicy: RetryPolicy; readonly signal: AbortSignal; readonly maxPages: number },
): Promise<readonly ListedUpload[] | 'too-many' | 'unlisted'> {
  const { retryPolicy, signal, maxPages } = bounds
  const uploads: ListedUpload[] = []
  let next: ListMultipartUploadsPage['next'] = null
  for (let page = 1; page <= maxPages; page += 1) {
    const request: ListMultipartUploadsRequest = { prefix, ...next, signal }
    const answer = await answeredOr(retryPolicy, () => store.listMultipartUploads(request))
    if (answer === 'unlisted' || answer === 'gone') return 'unlisted'
    uploads.push(...answer.uploads)
    next = answer.next
    if (next === null) return uploads
  }
  return 'too-many'
}

/** One page of ListParts, or why there is none. */
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
