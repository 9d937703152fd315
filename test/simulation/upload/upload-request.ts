import type { RequestBody } from '../../../electron/stores/port/object-store.ts'
import { STORE_ERROR, StoreError } from '../../../electron/stores/port/store-error.ts'
import { BODY_TIMEOUT_MS, COMPLETE_TIMEOUT_BASE_MS, HEADERS_TIMEOUT_MS } from '../../../shared/limits.ts'
import type { Ending } from '../line/line-account.ts'
import type { Flow, Line } from '../line/line.ts'
import type { SimProcess } from '../machine/sim-process.ts'
import { waitFor, Watchdog } from '../machine/sim-wait.ts'
import type { Timeline } from '../timeline.ts'
import type { WatchedBody } from './upload-account.ts'

/** As the client hands bodies to the system: in slices of 64 KiB to 1 MiB, which grow while they are taken quickly. */
const LEAST_SLICE_BYTES = 64
const MOST_SLICE_BYTES = 1024
const QUICK_MS = 20
/** Of the request before its body. */
const HEAD_BYTES = 1
export const MOST_TRAVEL_MS = 300

export interface UploadRequestParts {
  readonly process: SimProcess
  readonly timeline: Timeline
  readonly line: Line
  /** What the service takes on this connection, bytes a second. */
  readonly bytesPerSecond: number
  readonly signal: AbortSignal
  /** The client gives up after so long without a sign from the other side (milliseconds). */
  readonly limitMs: number
  readonly watched: WatchedBody
  readonly onEnd: () => void
}

/** One request as the client has it on its way: until it is answered, given up, or cut. */
export class UploadRequest {
  readonly #parts: UploadRequestParts
  readonly #flow: Flow
  readonly #ended = new AbortController()
  readonly #watchdog: Watchdog
  #expectedBytes = HEAD_BYTES
  #arrivedBytes = 0
  #isHandedOver = false
  #isCrawling = false
  /** Its own side has more to give, and has not yet. */
  #lacksBytes = false
  #onArrived: () => void = () => undefined

  constructor(parts: UploadRequestParts) {
    this.#parts = parts
    const { line, bytesPerSecond, timeline, limitMs, signal } = parts
    this.#flow = line.up.open((bytes) => this.#arrive(bytes), bytesPerSecond)
    this.#watchdog = new Watchdog(timeline, limitMs, () => {
      if (parts.process.isAlive) this.#end('timeout', networkError('No answer in time'))
    })
    if (signal.aborted) this.#abort()
    else signal.addEventListener('abort', this.#abort, { once: true })
    this.#flow.write(HEAD_BYTES)
  }

  /** Hands a body over as the line takes it. When the request ends, whoever feeds it is not waited for. @returns its bytes. */
  send(body: RequestBody, onSent: (bytes: number) => void, breaksAt: number | null): Promise<Buffer> {
    const { signal } = this.#ended
    const ended = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    })
    return Promise.race([this.#feed(body, onSent, breaksAt), ended])
  }

  async #feed(body: RequestBody, onSent: (bytes: number) => void, breaksAt: number | null): Promise<Buffer> {
    this.#expectedBytes += body.sizeBytes
    const blocks: Buffer[] = []
    let sent = 0
    let sliceBytes = LEAST_SLICE_BYTES
    try {
      this.#lacksBytes = body.sizeBytes > 0
      for await (const block of body.open()) {
        this.#lacksBytes = false
        blocks.push(Buffer.from(block))
        for (let start = 0; start < block.length;) {
          const bytes = Math.min(sliceBytes, block.length - start)
          const isQuick = await this.#hand(bytes)
          sliceBytes = isQuick ? Math.min(2 * sliceBytes, MOST_SLICE_BYTES) : LEAST_SLICE_BYTES
          start += bytes
          sent += bytes
          onSent(bytes)
          // By then the next bytes are asked for, and may be waited for.
          if (breaksAt !== null && sent >= breaksAt)
            this.#parts.timeline.at(1, () => this.reset('The connection broke'))
          this.#ended.signal.throwIfAborted()
        }
        this.#lacksBytes = sent < body.sizeBytes
      }
    } catch (failure) {
      this.failed(failure as Error)
      throw failure
    }
    return Buffer.concat(blocks)
  }

  /** All of it is sent: `onArrived` is called once the service has it, whatever becomes of the program. */
  handedOver(onArrived: () => void): void {
    this.#isHandedOver = true
    this.#onArrived = onArrived
    this.#parts.watched.handedOver()
    this.#tellArrived()
  }

  /** Resolves when `begin` says that the answer is here; rejects when the request ends without one. */
  wait(begin: (done: () => void) => void): Promise<void> {
    return waitFor(this.#parts.process, this.#ended.signal, ({ done }) => begin(done))
  }

  answered(): void {
    this.#settle('read')
  }

  /** The answer is a failure, or there will be none, through no fault of the program. */
  failed(failure: Error): void {
    this.#end('world', failure)
  }

  /** The connection is cut. */
  reset(told = 'Connection reset'): void {
    this.#flow.cut()
    this.failed(networkError(told))
  }

  /** The connection falls to a crawl for good: whoever gives it up is right. */
  crawl(): void {
    this.#isCrawling = true
    this.#flow.crawl()
  }

  /** The program is gone: what it handed over goes on. */
  forget(): void {
    this.#flow.leave()
    this.#watchdog.stop()
  }

  /** Tells whether the slice was taken quickly. */
  async #hand(bytes: number): Promise<boolean> {
    const { timeline, process } = this.#parts
    const startedMs = timeline.nowMs
    await waitFor(process, this.#ended.signal, ({ done }) => this.#flow.write(bytes, done))
    this.#watchdog.heard()
    return timeline.nowMs - startedMs < QUICK_MS
  }

  #arrive(bytes: number): void {
    const before = Math.max(0, this.#arrivedBytes - HEAD_BYTES)
    this.#arrivedBytes += bytes
    const ofBody = this.#arrivedBytes - HEAD_BYTES - before
    if (ofBody > 0) this.#parts.watched.carried(ofBody)
    this.#tellArrived()
  }

  #tellArrived(): void {
    if (!this.#isHandedOver || this.#arrivedBytes < this.#expectedBytes) return
    this.#isHandedOver = false
    this.#onArrived()
  }

  readonly #abort = (): void => {
    this.#end('aborted', this.#parts.signal.reason as Error)
  }

  #end(how: Ending, failure: Error): void {
    this.#settle(how)
    this.#ended.abort(failure)
  }

  #settle(how: Ending): void {
    const { signal, watched, onEnd } = this.#parts
    this.#flow.leave()
    this.#watchdog.stop()
    signal.removeEventListener('abort', this.#abort)
    watched.ended(this.#isCrawling && how !== 'read' ? 'world' : how, this.#lacksBytes)
    onEnd()
  }
}

/**
 * How long the HTTP client waits: what has a body is answered when buffers have let it through, and completing may take
 * long.
 */
export function timeLimitMs(name: string, hasBody: boolean): number {
  if (hasBody) return BODY_TIMEOUT_MS
  return name.startsWith('complete') ? COMPLETE_TIMEOUT_BASE_MS : HEADERS_TIMEOUT_MS + MOST_TRAVEL_MS
}

function networkError(message: string): StoreError {
  return new StoreError(STORE_ERROR.network, message)
}
