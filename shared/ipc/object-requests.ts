import type { ListedBucket, ListedObject, PlaceId } from '../place/place.ts'
import type { Refusal } from '../transfer/words/error-words.ts'
import type { TransferId } from '../transfer/transfer.ts'

/** The window's requests about the buckets and objects of a place. Part of the IPC contract. */
export interface ObjectRequests {
  /** The buckets that the place's key may see. */
  'buckets:list': { request: Ticketed & { readonly placeId: PlaceId }; response: readonly ListedBucket[] }
  /** Creates a bucket, in the region of the place. */
  'buckets:create': { request: { readonly placeId: PlaceId; readonly bucket: string }; response: null }
  'objects:list': { request: ListObjectsRequest; response: ListObjectsPage }
  /** Of one page of all objects below a folder, those whose path below it contains these words. */
  'objects:search': { request: SearchObjectsRequest; response: FoundObjects }
  /** Counts one page of all objects below a folder, for the sums shown before a download. */
  'objects:measure': { request: ListObjectsRequest; response: MeasuredPage }
  'objects:facts': { request: Ticketed & ObjectName; response: ObjectFacts }
  /** Reads as much of an object as a preview takes. */
  'objects:preview': { request: Ticketed & ObjectName; response: FilePreview }
  /** A link with which anyone can download the object until it expires. */
  'objects:link': { request: ObjectName & { readonly expiresSeconds: number }; response: string }
  'objects:make-folder': { request: BucketAddress & { readonly prefix: string }; response: null }
  /** Deletes objects for good. Deleting one that is already gone is not a failure. */
  'objects:delete': {
    request: Ticketed & BucketAddress & { readonly keys: readonly string[] }
    response: BulkOutcome
  }
  /** Deletes one page of all objects below a folder, for good. */
  'objects:delete-page': { request: ListObjectsRequest; response: BulkOutcome }
  /** Gives objects other keys, on the server. Replaces nothing. */
  'objects:move': { request: MoveObjectsRequest; response: BulkOutcome }
  /** Moves one page of all objects below a folder to another folder, which must be empty at first. */
  'objects:move-page': { request: MovePageRequest; response: BulkOutcome }
  /**
   * Gives up the request with this ticket, because its answer is no longer needed. Deleting and moving still finish
   * what is under way.
   */
  'objects:abandon': { request: { readonly ticket: string }; response: null }
}

export const OBJECT_REQUEST_NAMES = {
  'buckets:list': true,
  'buckets:create': true,
  'objects:list': true,
  'objects:search': true,
  'objects:measure': true,
  'objects:facts': true,
  'objects:preview': true,
  'objects:link': true,
  'objects:make-folder': true,
  'objects:delete': true,
  'objects:delete-page': true,
  'objects:move': true,
  'objects:move-page': true,
  'objects:abandon': true,
} as const satisfies Record<keyof ObjectRequests, true>

/** The most keys that one request deletes. */
export const MAX_DELETED_KEYS = 1000

/** The most keys that one request moves: each takes several requests to the service. */
export const MAX_MOVED_KEYS = 100

/** A request that the window may abandon by its ticket, which no other request has. */
export interface Ticketed {
  readonly ticket?: string
}

/** A bucket of a place. Left out: the place's own. */
export interface BucketAddress {
  readonly placeId: PlaceId
  readonly bucket?: string
}

export interface ObjectName extends BucketAddress {
  readonly key: string
}

export interface ListObjectsRequest extends BucketAddress, Ticketed {
  readonly prefix: string
  /** `nextMarker` of the page before, or null for the first page. */
  readonly marker: string | null
}

export interface SearchObjectsRequest extends ListObjectsRequest {
  readonly words: string
}

export interface FoundObjects {
  readonly objects: readonly ListedObject[]
  readonly nextMarker: string | null
}

export interface ListObjectsPage {
  readonly prefixes: readonly string[]
  readonly objects: readonly ListedObject[]
  readonly nextMarker: string | null
}

export interface MeasuredPage {
  readonly objects: number
  readonly sizeBytes: number
  readonly nextMarker: string | null
}

/** What the service says about one object. */
export interface ObjectFacts {
  readonly sizeBytes: number | null
  readonly contentType: string | null
  /** HTTP date. */
  readonly lastModified: string | null
  readonly etag: string | null
  /** The id of the request that returned these facts. */
  readonly requestId: string | null
  /** User metadata; null when the service keeps none. */
  readonly metadata: Readonly<Record<string, string>> | null
}

/** Names a finished file on this computer: a transfer's, or one of a folder transfer by its number, from 0. */
export interface LocalFileName {
  readonly id: TransferId
  readonly number: number | null
}

/** The preview of a file. */
export type FilePreview =
  /** `url` is a `data:` address, which is displayed but never navigated to. */
  | { readonly kind: 'image'; readonly url: string }
  /** `isCut`: there is more text than this. */
  | { readonly kind: 'text'; readonly text: string; readonly isCut: boolean }
  | { readonly kind: 'none'; readonly why: 'too-large' | 'too-many-pixels' | 'damaged' | 'unknown-kind' }

/** What a request to delete or to move many objects did. */
export interface BulkOutcome {
  /** How many objects it was done to. For a page, without those that only stand for folders, as in `objects:measure`. */
  readonly done: number
  /** Keys that it was not done to, because one of them failed, or because the request was abandoned. */
  readonly left: readonly string[]
  /** Why one of them failed; null: none did. */
  readonly failure: Refusal | null
  /** For a page: where the next one begins. */
  readonly nextMarker: string | null
}

/** Whether an earlier request for the same may have moved or copied some: what equals its original is its copy then. */
interface Repeatable {
  readonly isRetry: boolean
}

export interface MoveObjectsRequest extends BucketAddress, Ticketed, Repeatable {
  readonly keys: readonly string[]
  /** How each of the keys begins, up to all of it. */
  readonly from: string
  /** What takes the place of that. */
  readonly to: string
}

/** `prefix` is the folder to move from. */
export interface MovePageRequest extends ListObjectsRequest, Repeatable {
  readonly to: string
}
