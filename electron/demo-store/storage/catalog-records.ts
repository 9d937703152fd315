/** A file of content bytes; its name is its id, never anything that a client chose. */
export interface ContentRef {
  readonly contentId: string
  readonly sizeBytes: number
}

/** An object as the journal has it. Times are milliseconds since the epoch. */
export interface StoredObject {
  readonly key: string
  /** Without quotes. */
  readonly etag: string
  readonly contentType: string
  readonly lastModifiedMs: number
  readonly sizeBytes: number
  /** The object's bytes are those of these files, one after the other: completing an upload copies nothing. */
  readonly contents: readonly ContentRef[]
}

export interface StoredPart extends ContentRef {
  /** Hex; the part's ETag. */
  readonly md5: string
  readonly lastModifiedMs: number
}

/** A multipart upload as it was created. */
export interface UploadFacts {
  readonly uploadId: string
  readonly bucket: string
  readonly key: string
  readonly contentType: string
  readonly initiatedMs: number
}

/** A multipart upload that is neither completed nor aborted, with its parts. */
export interface StoredUpload extends UploadFacts {
  /** By part number. */
  readonly parts: ReadonlyMap<number, StoredPart>
}

/** Everything that can happen to the catalog. The journal holds one record per line (`journal-lines.ts`). */
export type CatalogRecord =
  | { readonly type: 'object-put'; readonly bucket: string; readonly object: StoredObject }
  | { readonly type: 'object-deleted'; readonly bucket: string; readonly key: string }
  | { readonly type: 'upload-created'; readonly upload: UploadFacts }
  | { readonly type: 'part-stored'; readonly uploadId: string; readonly partNumber: number; readonly part: StoredPart }
  | { readonly type: 'upload-aborted'; readonly uploadId: string }
  | {
      readonly type: 'upload-completed'
      readonly uploadId: string
      readonly etag: string
      readonly lastModifiedMs: number
      /** The listed parts, each with the content that it was checked against. */
      readonly parts: readonly (readonly [partNumber: number, contentId: string])[]
    }

/** The effect of a record. `applied` is false when its subject was gone or had changed before its turn came. */
export interface Applied {
  readonly applied: boolean
  /** Contents that nothing refers to any more. */
  readonly released: readonly string[]
}
