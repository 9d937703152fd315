import type { ByteRange } from '../../../shared/byte-range.ts'
import type { ListedObject } from '../../../shared/place/place.ts'

/**
 * One bucket of an object storage service, in the field's verbs. Both dialects implement it, and plain links as far as
 * they can be read; of the stores the engine knows only this folder.
 *
 * Every method throws `StoreError` for a response that is an error or for none at all, and `signal.reason` when
 * aborted. No method retries a failure. A request is sent again where the refusal tells what was wrong with it (the
 * clock, the region, credentials that expired), and a GET or HEAD where a kept connection turns out to be closed. ETags
 * are given without quotes. Nothing is read from a response that is not promised, unless its absence is handled
 * (docs/dialect.md, Two rules).
 */
export interface ObjectStore {
  readonly bucket: string
  /** Address of the service, so that another computer finds it too. Left out where there is none to tell. */
  readonly endpoint?: string
  /** Scheme, host and port that requests go to; what the connections of several buckets have in common. */
  readonly host: string
  readonly capabilities: StoreCapabilities

  /** GetObject. Safe to repeat. The body must be read to its end or left (`break`), which closes the connection. */
  getObject(request: GetObjectRequest): Promise<GetObjectResult>
  /** HeadObject, or GetObject with a one-byte range where a service has no HEAD. Safe to repeat. */
  headObject(request: HeadObjectRequest): Promise<ObjectHead>
  /**
   * HeadObject of one part of an object that was uploaded in parts. Safe to repeat. A service that does not know the
   * question answers about the whole object. Left out where the dialect has no such thing.
   */
  headPart?(request: HeadPartRequest): Promise<ObjectPart>
  /**
   * GetObjectAttributes: the parts of an object after one of them, one page. Safe to repeat. Asked where
   * `capabilities.listsObjectParts`; takes a permission of its own.
   */
  listObjectParts?(request: ListObjectPartsRequest): Promise<ListObjectPartsPage>
  /** PutObject. Repeating it writes the same object again. */
  putObject(request: PutObjectRequest): Promise<PutResult>
  /** CreateMultipartUpload. Repeating it makes a second upload. */
  createMultipartUpload(
    request: CreateMultipartUploadRequest,
  ): Promise<{ readonly uploadId: string } & ResponseMetadata>
  /** UploadPart. Repeating it replaces the part. */
  uploadPart(request: UploadPartRequest): Promise<PutResult>
  /** ListParts, one page. Safe to repeat. */
  listParts(request: ListPartsRequest): Promise<ListPartsPage>
  /** ListMultipartUploads, one page. Safe to repeat. */
  listMultipartUploads(request: ListMultipartUploadsRequest): Promise<ListMultipartUploadsPage>
  /**
   * CompleteMultipartUpload. Not safe to repeat blindly: the service goes on when the connection is lost
   * (docs/dialect.md, Documented). Resolves only with a parsed response that names an ETag; anything else is a
   * StoreError whose `maybeProcessed` tells whether the outcome is unknown.
   */
  completeMultipartUpload(request: CompleteMultipartUploadRequest): Promise<CompleteMultipartUploadResult>
  /** AbortMultipartUpload. NoSuchUpload means that it is gone already. */
  abortMultipartUpload(request: UploadAddress): Promise<void>
  /** ListObjects, one page. Safe to repeat. */
  listObjects(request: ListObjectsRequest): Promise<ListObjectsPage>
  /** DeleteObject. A missing key is no error. */
  deleteObject(request: { readonly key: string; readonly signal: AbortSignal }): Promise<void>
  /**
   * DeleteObjects: the keys that were refused. Missing keys are no error. Safe to repeat. Left out where the dialect
   * has no such thing; throws NotImplemented where the service lacks it or some of these can only be deleted one by
   * one.
   */
  deleteObjects?(request: DeleteObjectsRequest): Promise<readonly string[]>

  /**
   * An http(s) link with which anyone can download the object for so many seconds from now, a week at most. Asks for
   * the object first, so that the link has the service's time and region, and works. Left out where there is nothing to
   * sign with.
   */
  linkTo?(request: LinkRequest): Promise<string>

  /** Closes idle connections; running requests end on their own signals. */
  close(): Promise<void>
  /**
   * Drops every connection, for example after sleep; the next request connects anew. Requests that run on one end
   * with a network error.
   */
  dropConnections(): void
}

/** What a store can't or can do, as data. */
export interface StoreCapabilities {
  /** If-Match and If-Unmodified-Since are honoured on getObject. */
  readonly ifMatch: boolean
  /** `If-None-Match: *` is honoured on putObject (`put`) and on completeMultipartUpload (`complete`). */
  readonly ifAbsent?: { readonly put: boolean; readonly complete: boolean }
  /** Metadata given at creation is kept with the object and comes back with its head. */
  readonly metadata?: boolean
  /** Part and single-put ETags are MD5s, multipart ETags are MD5 of MD5s. */
  readonly etagIsMd5: boolean
  /** False: multipart ETags may be something else, so one that agrees proves and one that differs says nothing. */
  readonly multipartEtagIsMd5?: boolean
  /** Bodies are taken only with their Content-MD5. */
  readonly wantsContentMd5?: boolean
  /** headObject tells the checksums that the service keeps. */
  readonly givesChecksums?: boolean
  /** There is `listObjectParts`. */
  readonly listsObjectParts?: boolean
  /** Every part but the last must be larger than this. */
  readonly minPartSizeBytes: number
  readonly maxPartCount: number
  /** Left out: 5 GiB. */
  readonly maxPartSizeBytes?: number
}

/** What every response carries beside what was asked for. */
export interface ResponseMetadata {
  readonly requestId: string | null
}

export interface ObjectHead extends ResponseMetadata {
  /** Size of the whole object, not of the range; null when the response does not tell. */
  readonly sizeBytes: number | null
  /** Null when absent. A weak one keeps its `W/`. */
  readonly etag: string | null
  /** HTTP date as sent; null when absent. */
  readonly lastModified: string | null
  readonly contentType: string | null
  /** Set by a service that transforms the bytes it sends; ranges then count encoded bytes. */
  readonly contentEncoding: string | null
  /** `Date` of the response, milliseconds since the epoch; null when absent. */
  readonly serverTimeMs: number | null
  /** The response says that the service takes ranges (`Accept-Ranges: bytes`); one may take them and not say so. */
  readonly acceptsRanges?: true
  /** What was given at creation, by lower-case name. Left out where `capabilities.metadata` is not true. */
  readonly metadata?: ObjectMetadata
  /** Digests of the whole object's content that came with the response. */
  readonly digests?: ObjectDigests
}

/** Short texts in ASCII that a person or program attached to an object, by name without prefix. */
export type ObjectMetadata = Readonly<Record<string, string>>

/** Digests that a service gives beside the ETag: of the whole content in hex, the CRC-32 as an unsigned number. */
export interface ObjectDigests {
  readonly md5?: string
  readonly sha1?: string
  readonly sha256?: string
  readonly crc32?: number
  /** Highest byte first. */
  readonly crc32c?: string
  /** CRC-64/NVME, highest byte first. */
  readonly crc64nvme?: string
  readonly composite?: CompositeDigest
}

/** The digest of the digests of an object's parts, one after the other in binary. */
export interface CompositeDigest {
  readonly algorithm: 'sha1' | 'sha256' | 'crc32' | 'crc32c'
  /** Hex. */
  readonly digest: string
  readonly partCount: number
}

export interface GetObjectRequest {
  readonly key: string
  /** Left out: the whole object. `end` may be past the end of the object. */
  readonly range?: ByteRange
  /** HTTP date. Never together with `range`. */
  readonly ifModifiedSince?: string
  /** An ETag: the response is `not-modified` if the object still has it. Sent where `capabilities.ifMatch`. */
  readonly ifNoneMatch?: string
  /** Sent where `capabilities.ifMatch`. */
  readonly ifMatch?: string
  /** HTTP date, where there is no ETag to match. Sent where `capabilities.ifMatch`. */
  readonly ifUnmodifiedSince?: string
  readonly signal: AbortSignal
}

export type GetObjectResult =
  | {
      readonly kind: 'content'
      readonly status: 200 | 206
      /** The range the response says it carries, end-exclusive; null on 200. An unreadable one is a BadAnswer error. */
      readonly contentRange: (ByteRange & { readonly totalBytes: number | null }) | null
      /** Content-Length; null when absent. */
      readonly contentLength: number | null
      /** The body has no length and no last chunk: it ends where the connection does, whole or not (RFC 9112, 8). */
      readonly endsWithConnection?: true
      readonly head: ObjectHead
      /**
       * Bytes as sent, in blocks of up to 1 MiB. A block is valid only until the next one is asked for or the body is
       * left: the connection reuses its memory. A body that ends early throws a network StoreError, one that is too
       * long too.
       */
      readonly body: AsyncIterable<Uint8Array>
    }
  | { readonly kind: 'not-modified'; readonly requestId: string | null }
  | { readonly kind: 'range-not-satisfiable'; readonly totalBytes: number | null; readonly requestId: string | null }

export interface HeadObjectRequest {
  readonly key: string
  readonly signal: AbortSignal
}

export interface HeadPartRequest extends HeadObjectRequest {
  /** 1 to 10,000: the place of the part in the object, whatever its number was. */
  readonly partNumber: number
}

/** What a response says about one part. */
export interface ObjectPart extends ResponseMetadata {
  /** Of the version that the part is of; null when absent. */
  readonly etag: string | null
  /** Null when the response does not tell. */
  readonly sizeBytes: number | null
}

export interface ListObjectPartsRequest extends HeadObjectRequest {
  /** 0: from the first part on. */
  readonly partNumberMarker: number
}

export interface ListObjectPartsPage extends ResponseMetadata {
  readonly etag: string | null
  /** Sizes in bytes, in the order of the parts; none where the service keeps no checksums of them. */
  readonly sizes: readonly number[]
  /** Null on the last page. */
  readonly nextPartNumberMarker: number | null
}

/**
 * A request body that can be sent again: each call starts from its beginning. A block is valid only until the next one
 * is asked for or the body is left: its memory is used again.
 */
export interface RequestBody {
  readonly sizeBytes: number
  readonly open: () => AsyncIterable<Uint8Array>
}

export interface PutObjectRequest {
  readonly key: string
  readonly body: RequestBody
  /** Base64 of the body's MD5. */
  readonly contentMd5?: string
  readonly contentType?: string
  /** Sent where `capabilities.metadata`. */
  readonly metadata?: ObjectMetadata
  /** Refuse with PreconditionFailed if the key is taken. Sent where `capabilities.ifAbsent.put`. */
  readonly ifAbsent?: boolean
  /** Called with the number of bytes handed to the connection since the last call. */
  readonly onSent?: (bytes: number) => void
  readonly signal: AbortSignal
}

export interface PutResult extends ResponseMetadata {
  readonly etag: string
}

export interface CreateMultipartUploadRequest {
  readonly key: string
  readonly contentType?: string
  /** Sent where `capabilities.metadata`. */
  readonly metadata?: ObjectMetadata
  readonly signal: AbortSignal
}

export interface UploadAddress {
  readonly key: string
  readonly uploadId: string
  readonly signal: AbortSignal
}

export interface UploadPartRequest extends UploadAddress {
  /** 1 to 10,000. */
  readonly partNumber: number
  readonly body: RequestBody
  readonly contentMd5?: string
  readonly onSent?: (bytes: number) => void
}

export interface ListPartsRequest extends UploadAddress {
  /** Parts after this one; 0 or left out: from the first one on. */
  readonly partNumberMarker?: number
  /** 1 to 1,000. */
  readonly maxParts?: number
}

export interface ListedPart {
  readonly partNumber: number
  readonly etag: string
  readonly sizeBytes: number
  /** ISO 8601; null when the service does not tell. */
  readonly lastModified: string | null
}

export interface ListPartsPage extends ResponseMetadata {
  readonly parts: readonly ListedPart[]
  /** Null on the last page. */
  readonly nextPartNumberMarker: number | null
}

export interface ListMultipartUploadsRequest {
  readonly prefix?: string
  /** Uploads of keys after this one; with `uploadIdMarker`, also those of this key after that upload. */
  readonly keyMarker?: string
  readonly uploadIdMarker?: string
  readonly signal: AbortSignal
}

export interface ListedUpload {
  readonly key: string
  readonly uploadId: string
  /** ISO 8601; null when the service does not tell. */
  readonly initiated: string | null
}

export interface ListMultipartUploadsPage extends ResponseMetadata {
  readonly uploads: readonly ListedUpload[]
  /** Null on the last page. */
  readonly next: { readonly keyMarker: string; readonly uploadIdMarker: string } | null
}

/** An entry of the Complete request (docs/dialect.md, Documented). */
export interface CompletedPart {
  readonly partNumber: number
  readonly etag: string
}

export interface CompleteMultipartUploadRequest extends UploadAddress {
  /** Ascending by part number; gaps are allowed. */
  readonly parts: readonly CompletedPart[]
  /** Size of the whole object: a service that knows how refuses parts that don't add up to it. */
  readonly sizeBytes?: number
  /** Refuse with PreconditionFailed if the key is taken. Sent where `capabilities.ifAbsent.complete`. */
  readonly ifAbsent?: boolean
}

export interface CompleteMultipartUploadResult extends ResponseMetadata {
  readonly etag: string
  /** As the service wrote it; null when it wrote none. */
  readonly location: string | null
}

export interface DeleteObjectsRequest {
  /** 1 to 1,000. */
  readonly keys: readonly string[]
  readonly signal: AbortSignal
}

export interface LinkRequest {
  readonly key: string
  /** 1 to 604,800; what is outside is brought to the nearer end. */
  readonly expiresSeconds: number
  readonly signal: AbortSignal
}

export interface ListObjectsRequest {
  readonly prefix?: string
  /** Keys that have it after the prefix are told as one prefix, up to its first occurrence; left out: none are. */
  readonly delimiter?: string
  /** Keys and prefixes after this one. */
  readonly marker?: string
  /** 1 to 1,000. */
  readonly maxKeys?: number
  readonly signal: AbortSignal
}

export interface ListObjectsPage extends ResponseMetadata {
  readonly objects: readonly ListedObject[]
  readonly prefixes: readonly string[]
  /** Null on the last page. */
  readonly nextMarker: string | null
}
