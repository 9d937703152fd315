import type * as port from '../../../electron/stores/port/object-store.ts'
import { STORE_ERROR, StoreError } from '../../../electron/stores/port/store-error.ts'
import type { ByteRange } from '../../../shared/byte-range.ts'
import { HEADERS_TIMEOUT_MS } from '../../../shared/limits.ts'
import { SimBody, type Transmission } from './sim-body.ts'
import type { SimStoreParts } from '../sim-parts.ts'
import type { SimObject, Version } from './sim-service.ts'
import { waitFor } from '../machine/sim-wait.ts'

type Response =
  | (Extract<port.GetObjectResult, { kind: 'content' }> & { readonly body: SimBody })
  | Exclude<port.GetObjectResult, { kind: 'content' }>

/** The client side of the simulated service: what the engine gets to see of it, watchdogs included. */
export class SimStore {
  readonly bucket = 'media'
  readonly host = 'http://simulated'
  readonly capabilities: port.StoreCapabilities
  readonly #parts: SimStoreParts
  readonly #open = new Set<SimBody>()

  constructor(parts: SimStoreParts) {
    this.#parts = parts
    const { etagIsMd5, ifMatch } = parts.service
    this.capabilities = { etagIsMd5, ifMatch, minPartSizeBytes: 5 * 1024 * 1024, maxPartCount: 10_000 }
  }

  /** As the engine takes it. Uploads are not simulated yet. */
  asObjectStore(): port.ObjectStore {
    return this as unknown as port.ObjectStore
  }

  /** Bodies that are neither read to their end nor left. */
  get openBodies(): number {
    return this.#open.size
  }

  async getObject(request: port.GetObjectRequest): Promise<port.GetObjectResult> {
    const { process, service, rules, trace, account, timeline } = this.#parts
    const { key, range, signal } = request
    const asked = range === undefined ? 'all' : `${range.start}-${range.end}`
    rules.requested(key)
    account.requested()
    const askedAtMs = timeline.nowMs
    await this.#ask(key, range, signal)
    const object = service.objects.get(key)
    const version = service.current(key)
    if (object === undefined || version === null) throw new StoreError('NoSuchKey', 'No object', { httpStatus: 404 })
    const failure = this.#refusal()
    trace.note(`get ${version.name} ${asked} ${failure?.code ?? ''}`)
    if (failure?.code === 'stall') await process.sleep(HEADERS_TIMEOUT_MS, signal)
    if (failure !== null) account.faulted()
    if (failure !== null) throw failure.error
    if (this.capabilities.ifMatch && !fits(request, version)) {
      throw new StoreError('PreconditionFailed', 'Another version', { httpStatus: 412 })
    }
    const response = this.#respond(object, version, range ?? null, signal)
    if (response.kind === 'content') await response.body.answered(HEADERS_TIMEOUT_MS - (timeline.nowMs - askedAtMs))
    return response
  }

  async headObject(request: port.HeadObjectRequest): Promise<port.ObjectHead> {
    const { service, rules, account, line, process } = this.#parts
    rules.requested(request.key)
    account.requested()
    await this.#ask(request.key, undefined, request.signal)
    await waitFor(process, request.signal, ({ done }) => line.down.pass(done))
    const version = service.current(request.key)
    if (version === null) throw new StoreError('NoSuchKey', 'No object', { httpStatus: 404 })
    return headOf(version, service.nowMs)
  }

  close(): Promise<void> {
    return Promise.resolve()
  }

  dropConnections(): void {
    for (const body of this.#open) {
      this.#parts.account.faulted()
      body.reset()
    }
  }

  /** The world cuts one connection. */
  resetOne(): void {
    if (this.#open.size === 0) return
    this.#parts.account.faulted()
    this.#parts.random.pick([...this.#open]).reset()
  }

  /** One connection falls to a crawl for good. */
  slowOne(): void {
    if (this.#open.size === 0) return
    this.#parts.account.faulted()
    this.#parts.random.pick([...this.#open]).crawl()
  }

  /** The program is gone: nobody reads any more. */
  forget(): void {
    for (const body of this.#open) body.forget()
  }

  /** Resolves when the service has the request and has thought about it. */
  async #ask(key: string, range: ByteRange | undefined, signal: AbortSignal): Promise<void> {
    const { process, line, lineTerms, isHonest, random, timeline } = this.#parts
    const thinkMs = isHonest ? random.next() * lineTerms.thinkMs : random.between(5, 300)
    let isOver = false
    const givenUp = (): void => this.#givenUp(key, range, 'aborted')
    signal.addEventListener('abort', givenUp, { once: true })
    try {
      await waitFor(process, signal, ({ done, failed }) => {
        line.up.pass(() => timeline.at(thinkMs, done))
        timeline.at(HEADERS_TIMEOUT_MS, () => {
          if (isOver || !process.isAlive) return
          this.#givenUp(key, range, 'timeout')
          failed(networkError('No answer in time'))
        })
      })
    } finally {
      isOver = true
      signal.removeEventListener('abort', givenUp)
    }
  }

  /** A request was given up before it was answered. */
  #givenUp(key: string, range: ByteRange | undefined, how: 'aborted' | 'timeout'): void {
    const version = this.#parts.service.current(key)
    if (version === null) return
    const { length } = version.bytes
    const asked = { start: range?.start ?? 0, end: Math.min(range?.end ?? length, length) }
    this.#parts.account.vain(version.name, length, asked, how)
  }

  #refusal(): { readonly code: string; readonly error: StoreError } | null {
    const { faults, random } = this.#parts
    const refused = (code: string, httpStatus: number, retryAfterMs: number | null = null) => ({
      code,
      error: new StoreError(code, `${code}, ${httpStatus}`, { httpStatus, retryAfterMs }),
    })
    if (faults.strikes('connect')) return { code: 'reset', error: networkError('Connection reset') }
    if (faults.strikes('stall')) return { code: 'stall', error: networkError('No answer in time') }
    const retryAfterMs = random.pick([null, 0, 1000, 20_000])
    if (faults.strikes('busy')) return refused('SlowDown', random.pick([429, 503]), retryAfterMs)
    if (faults.strikes('serverError')) return refused('InternalError', random.pick([500, 502, 504]), retryAfterMs)
    if (!faults.strikes('refusal')) return null
    return random.pick([refused('AccessDenied', 403), refused('NoSuchKey', 404), refused('ExpiredToken', 400)])
  }

  #respond(object: SimObject, version: Version, asked: ByteRange | null, signal: AbortSignal): Response {
    const { faults, random, service, account, isHonest, lineTerms } = this.#parts
    const head = headOf(version, service.nowMs)
    const totalBytes = version.bytes.length
    const isIgnored = asked === null || object.ranges === 'ignored' || faults.strikes('rangeIgnored')
    if (!isIgnored && asked.start >= totalBytes) {
      return { kind: 'range-not-satisfiable', totalBytes: random.chance(0.8) ? totalBytes : null, requestId: null }
    }
    const range = isIgnored ? { start: 0, end: totalBytes } : { ...asked, end: Math.min(asked.end, totalBytes) }
    const isWrong = !isIgnored && object.ranges === 'first-only' && asked.start > 0
    if (isWrong && random.chance(0.3)) return { kind: 'range-not-satisfiable', totalBytes, requestId: null }
    const isOdd = isWrong || (!isIgnored && faults.strikes('oddResponse'))
    const contentRange = isIgnored ? null : { ...range, totalBytes: totalBytes as number | null }
    if (isOdd && contentRange !== null) {
      const kind = isWrong ? random.pick([0, 1, 4]) : random.below(6)
      if (kind === 0) throw new StoreError(STORE_ERROR.badAnswer, 'An unreadable Content-Range', { httpStatus: 206 })
      if (kind === 1) contentRange.totalBytes = null
      else if (kind === 2) {
        range.start = contentRange.start = Math.max(0, range.start - 1)
      } else if (kind === 3) {
        // Legal: fewer bytes than asked for.
        range.end = contentRange.end = range.start + random.below(range.end - range.start) + 1
      } else if (kind === 4) {
        range.start = contentRange.start = 0
      } else contentRange.end += 1
    }
    const course = this.#course(range, object, !isIgnored)
    const silentAt = silenceIn(object, range)
    const plan: Transmission = {
      bytes: version.bytes.subarray(range.start, range.end),
      ...(silentAt === null ? course : { ...course, stallsAt: silentAt }),
    }
    const bytesPerSecond = isHonest ? lineTerms.connectionBytesPerSecond : random.pick([20_000, 100_000, 1_000_000])
    const watched = account.begins(version.name, totalBytes, range)
    const body = new SimBody(this.#parts, plan, bytesPerSecond, watched, signal, () => {
      this.#open.delete(body)
      if (plan.breaksAt !== null || plan.stallsAt !== null) account.faulted()
    })
    this.#open.add(body)
    return {
      kind: 'content',
      status: contentRange === null ? 200 : 206,
      contentRange,
      contentLength: object.hasLength ? range.end - range.start : null,
      head: { ...head, sizeBytes: contentRange?.totalBytes ?? (object.hasLength ? totalBytes : null) },
      body,
    }
  }

  /** What becomes of the bytes on their way. */
  #course({ start, end }: ByteRange, { key, hasLength }: SimObject, isRange: boolean): Omit<Transmission, 'bytes'> {
    const { faults, random } = this.#parts
    const length = end - start
    const isLong = faults.strikes('longBody')
    const isShort = faults.strikes('shortBody')
    return {
      key,
      // A client that knows the length takes more bytes for a broken answer.
      breaksAt: isShort ? random.below(length + 1) : isLong && hasLength ? length : null,
      stallsAt: faults.strikes('stall') ? random.below(length + 1) : null,
      // Without length and range nobody could tell where the object ends.
      surplusBytes: isLong && !hasLength && isRange ? random.below(5000) + 1 : 0,
    }
  }
}

/** Where in an answer its connection falls silent for good, once for each object; null: it does not. */
function silenceIn(object: SimObject, { start, end }: ByteRange): number | null {
  const at = object.silentFrom
  if (at === null || at < start || at >= end) return null
  object.silentFrom = null
  return at - start
}

/** Whether the conditions of a request hold (RFC 9110, 13.2.2). */
function fits({ ifMatch, ifUnmodifiedSince }: port.GetObjectRequest, { etag, lastModified }: Version): boolean {
  if (ifMatch !== undefined) return ifMatch === etag
  if (ifUnmodifiedSince === undefined || lastModified === null) return true
  return Date.parse(lastModified) <= Date.parse(ifUnmodifiedSince)
}

function headOf(version: Version, nowMs: number): port.ObjectHead {
  return {
    sizeBytes: version.bytes.length,
    etag: version.etag,
    lastModified: version.lastModified,
    contentType: null,
    contentEncoding: null,
    serverTimeMs: nowMs,
    requestId: null,
  }
}

export function networkError(message: string): StoreError {
  return new StoreError(STORE_ERROR.network, message)
}
