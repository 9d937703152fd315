import { createHash } from 'node:crypto'
import type {
  CompletedPart,
  ListedPart,
  ObjectHead,
  ObjectMetadata,
} from '../../../electron/stores/port/object-store.ts'
import { StoreError } from '../../../electron/stores/port/store-error.ts'
import type { Random } from '../random.ts'
import type { Timeline } from '../timeline.ts'

/** Everything 1024 times smaller. */
export const LEAST_PART_BYTES = 5 * 1024

interface StoredPart {
  readonly bytes: Buffer
  readonly etag: string
}

export interface SimUpload {
  readonly uploadId: string
  readonly key: string
  readonly parts: Map<number, StoredPart>
  readonly metadata: ObjectMetadata
  /** Completions that arrived and are not carried out yet. */
  pending: number
}

/** What a key held for a while. */
export interface StoredVersion {
  readonly bytes: Buffer
  readonly etag: string
  readonly metadata: ObjectMetadata
  readonly lastModified: string
  readonly atMs: number
  /** Milliseconds of virtual time; null while it is the object. */
  replacedAtMs: number | null
  /** Somebody else made it. */
  readonly isTheirs: boolean
}

interface Asked {
  readonly metadata?: ObjectMetadata | undefined
  readonly ifAbsent?: boolean | undefined
}

/**
 * The far end of uploads: strict, and honest once it acts. What is lost, late or wrong is the network's
 * (SimUploadStore).
 */
export class SimUploadService {
  readonly etagIsMd5: boolean
  /** False: ETags of several parts are made up. */
  readonly multipartEtagIsMd5: boolean
  readonly keepsMetadata: boolean
  /** An upload that is being completed is shown to nobody any more. */
  readonly hidesCompleting: boolean
  /** A repeated completion is answered as the first was. */
  readonly remembersCompleted: boolean
  /** A request can say that it is to replace nothing. */
  readonly hasConditions: boolean
  /** Others upload the same files in the same parts, and complete them at the same time. */
  hasTwins: boolean
  readonly uploads = new Map<string, SimUpload>()
  readonly versions = new Map<string, StoredVersion[]>()
  readonly #completed = new Map<string, string>()
  readonly #timeline: Timeline
  #last = 0

  constructor(timeline: Timeline, random: Random) {
    this.#timeline = timeline
    this.etagIsMd5 = random.chance(0.7)
    this.keepsMetadata = random.chance(0.4)
    this.hidesCompleting = random.chance(0.5)
    this.remembersCompleted = random.chance(0.5)
    this.multipartEtagIsMd5 = this.etagIsMd5 && random.chance(0.7)
    this.hasConditions = random.chance(0.5)
    this.hasTwins = this.hidesCompleting !== this.remembersCompleted
  }

  /** The service's own clock, milliseconds since the epoch. */
  get nowMs(): number {
    return Date.UTC(2026, 0, 1) + Math.floor(this.#timeline.nowMs)
  }

  head(key: string): ObjectHead {
    const version = this.versions.get(key)?.at(-1)
    if (version === undefined) throw refused('NoSuchKey', 404)
    const { bytes, etag, lastModified, metadata } = version
    const untold = { contentType: null, contentEncoding: null, requestId: null }
    return {
      sizeBytes: bytes.length,
      etag,
      lastModified,
      serverTimeMs: this.nowMs,
      ...untold,
      ...(this.keepsMetadata ? { metadata } : {}),
    }
  }

  put(key: string, bytes: Buffer, { metadata = {}, ifAbsent }: Asked = {}): string {
    this.#check(key, ifAbsent)
    const etag = this.etagIsMd5 ? md5(bytes) : this.#opaque()
    this.#store(key, { bytes, etag, metadata, isTheirs: false })
    return etag
  }

  /** Somebody else makes an object. */
  putByOther(key: string, bytes: Buffer): void {
    const etag = this.etagIsMd5 ? md5(bytes) : this.#opaque()
    this.#store(key, { bytes, etag, metadata: {}, isTheirs: true })
  }

  create(key: string, metadata: ObjectMetadata = {}): string {
    this.#last += 1
    const uploadId = `upload-${this.#last}`
    this.uploads.set(uploadId, { uploadId, key, metadata, parts: new Map(), pending: 0 })
    return uploadId
  }

  putPart(uploadId: string, partNumber: number, bytes: Buffer): string {
    const upload = this.#require(uploadId)
    const etag = this.etagIsMd5 ? md5(bytes) : this.#opaque()
    upload.parts.set(partNumber, { bytes, etag })
    return etag
  }

  listParts(uploadId: string): readonly ListedPart[] {
    const upload = this.#require(uploadId)
    return [...upload.parts]
      .sort(([a], [b]) => a - b)
      .map(([partNumber, { bytes, etag }]) => ({ partNumber, etag, sizeBytes: bytes.length, lastModified: null }))
  }

  listUploads(prefix: string): readonly SimUpload[] {
    return [...this.uploads.values()].filter((upload) => upload.key.startsWith(prefix) && !this.#isHidden(upload))
  }

  /** @returns the ETag of the object. */
  complete(uploadId: string, listed: readonly CompletedPart[], ifAbsent?: boolean): string {
    const remembered = this.#completed.get(uploadId)
    if (remembered !== undefined && this.remembersCompleted) return remembered
    const upload = this.uploads.get(uploadId)
    if (upload === undefined) throw refused('NoSuchUpload', 404)
    const parts = partsOf(upload, listed)
    if (parts.slice(0, -1).some(({ bytes }) => bytes.length <= LEAST_PART_BYTES)) throw refused('EntityTooSmall', 400)
    this.#check(upload.key, ifAbsent)
    const { bytes, etag } = this.#join(parts)
    this.#store(upload.key, { bytes, etag, metadata: upload.metadata, isTheirs: false })
    this.uploads.delete(uploadId)
    this.#completed.set(uploadId, etag)
    return etag
  }

  /** Somebody else completes an upload of the very same parts. */
  completeTwin(uploadId: string, listed: readonly CompletedPart[]): void {
    const upload = this.uploads.get(uploadId)
    if (upload === undefined) return
    this.#store(upload.key, { ...this.#join(partsOf(upload, listed)), metadata: {}, isTheirs: true })
  }

  abort(uploadId: string): void {
    if (!this.uploads.delete(uploadId)) throw refused('NoSuchUpload', 404)
  }

  #require(uploadId: string): SimUpload {
    const upload = this.uploads.get(uploadId)
    if (upload === undefined || this.#isHidden(upload)) throw refused('NoSuchUpload', 404)
    return upload
  }

  #isHidden({ pending }: SimUpload): boolean {
    return this.hidesCompleting && pending > 0
  }

  #check(key: string, ifAbsent = false): void {
    if (ifAbsent && this.hasConditions && this.versions.has(key)) throw refused('PreconditionFailed', 412)
  }

  #store(key: string, made: Pick<StoredVersion, 'bytes' | 'etag' | 'metadata' | 'isTheirs'>): void {
    const versions = this.versions.get(key) ?? []
    this.versions.set(key, versions)
    const before = versions.at(-1)
    if (before !== undefined) before.replacedAtMs = this.#timeline.nowMs
    const lastModified = new Date(this.nowMs).toUTCString()
    versions.push({ ...made, lastModified, atMs: this.#timeline.nowMs, replacedAtMs: null })
  }

  #join(parts: readonly StoredPart[]): Pick<StoredVersion, 'bytes' | 'etag'> {
    const hash = createHash('md5')
    for (const { bytes } of parts) hash.update(md5(bytes), 'hex')
    const etag = `${this.multipartEtagIsMd5 ? hash.digest('hex') : this.#opaque()}-${parts.length}`
    return { bytes: Buffer.concat(parts.map((part) => part.bytes)), etag }
  }

  #opaque(): string {
    this.#last += 1
    return `opaque${this.#last}`
  }
}

function partsOf(upload: SimUpload, listed: readonly CompletedPart[]): readonly StoredPart[] {
  return listed.map(({ partNumber, etag }) => {
    const part = upload.parts.get(partNumber)
    if (part?.etag !== etag) throw refused('InvalidPart', 400)
    return part
  })
}

export function refused(code: string, httpStatus: number, retryAfterMs: number | null = null): StoreError {
  const maybeProcessed = httpStatus < 400 || httpStatus >= 500
  return new StoreError(code, `${code}, ${httpStatus}`, { httpStatus, retryAfterMs, maybeProcessed })
}

export function md5(bytes: Uint8Array): string {
  return createHash('md5').update(bytes).digest('hex')
}
