import type * as port from '../../electron/stores/object-store.ts'
import { STORE_ERROR, StoreError } from '../../electron/stores/store-error.ts'
import { HEADERS_TIMEOUT_MS } from '../../shared/limits.ts'
import type { Faults } from './faults.ts'
import type { Random } from './random.ts'
import { networkError } from './sim-store.ts'
import type { SimProcess } from './sim-process.ts'
import type { Timeline, Trace } from './timeline.ts'
import type { UploadOracle } from './upload-oracle.ts'
import { LEAST_PART_BYTES, md5, refused, type SimUploadService } from './upload-service.ts'

/** An answer that was lost is carried out this much later at most: sooner than an upload counts as lost. */
const MOST_LATE_MS = 12_000
const MOST_TRAVEL_MS = 300

export interface SimUploadStoreParts {
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
  readonly effect: () => Value
  /** Refusals that are not true. */
  readonly lies?: readonly (readonly [code: string, httpStatus: number])[]
  /** Arriving twice does no harm. */
  readonly isRepeatable?: boolean
  /** The service is at work on it from `true` to `false`. */
  readonly onWork?: (isAtWork: boolean) => void
}

/** What becomes of a request. */
interface Fate {
  readonly failure: StoreError | null
  readonly isCarriedOut: boolean
  readonly waitMs: number
}

const DELIVERED: Fate = { failure: null, isCarriedOut: true, waitMs: 0 }
const NO_UPLOAD = ['NoSuchUpload', 404] as const

/** The client side of simulated uploads. A request that left goes on by itself, whatever becomes of whoever sent it. */
export class SimUploadStore {
  readonly bucket = 'media'
  readonly host = 'http://simulated'
  readonly capabilities: port.StoreCapabilities
  readonly #parts: SimUploadStoreParts

  constructor(parts: SimUploadStoreParts) {
    this.#parts = parts
    const { etagIsMd5, multipartEtagIsMd5, keepsMetadata: metadata } = parts.service
    const limits = { minPartSizeBytes: LEAST_PART_BYTES, maxPartCount: 10_000 }
    this.capabilities = { etagIsMd5, multipartEtagIsMd5, metadata, ifMatch: false, ...limits }
  }

  asObjectStore(): port.ObjectStore {
    return this as unknown as port.ObjectStore
  }

  headObject({ key, signal }: port.HeadObjectRequest): Promise<port.ObjectHead> {
    return this.#exchange({ name: `head ${key}`, signal, effect: () => this.#parts.service.head(key) })
  }

  async putObject({ key, body, contentMd5, metadata, signal, onSent }: port.PutObjectRequest): Promise<port.PutResult> {
    const bytes = await this.#send(body, signal, onSent)
    const effect = (): string => {
      checkDigest(bytes, contentMd5)
      return this.#parts.service.put(key, bytes, metadata)
    }
    const etag = await this.#exchange({ name: `put ${key}`, signal, effect, isRepeatable: true })
    return { etag, requestId: null }
  }

  async createMultipartUpload({ key, metadata, signal }: port.CreateMultipartUploadRequest) {
    const effect = (): string => this.#parts.service.create(key, metadata)
    const uploadId = await this.#exchange({ name: `create ${key}`, signal, effect })
    return { uploadId, requestId: null }
  }

  async uploadPart(request: port.UploadPartRequest): Promise<port.PutResult> {
    const { uploadId, partNumber, body, contentMd5, signal, onSent } = request
    const { service, oracle } = this.#parts
    await oracle.partBegun(uploadId, partNumber)
    const bytes = await this.#send(body, signal, onSent)
    const effect = (): string => {
      checkDigest(bytes, contentMd5)
      return service.putPart(uploadId, partNumber, bytes)
    }
    const name = `part ${partNumber} of ${uploadId}`
    const etag = await this.#exchange({ name, signal, effect, isRepeatable: true, lies: [NO_UPLOAD] })
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

  async completeMultipartUpload({ uploadId, parts, signal }: port.CompleteMultipartUploadRequest) {
    const { service } = this.#parts
    const exchange = {
      name: `complete ${uploadId}`,
      signal,
      effect: () => service.complete(uploadId, parts),
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

  /** Reads the body at the pace of the line, sometimes damaged on its way. */
  async #send(body: port.RequestBody, signal: AbortSignal, onSent: (bytes: number) => void = () => undefined) {
    const { process, faults, random } = this.#parts
    const breaksAt = faults.strikes('connect') ? random.below(body.sizeBytes + 1) : null
    const bytesPerSecond = random.pick([20_000, 100_000, 1_000_000])
    const blocks: Buffer[] = []
    let sent = 0
    for await (const block of body.open()) {
      blocks.push(Buffer.from(block))
      await process.sleep((block.length * 1000) / bytesPerSecond, signal)
      onSent(block.length)
      sent += block.length
      if (breaksAt !== null && sent >= breaksAt) throw networkError('The connection broke')
    }
    const bytes = Buffer.concat(blocks)
    if (bytes.length > 0 && faults.strikes('longBody') && random.chance(0.3)) {
      const index = random.below(bytes.length)
      bytes[index] = (bytes[index] ?? 0) ^ 1
    }
    return bytes
  }

  /** @param uploadId of which the answer may tell, wrongly, that it is gone. */
  async #exchange<Value>(exchange: Exchange<Value>, uploadId: string | null = null): Promise<Value> {
    const { process, random, oracle, trace } = this.#parts
    const { name, signal } = exchange
    const fate = this.#fate(exchange)
    trace.note(`${name} ${fate.failure?.code ?? ''}${fate.failure !== null && fate.isCarriedOut ? ', done' : ''}`)
    const isLate = fate.failure !== null && random.chance(0.5)
    const answer = fate.isCarriedOut ? this.#carryOut(exchange, isLate ? random.between(0, MOST_LATE_MS) : 0) : null
    if (fate.failure !== null) {
      await process.sleep(random.between(5, MOST_TRAVEL_MS) + fate.waitMs, signal)
      if (fate.failure.code === 'NoSuchUpload' && uploadId !== null) oracle.saidGone(uploadId)
      throw fate.failure
    }
    const done = (await this.#wait(answer as Promise<() => Value>, signal))()
    return done
  }

  /** The service acts after a while, and perhaps once more. Resolves, after the way back, with what makes the answer. */
  #carryOut<Value>({ effect, isRepeatable, onWork }: Exchange<Value>, lateMs: number): Promise<() => Value> {
    const { timeline, random, faults } = this.#parts
    const isRepeated = isRepeatable === true && faults.strikes('longBody')
    if (isRepeated) timeline.at(random.between(0, MOST_LATE_MS), () => void attempt(effect))
    return new Promise((resolve) => {
      timeline.at(random.between(2, MOST_TRAVEL_MS / 2), () => {
        onWork?.(true)
        timeline.at(lateMs, () => {
          onWork?.(false)
          const answer = attempt(effect)
          timeline.at(random.between(2, MOST_TRAVEL_MS / 2), () => resolve(answer))
        })
      })
    })
  }

  /** As long as whoever waits is there. */
  async #wait<Value>(answer: Promise<Value>, signal: AbortSignal): Promise<Value> {
    const { process } = this.#parts
    return new Promise((resolve, reject) => {
      const abort = (): void => reject(signal.reason as Error)
      if (signal.aborted) abort()
      signal.addEventListener('abort', abort, { once: true })
      void answer.then((value) => {
        signal.removeEventListener('abort', abort)
        if (process.isAlive) resolve(value)
      })
    })
  }

  #fate({ lies = [] }: Exchange<unknown>): Fate {
    const { faults, random } = this.#parts
    const lost = (failure: StoreError, waitMs = 0): Fate => ({ failure, isCarriedOut: random.chance(0.5), waitMs })
    if (faults.strikes('shortBody')) return lost(networkError('The answer was lost'))
    if (faults.strikes('stall')) return lost(networkError('No answer in time'), HEADERS_TIMEOUT_MS)
    if (faults.strikes('serverError')) return lost(refused('InternalError', random.pick([500, 502, 504])))
    if (faults.strikes('rangeIgnored')) return lost(new StoreError(STORE_ERROR.badAnswer, 'Odd', { httpStatus: 200 }))
    if (faults.strikes('busy')) {
      const failure = refused('SlowDown', 503, random.pick([null, 0, 1000, 20_000]))
      return { failure, isCarriedOut: false, waitMs: 0 }
    }
    if (lies.length > 0 && faults.strikes('oddAnswer') && random.chance(0.5)) {
      const [code, httpStatus] = random.pick(lies)
      return { failure: refused(code, httpStatus), isCarriedOut: httpStatus === 200 && random.chance(0.5), waitMs: 0 }
    }
    if (!faults.strikes('refusal')) return DELIVERED
    return { failure: refused('AccessDenied', 403), isCarriedOut: false, waitMs: 0 }
  }
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
