import { assertNever } from '../../../shared/assert.ts'
import type {
  Applied,
  CatalogRecord,
  ContentRef,
  StoredObject,
  StoredPart,
  StoredUpload,
  UploadFacts,
} from './catalog-records.ts'
import { SortedNames } from './sorted-names.ts'

/** The objects of one bucket, and their names in order. */
export interface BucketIndex {
  readonly objects: ReadonlyMap<string, StoredObject>
  readonly names: SortedNames
}

interface MutableBucket extends BucketIndex {
  readonly objects: Map<string, StoredObject>
}

interface MutableUpload extends UploadFacts {
  readonly parts: Map<number, StoredPart>
}

const REFUSED: Applied = { applied: false, released: [] }

/**
 * What is stored, in memory. Only `apply` changes it, deterministically: replaying the journal's records yields the
 * same catalog, refusals included.
 */
export class Catalog {
  readonly #buckets = new Map<string, MutableBucket>()
  readonly #uploads = new Map<string, MutableUpload>()

  object(bucket: string, key: string): StoredObject | undefined {
    return this.#buckets.get(bucket)?.objects.get(key)
  }

  upload(uploadId: string): StoredUpload | undefined {
    return this.#uploads.get(uploadId)
  }

  uploads(bucket: string): StoredUpload[] {
    return [...this.#uploads.values()].filter((upload) => upload.bucket === bucket)
  }

  bucket(name: string): BucketIndex {
    return this.#bucket(name)
  }

  apply(record: CatalogRecord): Applied {
    switch (record.type) {
      case 'object-put':
        return { applied: true, released: this.#put(record.bucket, record.object) }
      case 'object-deleted':
        return { applied: true, released: this.#delete(record.bucket, record.key) }
      case 'upload-created':
        this.#uploads.set(record.upload.uploadId, { ...record.upload, parts: new Map() })
        return { applied: true, released: [] }
      case 'part-stored':
        return this.#storePart(record.uploadId, record.partNumber, record.part)
      case 'upload-aborted': {
        const upload = this.#uploads.get(record.uploadId)
        this.#uploads.delete(record.uploadId)
        return upload === undefined ? REFUSED : { applied: true, released: idsOf(upload.parts.values()) }
      }
      case 'upload-completed':
        return this.#complete(record)
      default:
        return assertNever(record)
    }
  }

  /** Yields the fewest records that rebuild this catalog. */
  *records(): Generator<CatalogRecord> {
    for (const [bucket, { objects }] of this.#buckets) {
      for (const object of objects.values()) yield { type: 'object-put', bucket, object }
    }
    for (const { parts, ...upload } of this.#uploads.values()) {
      yield { type: 'upload-created', upload }
      for (const [partNumber, part] of parts) {
        yield { type: 'part-stored', uploadId: upload.uploadId, partNumber, part }
      }
    }
  }

  /** Yields the ids of all contents that an object or a part refers to. */
  *contentIds(): Generator<string> {
    for (const { objects } of this.#buckets.values()) {
      for (const object of objects.values()) yield* idsOf(object.contents)
    }
    for (const upload of this.#uploads.values()) yield* idsOf(upload.parts.values())
  }

  #bucket(name: string): MutableBucket {
    let bucket = this.#buckets.get(name)
    if (bucket === undefined) {
      const objects = new Map<string, StoredObject>()
      bucket = { objects, names: new SortedNames({ [Symbol.iterator]: () => objects.keys() }) }
      this.#buckets.set(name, bucket)
    }
    return bucket
  }

  #put(bucketName: string, object: StoredObject): string[] {
    const bucket = this.#bucket(bucketName)
    const replaced = bucket.objects.get(object.key)
    bucket.objects.set(object.key, object)
    if (replaced === undefined) bucket.names.add(object.key)
    return idsOf(replaced?.contents ?? [])
  }

  #delete(bucketName: string, key: string): string[] {
    const bucket = this.#bucket(bucketName)
    const deleted = bucket.objects.get(key)
    bucket.objects.delete(key)
    bucket.names.delete(key)
    return idsOf(deleted?.contents ?? [])
  }

  #storePart(uploadId: string, partNumber: number, part: StoredPart): Applied {
    const upload = this.#uploads.get(uploadId)
    if (upload === undefined) return REFUSED
    const replaced = upload.parts.get(partNumber)
    upload.parts.set(partNumber, part)
    return { applied: true, released: idsOf(replaced === undefined ? [] : [replaced]) }
  }

  #complete(record: Extract<CatalogRecord, { type: 'upload-completed' }>): Applied {
    const upload = this.#uploads.get(record.uploadId)
    if (upload === undefined) return REFUSED
    const unlisted = new Map(upload.parts)
    const contents: ContentRef[] = []
    let sizeBytes = 0
    for (const [partNumber, contentId] of record.parts) {
      const part = unlisted.get(partNumber)
      if (part?.contentId !== contentId) return REFUSED
      unlisted.delete(partNumber)
      contents.push({ contentId, sizeBytes: part.sizeBytes })
      sizeBytes += part.sizeBytes
    }
    const { key, contentType } = upload
    const { etag, lastModifiedMs } = record
    this.#uploads.delete(record.uploadId)
    const replaced = this.#put(upload.bucket, { key, etag, contentType, lastModifiedMs, sizeBytes, contents })
    return { applied: true, released: [...replaced, ...idsOf(unlisted.values())] }
  }
}

function idsOf(contents: Iterable<ContentRef>): string[] {
  return Array.from(contents, (content) => content.contentId)
}
