import { createHash, randomUUID } from 'node:crypto'
import type * as port from '../../../electron/stores/port/object-store.ts'
import { StoreError } from '../../../electron/stores/port/store-error.ts'

/** One request as a test sees it. */
export interface StoreCall {
  readonly operation: keyof port.ObjectStore
  readonly key: string
  readonly uploadId?: string
  readonly partNumber?: number
}

export interface StoredObject {
  readonly bytes: Buffer
  readonly etag: string
  readonly lastModified: string
  readonly metadata: port.ObjectMetadata
}

interface StoredUpload {
  readonly key: string
  readonly metadata: port.ObjectMetadata
  readonly parts: Map<number, { readonly bytes: Buffer; readonly etag: string }>
}

/** A strict bucket in memory. `before` and `after` run around each request's effect and may throw or change things. */
export class MemoryStore implements port.ObjectStore {
  readonly bucket = 'memory'
  readonly host = 'http://memory'
  capabilities: port.StoreCapabilities = {
    ifMatch: false,
    etagIsMd5: true,
    listsUploadsByPrefix: true,
    minPartSizeBytes: 5 * 1024 * 1024,
    maxPartCount: 10_000,
  }
  readonly objects = new Map<string, StoredObject>()
  readonly contentTypes = new Map<string, string | undefined>()
  readonly uploads = new Map<string, StoredUpload>()
  readonly calls: StoreCall[] = []
  pageSize = 1000
  /** As on MinIO, the uploads of a key are listed only if it is asked for as a whole. */
  listsUploadsByKeyOnly = false
  /** What the service names bytes that it was sent. */
  etagOf: (bytes: Uint8Array) => string = md5
  nowMs: () => number = Date.now
  before: (call: StoreCall) => void | Promise<void> = () => undefined
  after: (call: StoreCall) => void | Promise<void> = () => undefined

  /** How often an operation was asked for. */
  count(operation: StoreCall['operation']): number {
    return this.calls.filter((call) => call.operation === operation).length
  }

  /** Part numbers in the order they were sent. */
  partsSent(): readonly number[] {
    return this.calls.flatMap((call) => (call.operation === 'uploadPart' ? [call.partNumber ?? 0] : []))
  }

  /** Puts an object as somebody else would. */
  place(key: string, bytes: Buffer, etag = md5(bytes), metadata: port.ObjectMetadata = {}): void {
    this.objects.set(key, { bytes, etag, lastModified: new Date(this.nowMs()).toUTCString(), metadata })
  }

  /** Opens an upload with parts as somebody else would. */
  placeUpload(
    key: string,
    parts: Readonly<Record<number, Buffer>>,
    uploadId: string = randomUUID(),
    metadata: port.ObjectMetadata = {},
  ): string {
    const stored = Object.entries(parts).map(
      ([number, bytes]) => [Number(number), { bytes, etag: md5(bytes) }] as const,
    )
    this.uploads.set(uploadId, { key, metadata, parts: new Map(stored) })
    return uploadId
  }

  getObject(): Promise<port.GetObjectResult> {
    return Promise.reject(new Error('Not needed for uploads'))
  }

  headObject({ key }: port.HeadObjectRequest): Promise<port.ObjectHead> {
    return this.#respond({ operation: 'headObject', key }, () => {
      const object = this.objects.get(key)
      if (object === undefined) throw refusal('NoSuchKey', 404)
      return {
        sizeBytes: object.bytes.length,
        etag: object.etag,
        lastModified: object.lastModified,
        contentType: null,
        contentEncoding: null,
        serverTimeMs: this.nowMs(),
        requestId: 'head',
        ...(this.capabilities.metadata === true ? { metadata: object.metadata } : {}),
      }
    })
  }

  async putObject(request: port.PutObjectRequest): Promise<port.PutResult> {
    const { key, contentType, metadata } = request
    this.contentTypes.set(key, contentType)
    return this.#respond({ operation: 'putObject', key }, async () => {
      const bytes = await receive(request)
      if (this.capabilities.ifAbsent?.put === true) this.#requireAbsent(request)
      const etag = this.etagOf(bytes)
      this.place(key, bytes, etag, metadata)
      return { etag, requestId: 'put' }
    })
  }

  createMultipartUpload({ key, contentType, metadata }: port.CreateMultipartUploadRequest) {
    this.contentTypes.set(key, contentType)
    return this.#respond({ operation: 'createMultipartUpload', key }, () => ({
      uploadId: this.placeUpload(key, {}, randomUUID(), metadata),
      requestId: 'create',
    }))
  }

  uploadPart(request: port.UploadPartRequest): Promise<port.PutResult> {
    const { key, uploadId, partNumber } = request
    return this.#respond({ operation: 'uploadPart', key, uploadId, partNumber }, async () => {
      const upload = this.#upload(uploadId, key)
      const bytes = await receive(request)
      const etag = this.etagOf(bytes)
      upload.parts.set(partNumber, { bytes, etag })
      return { etag, requestId: `part-${String(partNumber)}` }
    })
  }

  listParts({ key, uploadId, partNumberMarker = 0 }: port.ListPartsRequest): Promise<port.ListPartsPage> {
    return this.#respond({ operation: 'listParts', key, uploadId }, () => {
      const all = [...this.#upload(uploadId, key).parts]
        .map(([partNumber, { bytes, etag }]) => ({ partNumber, etag, sizeBytes: bytes.length, lastModified: null }))
        .filter((part) => part.partNumber > partNumberMarker)
        .sort((a, b) => a.partNumber - b.partNumber)
      const parts = all.slice(0, this.pageSize)
      const isTruncated = parts.length < all.length
      return { parts, nextPartNumberMarker: isTruncated ? (parts.at(-1)?.partNumber ?? null) : null, requestId: 'list' }
    })
  }

  listMultipartUploads(request: port.ListMultipartUploadsRequest): Promise<port.ListMultipartUploadsPage> {
    const { prefix = '', keyMarker = '', uploadIdMarker = '' } = request
    return this.#respond({ operation: 'listMultipartUploads', key: prefix }, () => {
      const all = [...this.uploads]
        .map(([uploadId, { key }]) => ({ key, uploadId, initiated: null }))
        .filter(({ key }) => (this.listsUploadsByKeyOnly ? key === prefix : key.startsWith(prefix)))
        .filter((upload) => upload.key > keyMarker || (upload.key === keyMarker && upload.uploadId > uploadIdMarker))
        .sort((a, b) => (`${a.key}\0${a.uploadId}` < `${b.key}\0${b.uploadId}` ? -1 : 1))
      const uploads = all.slice(0, this.pageSize)
      const last = uploads.at(-1)
      const isTruncated = uploads.length < all.length && last !== undefined
      const next = isTruncated ? { keyMarker: last.key, uploadIdMarker: last.uploadId } : null
      return { uploads, next, requestId: 'uploads' }
    })
  }

  completeMultipartUpload(request: port.CompleteMultipartUploadRequest): Promise<port.CompleteMultipartUploadResult> {
    const { key, uploadId } = request
    return this.#respond({ operation: 'completeMultipartUpload', key, uploadId }, () => {
      const upload = this.#upload(uploadId, key)
      const parts = request.parts.map(({ partNumber, etag }) => {
        const part = upload.parts.get(partNumber)
        if (part?.etag !== etag) throw refusal('InvalidPart', 400)
        return part
      })
      const tooSmall = parts.slice(0, -1).some((part) => part.bytes.length <= this.capabilities.minPartSizeBytes)
      if (tooSmall) throw refusal('EntityTooSmall', 400)
      if (this.capabilities.ifAbsent?.complete === true) this.#requireAbsent(request)
      const digests = Buffer.concat(parts.map((part) => Buffer.from(part.etag, 'hex')))
      const etag = `${md5(digests)}-${String(parts.length)}`
      this.place(key, Buffer.concat(parts.map((part) => part.bytes)), etag, upload.metadata)
      this.uploads.delete(uploadId)
      return { etag, location: null, requestId: 'complete' }
    })
  }

  abortMultipartUpload({ key, uploadId }: port.UploadAddress): Promise<void> {
    return this.#respond({ operation: 'abortMultipartUpload', key, uploadId }, () => {
      this.#upload(uploadId, key)
      this.uploads.delete(uploadId)
    })
  }

  listObjects(): Promise<port.ListObjectsPage> {
    return Promise.reject(new Error('Not needed for uploads'))
  }

  deleteObject({ key }: { readonly key: string }): Promise<void> {
    this.objects.delete(key)
    return Promise.resolve()
  }

  close(): Promise<void> {
    return Promise.resolve()
  }

  dropConnections(): void {
    // Nothing is kept.
  }

  #requireAbsent({ key, ifAbsent }: Pick<port.PutObjectRequest, 'key' | 'ifAbsent'>): void {
    if (ifAbsent === true && this.objects.has(key)) throw refusal('PreconditionFailed', 412)
  }

  #upload(uploadId: string, key: string): StoredUpload {
    const upload = this.uploads.get(uploadId)
    if (upload?.key !== key) throw refusal('NoSuchUpload', 404)
    return upload
  }

  async #respond<Value>(call: StoreCall, effect: () => Value | Promise<Value>): Promise<Value> {
    this.calls.push(call)
    await this.before(call)
    const value = await effect()
    await this.after(call)
    return value
  }
}

/** A refusal in the service's own words. */
export function refusal(code: string, httpStatus: number): StoreError {
  const maybeProcessed = httpStatus < 400 || httpStatus >= 500
  return new StoreError(code, code, { httpStatus, requestId: 'refused', maybeProcessed })
}

/** The connection was lost; nobody knows whether the request arrived. */
export function lostResponse(): StoreError {
  return new StoreError('NetworkError', 'socket hang up')
}

async function receive(request: port.PutObjectRequest | port.UploadPartRequest): Promise<Buffer> {
  const blocks: Uint8Array[] = []
  for await (const block of request.body.open()) {
    request.signal.throwIfAborted()
    request.onSent?.(block.length)
    // It is valid only until the next one is asked for.
    blocks.push(Buffer.from(block))
  }
  const bytes = Buffer.concat(blocks)
  const digest = createHash('md5').update(bytes).digest('base64')
  if (bytes.length !== request.body.sizeBytes) throw refusal('IncompleteBody', 400)
  if (request.contentMd5 !== undefined && request.contentMd5 !== digest) throw refusal('InvalidDigest', 400)
  return bytes
}

function md5(bytes: Uint8Array): string {
  return createHash('md5').update(bytes).digest('hex')
}
