import type { ByteRange } from '../../../shared/byte-range.ts'
import type { ListedObject } from '../../../shared/place/place.ts'

/**
 * One bucket of an object storage service, in the field's verbs. Both dialects implement it, and plain links as far as
 * they can be read. This folder is all that the engine knows of the stores.
 *
 * Every method throws `StoreError` for an error response or when no response comes, and `signal.reason` when aborted.
 * No method retries a failure. A request is sent again only where the refusal tells what was wrong with it (the clock,
 * the region, expired credentials), and a GET or HEAD where a kept connection turns out to be closed. ETags have no
 * quotes. Anything a response does not promise is read only if its absence is handled (docs/dialect.md, Two rules).
 */
export interface ObjectStore {
  readonly bucket: string
  /** Address of the service by which another computer finds it too. Left out when there is none. */
  readonly endpoint?: string
  /** Scheme, host and port that requests go to; buckets with the same host share a line and its governors. */
  readonly host: string
  readonly capabilities: StoreCapabilities

  /** GetObject. Safe to repeat. The body must be read to its end or left (`break`), which closes the connection. */
  getObject(request: GetObjectRequest): Promise<GetObjectResult>
  /** HeadObject, or GetObject with a one-byte range where a service has no HEAD. Safe to repeat. */
  headObject(request: HeadObjectRequest): Promise<ObjectHead>
  /**
   * HeadObject of one part of an object that was uploaded in parts. Safe to repeat. A service that does not support the
   * request answers about the whole object. Left out where the dialect has no such request.
   */
  headPart?(request: HeadPartRequest): Promise<ObjectPart>
  /**
   * GetObjectAttributes: one page of an object's parts after a given part. Safe to repeat. Used where
   * `capabilities.listsObjectParts`; needs a permission of its own.
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
  /** AbortMultipartUpload. NoSuchUpload means that the upload is already gone. */
  abortMultipartUpload(request: UploadAddress): Promise<void>
  /** ListObjects, one page. Safe to repeat. */
  listObjects(request: ListObjectsRequest): Promise<ListObjectsPage>
  /** DeleteObject. A missing key is not an error. */
  deleteObject(request: { readonly key: string; readonly signal: AbortSignal }): Promise<void>
  /**
   * DeleteObjects; returns the keys that were refused. Missing keys are not errors. Safe to repeat. Left out where the
   * dialect has no such operation; throws NotImplemented where the service lacks it or can delete some of these keys
   * only one by one.
   */
  deleteObjects?(request: DeleteObjectsRequest): Promise<readonly string[]>
  /** Copies within the bucket that the service makes itself. Left out where the dialect has none. */
  readonly copies?: CopyVerbs

  /**
   * Returns an http(s) link by which anyone can download the object for `expiresSeconds`, at most a week. Requests the
   * object first, so the link has the service's time and region and works. Left out where there is nothing to sign
   * with.
   */
  linkTo?(request: LinkRequest): Promise<string>

  /** Closes idle connections; running requests end on their own signals. */
  close(): Promise<void>
  /**
   * Drops every connection, for example after sleep; the next request connects anew. Requests still running on a
   * dropped connection end with a network error.
   */
  dropConnections(): void
}

/** What a store can and can't do, as data. */
export interface StoreCapabilities {
  /** getObject honors If-Match and If-Unmodified-Since. */
  readonly ifMatch: boolean
  /** putObject (`put`) and completeMultipartUpload (`complete`) honor `If-None-Match: *`. */
  readonly ifAbsent?: { readonly put: boolean; readonly complete: boolean }
  /** Metadata given at creation is kept with the object and returned with its head. */
  readonly metadata?: boolean
  /** ETags of parts and single puts are MD5s; multipart ETags are MD5s of MD5s. */
  readonly etagIsMd5: boolean
  /** When false, multipart ETags may be something else: one that matches is proof, one that differs says nothing. */
  readonly multipartEtagIsMd5?: boolean
  /** The service accepts bodies only with their Content-MD5. */
  readonly wantsContentMd5?: boolean
  /** headObject returns the checksums that the service keeps. */
  readonly givesChecksums?: boolean
  /** The store has `listObjectParts`. */
  readonly listsObjectParts?: boolean
  /** listMultipartUploads finds the uploads under any prefix. Elsewhere the prefix may have to be a whole key. */
  readonly listsUploadsByPrefix?: boolean
  /** Every part but the last must be larger than this. */
  readonly minPartSizeBytes: number
  readonly maxPartCount: number
  /** 5 GiB when left out. */
  readonly maxPartSizeBytes?: number
}

/** What every response carries besides its result. */
export interface ResponseMetadata {
  readonly requestId: string | null
}

export interface ObjectHead extends ResponseMetadata {
  /** Size of the whole object, not of the range; null when the response does not tell. */
  readonly sizeBytes: number | null
  /** Null when absent. A weak ETag keeps its `W/`. */
  readonly etag: string | null
  /** HTTP date as sent; null when absent. */
  readonly lastModified: string | null
  readonly contentType: string | null
  /** Set by a service that transforms the bytes it sends; ranges then count encoded bytes. */
  readonly contentEncoding: string | null
  /** `Date` of the response, milliseconds since the epoch; null when absent. */
  readonly serverTimeMs: number | null
  /** The response says that the service accepts ranges (`Accept-Ranges: bytes`); others may accept them silently. */
  readonly acceptsRanges?: true
  /** Metadata given at creation, by lower-case name. Left out where `capabilities.metadata` is not true. */
  readonly metadata?: ObjectMetadata
  /** Digests of the whole object's content that came with the response. */
  readonly digests?: ObjectDigests
  /** What a copy must be told to be like the object. Left out where the dialect has no copies. */
  readonly traits?: ObjectTraits
}

/** Headers of the dialect, by lower-case name, for `CopyVerbs` alone: type, metadata, storage class, encryption key. */
export type ObjectTraits = Readonly<Record<string, string>>

/** Copies within a bucket, with type, metadata, storage class and encryption key, and without the ACL. */
export interface CopyVerbs {
  /**
   * CopyObject, for up to 5 GiB; tags come along. Repeating it replaces its own copy, or is refused if `ifAbsent` is. Fails with
   * PreconditionFailed if the original has another ETag, or the key is taken.
   */
  copyObject(request: CopyObjectRequest): Promise<CopyObjectResult>
  /** CreateMultipartUpload for a copy in parts. Repeating it makes a second upload. */
  createMultipartUpload(
    request: Pick<CopySource, 'traits'> & CopyTarget,
  ): Promise<{ readonly uploadId: string } & ResponseMetadata>
  /** UploadPartCopy. Repeating it replaces the part. */
  uploadPart(request: UploadPartCopyRequest): Promise<PutResult>
  /**
   * Gives a copy that was made in parts the tags of its original, if it has any (GetObjectTagging, PutObjectTagging).
   * Safe to repeat.
   */
  copyTags(request: CopySource & CopyTarget): Promise<void>
}

/** The original of a copy. */
export interface CopySource {
  readonly sourceKey: string
  /** From the original's head; no header where it had none. */
  readonly traits: ObjectTraits
}

export interface CopyTarget {
  readonly key: string
  readonly signal: AbortSignal
}

export interface CopyObjectRequest extends CopySource, CopyTarget {
  /** The original's ETag, as a condition; null where it has none. Not every service honors it. */
  readonly sourceEtag: string | null
  /** The request fails with PreconditionFailed if the key is taken. Sent where the service honors it. */
  readonly ifAbsent: boolean
}

export interface CopyObjectResult extends ResponseMetadata {
  /** The copy's ETag, which may differ from the original's; null when the response does not tell. */
  readonly etag: string | null
}

export interface UploadPartCopyRequest extends UploadAddress, Pick<CopySource, 'sourceKey'> {
  /** 1 to 10,000. */
  readonly partNumber: number
  /** The bytes of the original, at most 5 GiB. */
  readonly range: ByteRange
  readonly sourceEtag: string | null
}

/** Short ASCII texts that a person or program attached to an object, by name without prefix. */
export type ObjectMetadata = Readonly<Record<string, string>>

/** Digests of the whole content that a service gives besides the ETag: in hex, the CRC-32 as an unsigned number. */
export interface ObjectDigests {
  readonly md5?: string
  readonly sha1?: string
  readonly sha256?: string
  readonly crc32?: number
  /** Most significant byte first. */
  readonly crc32c?: string
  /** CRC-64/NVME, most significant byte first. */
  readonly crc64nvme?: string
  readonly composite?: CompositeDigest
}

/** A digest over the binary digests of an object's parts, concatenated in order. */
export interface CompositeDigest {
  readonly algorithm: 'sha1' | 'sha256' | 'crc32' | 'crc32c'
  /** Hex. */
  readonly digest: string
  readonly partCount: number
}

export interface GetObjectRequest {
  readonly key: string
  /** The whole object when left out. `end` may lie past the end of the object. */
  readonly range?: ByteRange
  /** HTTP date. Never together with `range`. */
  readonly ifModifiedSince?: string
  /** An ETag: the result is `not-modified` if the object still has it. Sent where `capabilities.ifMatch`. */
  readonly ifNoneMatch?: string
  /** Sent where `capabilities.ifMatch`. */
  readonly ifMatch?: string
  /** HTTP date, for use when there is no ETag to match. Sent where `capabilities.ifMatch`. */
  readonly ifUnmodifiedSince?: string
  /** What earlier responses said of the object. Not sent: a web page that says otherwise is no response of the service. */
  readonly version?: Pick<ObjectHead, 'etag' | 'lastModified'>
  readonly signal: AbortSignal
}

export type GetObjectResult =
  | {
      readonly kind: 'content'
      readonly status: 200 | 206
      /** The range that the response carries, end-exclusive; null on 200. An unreadable one is a BadAnswer error. */
      readonly contentRange: (ByteRange & { readonly totalBytes: number | null }) | null
      /** Content-Length; null when absent. */
      readonly contentLength: number | null
      /** The body has neither a length nor a last chunk: it ends with the connection, complete or not (RFC 9112, 8). */
      readonly endsWithConnection?: true
      readonly head: ObjectHead
      /**
       * Bytes as sent, in blocks of up to 1 MiB. A block is valid only until the next one is requested or the body is
       * left, because the connection reuses its memory. A body of the wrong length throws a network StoreError.
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
  /** 1 to 10,000: the position of the part in the object, whatever its number was during the upload. */
  readonly partNumber: number
}

/** What a response says about one part. */
export interface ObjectPart extends ResponseMetadata {
  /** ETag of the object version that the part belongs to; null when absent. */
  readonly etag: string | null
  /** Null when the response does not tell. */
  readonly sizeBytes: number | null
}

export interface ListObjectPartsRequest extends HeadObjectRequest {
  /** 0 to start with the first part. */
  readonly partNumberMarker: number
}

export interface ListObjectPartsPage extends ResponseMetadata {
  readonly etag: string | null
  /** Sizes in bytes, in the order of the parts; empty where the service keeps no checksums of the parts. */
  readonly sizes: readonly number[]
  /** Null on the last page. */
  readonly nextPartNumberMarker: number | null
}

/**
 * A request body that can be sent again: each call of `open` starts from the beginning. A block is valid only until the
 * next one is requested or the body is left, because its memory is reused.
 */
export interface RequestBody {
  readonly sizeBytes: number
  readonly open: () => AsyncIterable<Uint8Array>
}

export interface PutObjectRequest {
  readonly key: string
  readonly body: RequestBody
  /** MD5 of the body in Base64. */
  readonly contentMd5?: string
  readonly contentType?: string
  /** Sent where `capabilities.metadata`. */
  readonly metadata?: ObjectMetadata
  /** The request fails with PreconditionFailed if the key is taken. Sent where `capabilities.ifAbsent.put`. */
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
  /** Lists parts after this one; 0 or left out to start with the first. */
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
  /** Lists uploads of keys after this one; with `uploadIdMarker`, also those of this key after that upload. */
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
  /** Size of the whole object; a service that can check it refuses parts that don't add up to it. */
  readonly sizeBytes?: number
  /** The request fails with PreconditionFailed if the key is taken. Sent where `capabilities.ifAbsent.complete`. */
  readonly ifAbsent?: boolean
}

export interface CompleteMultipartUploadResult extends ResponseMetadata {
  readonly etag: string
  /** As the service wrote it; null when absent. */
  readonly location: string | null
}

export interface DeleteObjectsRequest {
  /** 1 to 1,000. */
  readonly keys: readonly string[]
  readonly signal: AbortSignal
}

export interface LinkRequest {
  readonly key: string
  /** 1 to 604,800; values outside are clamped. */
  readonly expiresSeconds: number
  readonly signal: AbortSignal
}

export interface ListObjectsRequest {
  readonly prefix?: string
  /** Keys that contain it after the prefix are grouped under one prefix, up to its first occurrence. */
  readonly delimiter?: string
  /** Lists keys and prefixes after this one. */
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
