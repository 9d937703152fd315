import { rangeLength, type ByteRange } from '../../shared/byte-range.ts'
import { abortOf } from './abort-of.ts'
import type { ConnectionShare } from './connection-shares.ts'
import { partRange } from './plan.ts'
import { classify, PROGRESS_BYTES } from './retry.ts'
import { AnswerLate, createSlowParts, type SlowParts } from './slow-parts.ts'
import { sendProven, type RangeProof, type SentRange } from './upload-send.ts'
import type { PlannedUpload } from './upload-session.ts'

/** A connection that is to have less than this a second may be closed by the service (bytes). */
const LEAST_RATE_PER_CONNECTION = 32 * 1024
/** A part takes no longer under a bandwidth limit, where fewer connections help: a pause loses what is on its way (seconds). */
const SECONDS_A_PART = 4

/** The connections of one upload. Each sends part after part until there is none left. */
export class UploadCrew {
  readonly #upload: PlannedUpload
  readonly #uploadId: string
  readonly #partNumbers: readonly number[]
  readonly #share: ConnectionShare
  readonly #slow: SlowParts
  readonly #working = new Set<Promise<void>>()
  readonly #keeping: Promise<void>[] = []
  #next = 0
  /** Sends that are under way. */
  #sending = 0
  #isWoundDown = false

  constructor(upload: PlannedUpload, uploadId: string, partNumbers: readonly number[], share: ConnectionShare) {
    this.#upload = upload
    this.#uploadId = uploadId
    this.#partNumbers = partNumbers
    this.#share = share
    this.#slow = createSlowParts(upload.run.context.deps.clock, () => this.#watchedConnections)
  }

  /** Resolves when every request has ended and what it brought is durable, or the run was stopped. */
  async run(): Promise<void> {
    const { signal, windDown } = this.#upload.run.context
    const release = windDown.onWindDown(() => this.#finish())
    this.pump()
    await this.#ended()
    release()
    if (this.#isWoundDown && this.#keeping.length < this.#partNumbers.length) await abortOf(signal)
  }

  async #ended(): Promise<void> {
    while (this.#working.size > 0) await Promise.race(this.#working)
    await Promise.allSettled(this.#keeping)
  }

  /** Begins nothing more, and lets every part that is on its way end. */
  #finish(): Promise<void> | null {
    this.#isWoundDown = true
    if (this.#sending === 0) return null
    this.#tellFinishing()
    return this.#ended()
  }

  #tellFinishing(): void {
    if (this.#isWoundDown) this.#upload.run.context.report.finishing(this.#sending === 0 ? null : this.#sending)
  }

  /** Lets as many connections work as are allowed and have a part to send. Those that are too many end with theirs. */
  pump(): void {
    while (this.#working.size < this.#limit && this.#isLeft) this.#spawn()
    this.#tellUse()
  }

  #spawn(): void {
    const working = this.#work()
      .catch(this.#upload.run.stop)
      .finally(() => {
        this.#working.delete(working)
        this.#tellUse()
      })
    this.#working.add(working)
  }

  async #work(): Promise<void> {
    do {
      const partNumber = this.#partNumbers[this.#next]
      if (partNumber === undefined) return
      this.#next += 1
      const sent = await this.#send(partNumber)
      if (sent === null) return
      const keeping = this.#keep(partNumber, sent)
      keeping.catch(this.#upload.run.stop)
      this.#keeping.push(keeping)
    } while (this.#isLeft && this.#working.size <= this.#limit)
  }

  /** Null: it failed while the run was wound down, and is not tried again. */
  async #send(partNumber: number): Promise<SentRange | null> {
    const { context, patience } = this.#upload.run
    const { deps, record, report, signal, store } = context
    const range = this.#rangeOf(partNumber)
    const proof: RangeProof = { md5: null }
    for (;;) {
      report.unit(partNumber - 1, 'active')
      let hasBegun = false
      let sentBytes = 0
      let failed: unknown
      this.#sending += 1
      try {
        const sent = await sendProven(this.#upload, range, proof, async (request) => {
          const onSent = (bytes: number): void => {
            hasBegun = true
            sentBytes += bytes
            request.onSent(bytes)
          }
          const startedMs = deps.clock.monotonicMs()
          const part = { ...request, onSent, key: record.key, uploadId: this.#uploadId, partNumber }
          const answer = await this.#slow.send(part, (watched) => store.uploadPart(watched))
          // What the system's buffers swallow says nothing of the line; the answer does.
          this.#share.partSent(rangeLength(range), deps.clock.monotonicMs() - startedMs)
          return answer
        })
        patience.progressed(Math.max(PROGRESS_BYTES, rangeLength(range)))
        return sent
      } catch (failure) {
        report.unit(partNumber - 1, signal.aborted ? 'waiting' : 'retrying')
        if (signal.aborted) report.dropped(sentBytes)
        failed = failure
      } finally {
        this.#sending -= 1
        this.#tellFinishing()
      }
      if (failed instanceof AnswerLate) {
        report.log(`Part ${String(partNumber)}: ${failed.message}; sending it again`)
        continue
      }
      this.#tell(failed, hasBegun)
      if (this.#isWoundDown && !signal.aborted) return null
      await patience.waitAfter(failed)
    }
  }

  /** What the failure says of the number of connections. */
  #tell(failure: unknown, hasBegun: boolean): void {
    const verdict = classify(failure)
    if (verdict.kind !== 'wait') return
    if (verdict.reason === 'server-busy') this.#share.refused()
    if (verdict.reason === 'network' && !hasBegun) this.#share.failed()
  }

  /** Writes may trail the requests: they share commits, and no connection waits for the disk. */
  async #keep(partNumber: number, sent: SentRange): Promise<void> {
    const { context, record, confirmPart } = this.#upload.run
    const sizeBytes = rangeLength(this.#rangeOf(partNumber))
    await context.deps.checkpoints.putParts(record.id, [{ partNumber, sizeBytes, ...sent }])
    confirmPart({ partNumber, sizeBytes }, 'moved', 'done')
  }

  #rangeOf(partNumber: number): ByteRange {
    const { plan, source } = this.#upload
    return partRange(plan, source.identity.sizeBytes, partNumber)
  }

  get #isLeft(): boolean {
    return this.#next < this.#partNumbers.length && !this.#isWoundDown && !this.#upload.run.context.signal.aborted
  }

  /** Requests that may run at a time: under a bandwidth limit no more than it can feed. */
  get #limit(): number {
    const { limiter, connections } = this.#upload.run.context
    const { limit } = this.#share
    const { limitBytesPerSecond } = limiter
    if (limitBytesPerSecond === null || typeof connections === 'number') return limit
    const leastRate = Math.max(LEAST_RATE_PER_CONNECTION, this.#upload.plan.partSizeBytes / SECONDS_A_PART)
    return Math.max(1, Math.min(limit, Math.floor(limitBytesPerSecond / leastRate)))
  }

  /** A part that is sent twice must not become two, and lateness that we make ourselves says nothing. */
  get #watchedConnections(): number | null {
    const { context, etags } = this.#upload.run
    return etags.areOpaque || context.limiter.limitBytesPerSecond !== null ? null : this.#share.limit
  }

  #tellUse(): void {
    const running = this.#working.size
    this.#share.uses(running, running + this.#partNumbers.length - this.#next)
  }
}
