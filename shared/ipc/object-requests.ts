import type { ListedBucket, ListedObject, PlaceId } from '../place/place.ts'
import type { Refusal } from '../transfer/error-words.ts'
import type { TransferId } from '../transfer/transfer.ts'

/** What the window asks about the buckets and objects of a place. Part of the IPC contract. */
export interface ObjectRequests {
  /** The buckets that the place's key may see. */
  'buckets:list': { request: Ticketed & { readonly placeId: PlaceId }; response: readonly ListedBucket[] }
  'objects:list': { request: ListObjectsRequest; response: ListObjectsPage }
  /** The objects of a page of a folder, and the folders in it, whose path below the folder has these words in it. */
  'objects:search': { request: SearchObjectsRequest; response: FoundObjects }
  /** Counts a page of what is in a folder and the folders in it, for the sums before a download. */
  'objects:measure': { request: ListObjectsRequest; response: MeasuredPage }
  'objects:facts': { request: Ticketed & ObjectName; response: ObjectFacts }
  /** Reads an object as far as a look at it takes. */
  'objects:preview': { request: Ticketed & ObjectName; response: FilePreview }
  /** A link with which anyone can download the object until it expires. */
  'objects:link': { request: ObjectName & { readonly expiresSeconds: number }; response: string }
  'objects:make-folder': { request: BucketAddress & { readonly prefix: string }; response: null }
  /** Deletes objects for good. Deleting one that is gone is no failure. */
  'objects:delete': {
    request: Ticketed & BucketAddress & { readonly keys: readonly string[] }
    response: DeletedObjects
  }
  /** Deletes a page of what is in a folder and the folders in it, for good. */
  'objects:delete-page': { request: ListObjectsRequest; response: DeletedObjects }
  /**
   * The answer to the request with this ticket is not needed any more: it is given up, a deletion after what is under
   * way.
   */
  'objects:abandon': { request: { readonly ticket: string }; response: null }
}

export const OBJECT_REQUEST_NAMES = {
  'buckets:list': true,
  'objects:list': true,
  'objects:search': true,
  'objects:measure': true,
  'objects:facts': true,
  'objects:preview': true,
  'objects:link': true,
  'objects:make-folder': true,
  'objects:delete': true,
  'objects:delete-page': true,
  'objects:abandon': true,
} as const satisfies Record<keyof ObjectRequests, true>

/** The most keys that one request deletes. */
export const MAX_DELETED_KEYS = 1000

/** A request that the window may abandon, by a name that no other has. */
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

/** What the service tells of one object. */
export interface ObjectFacts {
  readonly sizeBytes: number | null
  readonly contentType: string | null
  /** HTTP date. */
  readonly lastModified: string | null
  readonly etag: string | null
  /** Of the answer that told this. */
  readonly requestId: string | null
  /** What a person or program attached; null where the service keeps none. */
  readonly metadata: Readonly<Record<string, string>> | null
}

/** A finished file on this computer: that of a transfer, or one of a folder transfer by its number from 0. */
export interface LocalFileName {
  readonly id: TransferId
  readonly number: number | null
}

/** A file to look at. */
export type FilePreview =
  /** A `data:` address, which is shown and never opened. */
  | { readonly kind: 'image'; readonly url: string }
  /** Cut: there is more of it. */
  | { readonly kind: 'text'; readonly text: string; readonly isCut: boolean }
  | { readonly kind: 'none'; readonly why: 'too-large' | 'too-many-pixels' | 'damaged' | 'unknown-kind' }

export interface DeletedObjects {
  /** Of a listing: without what only stands for a folder, which `objects:measure` leaves out, too. */
  readonly deleted: number
  /** Keys that are still there, because one of them could not be deleted or because the request was abandoned. */
  readonly left: readonly string[]
  /** Why one of them could not be deleted; null: all were, or the request was abandoned. */
  readonly failure: Refusal | null
  /** Of a listing: where the next page begins. */
  readonly nextMarker: string | null
}
