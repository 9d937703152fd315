import type * as port from '../../../electron/stores/port/object-store.ts'
import { StoreError } from '../../../electron/stores/port/store-error.ts'
import { networkError } from '../download/sim-store.ts'
import type { Faults } from '../faults.ts'
import type { LineTerms } from '../line/line-draw.ts'
import type { Line } from '../line/line.ts'
import type { Random } from '../random.ts'
import type { SimProcess } from '../machine/sim-process.ts'
import type { Timeline, Trace } from '../timeline.ts'
import type { UploadAccount } from './upload-account.ts'
import { drawFate, type Lie } from './upload-fate.ts'
import type { UploadOracle } from './upload-oracle.ts'
import { MOST_TRAVEL_MS, timeLimitMs, UploadRequest } from './upload-request.ts'
import { LEAST_PART_BYTES, md5, refused, type SimUploadService } from './upload-service.ts'

/** An answer that was lost is carried out this much later at most: sooner than an upload counts as lost. */
const MOST_LATE_MS = 12_000

export interface SimUploadStoreParts {
  readonly line: Line
  readonly lineTerms: LineTerms
  readonly account: UploadAccount
  /** The service has no moods: what it does follows from the line's terms. */
  readonly isHonest: boolean
  readonly process: SimProcess
  readonly service: SimUploadService
  readonly timeline: Timeline
  readonly faults: Faults
  readonly random: Random
  readonly oracle: UploadOracle
  readonly trace: Trace
}

/** A request on its way: what it does when it arrives, and what else may happen to it. */
interface Exchange<Value> {
  readonly name: string
  readonly signal: AbortSignal
  readonly body?: Sending
  readonly effect: (bytes: Buffer) => Value
  /** Refusals that are not true. */
  readonly lies?: readonly Lie[]
  /** Arriving twice does no harm. */
  readonly isRepeatable?: boolean
  /** The service is at work on it from `true` to `false`. */
  readonly onWork?: (isAtWork: boolean) => void
}

interface Sending {
  readonly key: string
  readonly body: port.RequestBody
  readonly onSent: ((bytes: number) => void) | undefined
  /** The service has it already. */
  readonly isThere: boolean
}

const NOTHING = Buffer.alloc(0)
const NO_UPLOAD = ['NoSuchUpload', 404] as const

/** The client side of simulated uploads. A request that left goes on by itself, whatever becomes of whoever sent it. */
export class SimUploadStore {
  readonly bucket = 'media'
  readonly host = 'http://simulated'
  readonly capabilities: port.StoreCapabilities
  readonly #parts: SimUploadStoreParts
  readonly #open = new Set<UploadRequest>()
  /** When the program last saw what a key has, by key. */
  readonly #seenMs = new Map<string, number>()
  /** Keys of objects that the program was told it made: one that arrived damaged is its own to replace. */
  readonly #made = new Set<string>()

  constructor(parts: SimUploadStoreParts) {
    this.#parts = parts
    const { etagIsMd5, multipartEtagIsMd5, keepsMetadata: metadata, hasConditions } = parts.service
    const ifAbsent = { put: hasConditions, complete: hasConditions }
    const limits = { minPartSizeBytes: LEAST_PART_BYTES, maxPartCount: 10_000 }
    this.capabilities = { etagIsMd5, multipartEtagIsMd5, metadata, ifAbsent, ifMatch: false, ...limits }
  }

  asObjectStore(): port.ObjectStore {
    return this as unknown as port.ObjectStore
  }

  async headObject({ key, signal }: port.HeadObjectRequest): Promise<port.ObjectHead> {
    const { service, timeline } = this.#parts
    let lookedMs = Number.NEGATIVE_INFINITY
    const effect = (): port.ObjectHead => {
      lookedMs = timeline.nowMs
      return service.head(key)
    }
    const see = (): void => void this.#seenMs.set(key, Math.max(lookedMs, this.#seenMs.get(key) ?? lookedMs))
    try {
      const head = await this.#exchange({ name: `head ${key}`, signal, effect })
      see()
      return head
    } catch (failure) {
      if (failure instanceof StoreError && failure.code === 'NoSuchKey') see()
      // Where nobody may look any more, there is nothing to go by.
      if (failure instanceof StoreError && failure.code === 'AccessDenied') this.#seenMs.delete(key)
      throw failure
    }
  }

  /** Carries out what makes an object, and sees to it that nothing is replaced that is to stay and could be seen. */
  #making(key: string, uploadId: string | null, make: () => string): () => string {
    const { service, oracle } = this.#parts
    const isToStay = oracle.isToStay(key, uploadId)
    const seenMs = this.#seenMs.get(key) ?? Number.NEGATIVE_INFINITY
    const isOwn = uploadId === null && this.#made.has(key)
    return () => {
      const before = service.versions.get(key)?.at(-1)
      const etag = make()
      const isReplaced = before !== undefined && before.isTheirs && before.replacedAtMs !== null
      const isSafe = service.hasConditions && !isOwn
      if (isToStay && isReplaced && (isSafe || before.atMs < seenMs))
        oracle.violated(`Somebody else’s object at ${key} is replaced`)
      return etag
    }
  }

  async putObject(request: port.PutObjectRequest): Promise<port.PutResult> {
    const { key, body, contentMd5, metadata, ifAbsent, signal, onSent } = request
    let content: Buffer = NOTHING
    const make = this.#making(key, null, () => this.#parts.service.put(key, content, { metadata, ifAbsent }))
    const etag = await this.#exchange({
      name: `put ${key}`,
      signal,
      body: { key, body, onSent, isThere: false },
      effect: (bytes) => {
        checkDigest(bytes, contentMd5)
        content = bytes
        return make()
      },
      isRepeatable: true,
    })
    this.#made.add(key)
    return { etag, requestId: null }
  }

  async createMultipartUpload({ key, metadata, signal }: port.CreateMultipartUploadRequest) {
    const effect = (): string => this.#parts.service.create(key, metadata)
    const uploadId = await this.#exchange({ name: `create ${key}`, signal, effect })
    return { uploadId, requestId: null }
  }

  async uploadPart(request: port.UploadPartRequest): Promise<port.PutResult> {
    const { key, uploadId, partNumber, body, contentMd5, signal, onSent } = request
    const { service, oracle } = this.#parts
    await oracle.partBegun(uploadId, partNumber)
    const isThere = service.uploads.get(uploadId)?.parts.has(partNumber) === true
    const etag = await this.#exchange({
      name: `part ${partNumber} of ${uploadId}`,
      signal,
      body: { key, body, onSent, isThere },
      effect: (bytes) => {
        checkDigest(bytes, contentMd5)
        return service.putPart(uploadId, partNumber, bytes)
      },
      isRepeatable: true,
      lies: [NO_UPLOAD],
    })
    return { etag, requestId: null }
  }

  async listParts({ uploadId, maxParts = 1000, partNumberMarker = 0, signal }: port.ListPartsRequest) {
    const effect = (): readonly port.ListedPart[] => this.#parts.service.listParts(uploadId)
    const name = `list parts of ${uploadId}`
    const all = await this.#exchange({ name, signal, effect, lies: [NO_UPLOAD] }, uploadId)
    const rest = all.filter(({ partNumber }) => partNumber > partNumberMarker)
    const parts = rest.slice(0, Math.min(3, maxParts))
    return {
      parts,
      nextPartNumberMarker: parts.length < rest.length ? parts.at(-1)?.partNumber : null,
      requestId: null,
    }
  }

  async listMultipartUploads({ prefix = '', signal }: port.ListMultipartUploadsRequest) {
    const effect = () => this.#parts.service.listUploads(prefix)
    const found = await this.#exchange({ name: `list uploads ${prefix}`, signal, effect })
    const uploads = found.map(({ key, uploadId }) => ({ key, uploadId, initiated: null }))
    return { uploads, next: null, requestId: null }
  }

  async completeMultipartUpload({ key, uploadId, parts, ifAbsent, signal }: port.CompleteMultipartUploadRequest) {
    const { service, random, trace, isHonest } = this.#parts
    if (service.hasTwins && !isHonest && random.chance(0.5)) {
      trace.note(`twin of ${uploadId}`)
      attempt(() => service.completeTwin(uploadId, parts))
      if (random.chance(0.5)) throw networkError('Complete was lost on its way')
    }
    const exchange = {
      name: `complete ${uploadId}`,
      signal,
      effect: this.#making(key, uploadId, () => service.complete(uploadId, parts, ifAbsent)),
      isRepeatable: true,
      lies: [NO_UPLOAD, ['InvalidPart', 400], ['InternalError', 200], ['EntityTooSmall', 400]] as const,
      onWork: (isAtWork: boolean) => {
        const upload = service.uploads.get(uploadId)
        if (upload !== undefined) upload.pending += isAtWork ? 1 : -1
      },
    }
    return { etag: await this.#exchange(exchange, uploadId), location: null, requestId: null }
  }

  abortMultipartUpload({ uploadId, signal }: port.UploadAddress): Promise<void> {
    const { service, oracle } = this.#parts
    const effect = (): void => {
      oracle.aborting(uploadId)
      service.abort(uploadId)
    }
    return this.#exchange({ name: `abort ${uploadId}`, signal, effect, lies: [NO_UPLOAD] }, uploadId)
  }

  close(): Promise<void> {
    return Promise.resolve()
  }

  dropConnections(): void {
    // Faults drop enough of them.
  }

  /** The world cuts one connection. */
  resetOne(): void {
    if (this.#open.size > 0) this.#parts.random.pick([...this.#open]).reset()
  }

  /** One connection falls to a crawl for good, where others show that the line is not to blame. */
  slowOne(): void {
    if (this.#open.size > 2) this.#parts.random.pick([...this.#open]).crawl()
  }

  /** The program is gone. */
  forget(): void {
    for (const request of this.#open) request.forget()
  }

  /** @param uploadId of which the answer may tell, wrongly, that it is gone. */
  async #exchange<Value>(exchange: Exchange<Value>, uploadId: string | null = null): Promise<Value> {
    const { random, faults, oracle, trace, timeline, service } = this.#parts
    const { name, body } = exchange
    const request = this.#begin(exchange)
    const bytes = body === undefined ? NOTHING : await this.#send(request, body)
    const fate = drawFate(faults, random, exchange.lies ?? [])
    trace.note(`${name} ${fate.failure?.code ?? ''}${fate.failure !== null && fate.isCarriedOut ? ', done' : ''}`)
    const isLate = fate.failure !== null && random.chance(0.5)
    const lateMs = isLate ? random.between(0, MOST_LATE_MS) : 0
    const response = fate.isCarriedOut ? this.#carryOut(request, exchange, bytes, lateMs) : null
    if (fate.failure !== null) {
      const waitMs = random.between(5, MOST_TRAVEL_MS) + fate.waitMs
      await request.wait((done) => timeline.at(waitMs, done))
      request.failed(fate.failure)
      if (fate.failure.code === 'NoSuchUpload' && uploadId !== null) oracle.saidGone(uploadId)
      throw fate.failure
    }
    let made: (() => Value) | null = null
    await request.wait((done) => {
      void response?.then((value) => {
        made = value
        done()
      })
    })
    try {
      return this.#answered(request, made as unknown as () => Value)
    } catch (failure) {
      // It hides what it is completing, and may refuse to complete it all the same.
      if (uploadId !== null && isNoUpload(failure) && service.uploads.has(uploadId)) oracle.saidGone(uploadId)
      throw failure
    }
  }

  #answered<Value>(request: UploadRequest, make: () => Value): Value {
    try {
      const value = make()
      request.answered()
      return value
    } catch (failure) {
      request.failed(failure as Error)
      throw failure
    }
  }

  #begin({ name, signal, body }: Exchange<unknown>): UploadRequest {
    const { process, timeline, line, lineTerms, isHonest, account, random } = this.#parts
    const watched =
      body === undefined
        ? account.begins(name, '', 0, false)
        : account.begins(name, body.key, body.body.sizeBytes, body.isThere)
    const request = new UploadRequest({
      process,
      timeline,
      line,
      bytesPerSecond: isHonest ? lineTerms.connectionBytesPerSecond : random.pick([20_000, 100_000, 1_000_000]),
      signal,
      limitMs: timeLimitMs(name, body !== undefined),
      watched,
      onEnd: () => this.#open.delete(request),
    })
    this.#open.add(request)
    return request
  }

  /** Hands the body over, sometimes damaged on its way. */
  async #send(request: UploadRequest, { body, onSent = () => undefined }: Sending): Promise<Buffer> {
    const { faults, random } = this.#parts
    const breaksAt = faults.strikes('connect') ? random.below(body.sizeBytes + 1) : null
    const bytes = await request.send(body, onSent, breaksAt)
    if (bytes.length > 0 && faults.strikes('longBody') && random.chance(0.3)) {
      const index = random.below(bytes.length)
      bytes[index] = (bytes[index] ?? 0) ^ 1
    }
    return bytes
  }

  /**
   * The service acts some time after the request has come, and perhaps once more. Resolves, after the way back, with
   * what makes the answer.
   */
  #carryOut<Value>(
    request: UploadRequest,
    { effect, isRepeatable, onWork }: Exchange<Value>,
    bytes: Buffer,
    lateMs: number,
  ): Promise<() => Value> {
    const { timeline, random, faults, line, lineTerms, isHonest } = this.#parts
    const isRepeated = isRepeatable === true && faults.strikes('longBody')
    const thinkMs = isHonest ? random.next() * lineTerms.thinkMs : random.between(2, MOST_TRAVEL_MS)
    return new Promise((resolve) => {
      request.handedOver(() => {
        onWork?.(true)
        if (isRepeated) timeline.at(random.between(0, MOST_LATE_MS), () => void attempt(() => effect(bytes)))
        timeline.at(thinkMs + lateMs, () => {
          onWork?.(false)
          const response = attempt(() => effect(bytes))
          line.down.pass(() => resolve(response))
        })
      })
    })
  }
}

function isNoUpload(failure: unknown): boolean {
  return failure instanceof StoreError && failure.code === 'NoSuchUpload'
}

/** What an effect returns or throws, to be returned or thrown later. */
function attempt<Value>(effect: () => Value): () => Value {
  try {
    const value = effect()
    return () => value
  } catch (failure) {
    return () => {
      throw failure
    }
  }
}

function checkDigest(bytes: Buffer, contentMd5: string | undefined): void {
  if (contentMd5 === undefined) return
  if (md5(bytes) !== Buffer.from(contentMd5, 'base64').toString('hex')) throw refused('BadDigest', 400)
}
