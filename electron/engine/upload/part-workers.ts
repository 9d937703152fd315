import { rangeLength, type ByteRange } from '../../../shared/byte-range.ts'
import { tellsRate } from '../integrity/short-last-part.ts'
import { abortOf } from '../async/abort-of.ts'
import { linkSignal, type LinkedSignal } from '../async/linked-signal.ts'
import type { Sending } from '../core/upload-line.ts'
import { LateResponse } from '../line/upload/late/late-responses.ts'
import { partRange } from '../multipart/part-plan.ts'
import { classify, isOfNetwork } from '../retry/classify.ts'
import { PROGRESS_BYTES, withRetry } from '../retry/create-retry-policy.ts'
import { Reach } from '../retry/reach.ts'
import { endsWithin } from './let-end.ts'
import { uploadRank } from './rank.ts'
import { stillMissing } from './reconcile-parts.ts'
import { sendProven, type RangeProof, type SentRange } from './send-range.ts'
import type { PlannedUpload } from './upload-run.ts'

/** The others wait at most this long for the answer to a first part that tells how fast the line is (milliseconds). */
const TELLING_MS = 10_000
/** At most this many parts are assumed to be in buffers on the way after a run has ended: few lines hold more. */
const MOST_UNDERWAY = 16
/** A slow line holds up to this many there, however few are left. */
const FEW_UNDERWAY = 3
/** Why a part is ended that the run did not wait for in its wind-down. */
const DROPPED = new Error('The part would not have finished in time')

/** A part on its way. */
interface PartOnItsWay {
  readonly request: LinkedSignal
  /** The body of its latest try; null until its turn has come. */
  sending: Sending | null
}

/** The parts that the service lacks, in order. */
interface PartsToSend {
  readonly missing: readonly number[]
  /** An earlier run may have sent some that have not arrived yet. */
  readonly isResumed: boolean
}

/**
 * Sends the parts of one upload in order, each when the line to its service has room for it. On an unknown line a short
 * last part goes first, alone: buffers on the way hide how fast the line is until there is an answer. Parts of an
 * earlier run that buffers may still carry wait until another part has begun and ended, and are sent if they have not
 * arrived by then.
 */
export class PartWorkers {
  readonly #upload: PlannedUpload
  readonly #uploadId: string
  readonly #partNumbers: readonly number[]
  readonly #mayComeLate: boolean
  #cameLate = 0
  readonly #working = new Map<PartOnItsWay, Promise<void>>()
  readonly #keeping: Promise<void>[] = []
  #isWindingDown = false

  constructor(upload: PlannedUpload, uploadId: string, { missing, isResumed }: PartsToSend) {
    this.#upload = upload
    this.#uploadId = uploadId
    this.#partNumbers = missing
    // If ETags prove nothing, parts that arrive late can't be proven to be ours.
    this.#mayComeLate = isResumed && !upload.run.etags.areOpaque
  }

  /** Resolves when every request has ended and its result is durable, or the run was stopped. */
  async run(): Promise<void> {
    const { context } = this.#upload.run
    const leave = context.windDown.onWindDown((deadlineMs) => this.#windDown(deadlineMs))
    try {
      const telling = this.#tellingPart
      if (telling !== null) await this.#sendAlone(telling)
      await this.#beginAll(telling)
      await this.#ended()
      // All parts that were let end have ended. If any part is still missing, the run ends with the stop that follows.
      const isLacking = this.#keeping.length + this.#cameLate < this.#partNumbers.length
      if (this.#isWindingDown && isLacking) await abortOf(context.signal)
    } finally {
      leave()
    }
  }

  /** @param begun the part that has already begun; null if none has. */
  async #beginAll(begun: number | null): Promise<void> {
    const lacking = this.#partNumbers.filter((partNumber) => partNumber !== begun)
    const held = this.#mayComeLate ? lacking.slice(0, underwayOf(lacking.length)) : []
    const waiting = lacking.slice(held.length)
    let oneEnded = (): void => undefined
    const ended = new Promise<void>((resolve) => (oneEnded = resolve))
    // The line goes on with other parts meanwhile.
    const look = async (): Promise<void> => void waiting.unshift(...(await this.#stillLacking(held)))
    const looking = held.length === 0 ? null : ended.then(look)
    try {
      while (!this.#isOver) {
        if (waiting.length === 0) await looking
        const next = waiting.shift()
        if (next === undefined) return
        await this.#begin(next, oneEnded)
      }
    } finally {
      oneEnded()
      // This run must write nothing after its end.
      await looking
    }
  }

  /** Which parts of an earlier run have not arrived after all. */
  async #stillLacking(held: readonly number[]): Promise<readonly number[]> {
    if (this.#isOver) return held
    try {
      const lacking = await stillMissing(this.#upload, this.#uploadId, held)
      this.#cameLate = held.length - lacking.length
      return lacking
    } catch (failure) {
      this.#upload.run.stop(failure)
      return held
    }
  }

  /** The part that goes first to tell the rate of the line. Null if the rate is known, or a person set the width. */
  get #tellingPart(): number | null {
    const last = this.#partNumbers.at(-1)
    const { line, context } = this.#upload.run
    if (line.bytesPerSecond !== null || typeof context.connections === 'number') return null
    if (last === undefined || this.#partNumbers.length === 1) return null
    return tellsRate(rangeLength(this.#rangeOf(last))) ? last : null
  }

  async #sendAlone(partNumber: number): Promise<void> {
    await this.#begin(partNumber)
    const waiting = linkSignal(this.#signal)
    const { clock } = this.#upload.run.context.deps
    const isLong = clock.sleep(TELLING_MS, waiting.signal).catch(() => undefined)
    await Promise.race([isLong, ...this.#working.values()])
    waiting.abort(DROPPED)
    waiting.release()
  }

  /** Begins to send a part; resolves when its turn has come, or it is over. */
  #begin(partNumber: number, onEnded?: () => void): Promise<void> {
    return new Promise((resolve) => {
      const part: PartOnItsWay = { request: linkSignal(this.#signal), sending: null }
      const working = this.#work(partNumber, part, resolve)
        .catch((failure: unknown) => {
          if (failure !== DROPPED) this.#upload.run.stop(failure)
        })
        .finally(() => {
          part.request.release()
          this.#working.delete(part)
          this.#upload.run.line.reconsider()
          onEnded?.()
          resolve()
        })
      this.#working.set(part, working)
    })
  }

  async #work(partNumber: number, part: PartOnItsWay, onBegun: () => void): Promise<void> {
    const sent = await this.#send(partNumber, part, onBegun)
    const keeping = this.#keep(partNumber, sent)
    keeping.catch(this.#upload.run.stop)
    this.#keeping.push(keeping)
  }

  async #send(partNumber: number, part: PartOnItsWay, onBegun: () => void): Promise<SentRange> {
    const { context, retryPolicy, line } = this.#upload.run
    const { record, report, store } = context
    const range = this.#rangeOf(partNumber)
    const proof: RangeProof = { md5: null }
    /** Whether this try got so far that its connection took anything. */
    let isAnySent = false
    const sending = {
      rank: uploadRank(this.#upload.source.identity.sizeBytes, record.position, partNumber),
      signal: part.request.signal,
      reach: new Reach(retryPolicy),
      isReady: () => part.sending !== null || (this.#settlingParts < line.width && !this.#isStarved),
      onBegun: (sending: Sending) => {
        isAnySent = false
        part.sending = sending
        report.unit(partNumber - 1, 'active')
        onBegun()
      },
    }
    for (;;) {
      try {
        const sent = await sendProven(this.#upload, range, proof, sending, ({ onSent, ...request }) =>
          store.uploadPart({
            ...{ ...request, key: record.key, uploadId: this.#uploadId, partNumber },
            onSent: (bytes) => {
              isAnySent = true
              onSent(bytes)
            },
          }),
        )
        retryPolicy.progressed(Math.max(PROGRESS_BYTES, rangeLength(range)))
        return sent
      } catch (failure) {
        const isStopped = part.request.signal.aborted
        report.unit(partNumber - 1, isStopped ? 'waiting' : 'retrying')
        if (isStopped) {
          if (part.sending !== null) report.dropped(part.sending.handedBytes)
          throw part.request.signal.reason
        }
        if (failure instanceof LateResponse)
          report.log(`Part ${String(partNumber)}: ${failure.message}; sending it again`)
        const verdict = classify(failure)
        if (verdict.kind === 'wait' && verdict.reason === 'server-busy') line.refused()
        if (isOfNetwork(verdict) && !isAnySent) line.failed()
        if (this.#isWindingDown) throw DROPPED
        await retryPolicy.waitAfter(failure)
      }
    }
  }

  /** Lets the parts end that will have ended by the deadline. */
  #windDown(deadlineMs: number): Promise<void> | null {
    const { deps, report } = this.#upload.run.context
    const leftMs = deadlineMs - deps.clock.monotonicMs()
    this.#isWindingDown = true
    const ending = new Set<Promise<void>>()
    const tell = (): void => report.finishing(ending.size === 0 ? null : ending.size)
    for (const [part, working] of [...this.#working]) {
      if (endsWithin(part.sending, leftMs)) ending.add(working)
      else part.request.abort(DROPPED)
    }
    if (ending.size === 0) return null
    tell()
    const ended = async (working: Promise<void>): Promise<void> => {
      await working
      ending.delete(working)
      tell()
    }
    return Promise.all([...ending].map(ended)).then(() => this.#kept())
  }

  async #ended(): Promise<void> {
    while (this.#working.size > 0) await Promise.race(this.#working.values())
    await this.#kept()
  }

  async #kept(): Promise<void> {
    await Promise.allSettled(this.#keeping)
  }

  /** Writes may trail the requests: they share commits, and no connection waits for the disk. */
  async #keep(partNumber: number, sent: SentRange): Promise<void> {
    const { context, record, confirmPart, retryPolicy } = this.#upload.run
    const { checkpoints } = context.deps
    const sizeBytes = rangeLength(this.#rangeOf(partNumber))
    await withRetry(retryPolicy, () => checkpoints.putParts(record.id, [{ partNumber, sizeBytes, ...sent }]))
    confirmPart({ partNumber, sizeBytes }, 'moved', 'done')
  }

  #rangeOf(partNumber: number): ByteRange {
    const { plan, source } = this.#upload
    return partRange(plan, source.identity.sizeBytes, partNumber)
  }

  /** How many parts have left the line but are not done: in a moment they end, or are sent again. */
  get #settlingParts(): number {
    return [...this.#working.keys()].filter(({ sending }) => sending?.isOver === true).length
  }

  /** A part waits for the file: further parts would wait, too, and take the place of other uploads. */
  get #isStarved(): boolean {
    return [...this.#working.keys()].some(({ sending }) => sending?.isStarved === true)
  }

  get #isOver(): boolean {
    return this.#isWindingDown || this.#signal.aborted
  }

  get #signal(): AbortSignal {
    return this.#upload.run.context.signal
  }
}

/**
 * How many of the missing parts an earlier run may have sent. Parts go in order, so these are the first ones; the line
 * goes on with the rest.
 */
function underwayOf(lackingCount: number): number {
  const most = Math.min(MOST_UNDERWAY, Math.max(FEW_UNDERWAY, Math.floor(lackingCount / 2)))
  return Math.max(0, Math.min(most, lackingCount - 1))
}
