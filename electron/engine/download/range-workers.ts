import { rangeLength } from '../../../shared/byte-range.ts'
import { MIB } from '../../../shared/limits.ts'
import type { TaskGroup } from '../async/task-group.ts'
import type { ConnectionShare } from '../core/connections.ts'
import type { ObjectIdentity } from '../core/records.ts'
import { Throughput } from '../flow-control/throughput.ts'
import { unitAt } from '../partial-file/claim-ledger.ts'
import { classify } from '../retry/classify.ts'
import { ResponseSeries } from './response-series.ts'
import { bytesLeft, LeaseBook, type Hedge, type Lease } from './leases/lease-book.ts'
import { fetchCopy, fetchLease, keepBytes, type LeaseWork } from './lease-fetch.ts'
import {
  assign,
  lastMovedAtMs,
  MIN_LEASE_BYTES,
  onItsWayBytes,
  slowLeases,
  spareBytes,
  trial,
  type Assignment,
  type Circumstances,
} from './leases/lease-policy.ts'
import { isUnusable, logFailure, retryOrThrow, type DownloadRun, type Passed } from './requests.ts'

/** A connection that breaks after this much is tried again at once (bytes). */
const LEASE_PROGRESS_BYTES = MIB / 4

/** A connection that is to have less than this a second may be closed by the service (bytes). */
const LEAST_RATE_PER_CONNECTION = MIB / 32

/**
 * When all connections have been silent for so long, a further one is tried, and again and again another, less often the
 * longer it lasts: after an outage TCP may stay silent for as long as that took (milliseconds). None is given up for the
 * next: behind a long queue it brings what it was asked for after all.
 */
const SILENCE_MS = 2000
const TRY_EVERY_MS = 3000
const TRY_SELDOM_MS = 10_000

/** Why a request ends whose bytes are another's now. */
const TAKEN_OVER = new Error('Another connection has its bytes')

/** What a connection remembers from lease to lease. */
interface Worker {
  /** Bytes a second; null: unknown. */
  rate: number | null
  /** Bytes that came since it last failed. */
  progressBytes: number
  /** It is one more than is allowed, to see whether the line is back. */
  isTrial: boolean
}

/** The connections of one download. Each takes work from the book until there is none for it. */
export class RangeWorkers {
  readonly #run: DownloadRun
  readonly #identity: ObjectIdentity
  readonly #share: ConnectionShare
  readonly #group: TaskGroup
  readonly #book: LeaseBook
  readonly #responses = new ResponseSeries()
  /** Ends the request of a lease, or of a copy, whose bytes are no longer its own. */
  readonly #stops = new Map<Lease | Hedge, AbortController>()
  #running = 0
  #usualRate: number | null = null
  #movedAtMs: number
  /** When a connection was last tried in a silence; null: in this one, none. */
  #triedAtMs: number | null = null

  /** @param run its signal is the group's. */
  constructor(run: DownloadRun, identity: ObjectIdentity, share: ConnectionShare, group: TaskGroup) {
    this.#run = run
    this.#identity = identity
    this.#share = share
    this.#group = group
    this.#movedAtMs = this.#nowMs()
    this.#book = new LeaseBook(run.claims.missing(), spareBytes(identity.sizeBytes), this.#movedAtMs)
    group.signal.addEventListener('abort', () => {
      for (const stop of this.#stops.values()) stop.abort(group.signal.reason)
    })
  }

  /** Goes on with the answer that is there, and adds connections. */
  begin(first: Passed | null): void {
    if (first !== null) this.#share.began(first.answeredAtMs, first.latencyMs)
    const lease =
      first?.kind === 'range' ? this.#book.lendExactly(first.range, new Throughput(this.#nowMs(), null)) : null
    if (lease !== null) this.#spawn({ kind: 'lease', lease, victim: null }, first)
    this.pump()
  }

  /**
   * Lets as many connections work as are allowed and find something to do. Those that are too many end with their
   * leases: what is on its way to them beyond would come in vain.
   */
  pump(): void {
    // While ranges are in doubt, those who are at work find out.
    const limit = this.#responses.isInDoubt ? 1 : this.#limit
    while (this.#running < limit && !this.#group.signal.aborted) {
      const assignment = assign(this.#book, null, this.#circumstances())
      if (assignment === null) break
      this.#spawn(assignment, null)
    }
    this.#tellUse()
  }

  /** Replaces connections that are far behind, and puts idle ones to use. */
  look(): void {
    const now = this.#circumstances()
    for (const lease of slowLeases(this.#book, now)) {
      const stop = this.#stops.get(lease)
      if (stop === undefined || stop.signal.aborted) continue
      const { position } = lease
      if (!this.#book.spare(lease, position, onItsWayBytes(this.#book, lease, position, now), true)) continue
      this.#run.context.report.log('A connection is far slower than the others; a new one takes its place')
      // Others may have its bytes at once.
      if (bytesLeft(lease) > 0) this.#book.shorten(lease, position)
      stop.abort(TAKEN_OVER)
    }
    this.pump()
    this.#tryAnother()
  }

  /** While nothing comes over any connection, tries whether a new one brings something. */
  #tryAnother(): void {
    // Who asked for a number of connections gets no more.
    if (typeof this.#run.context.connections === 'number') return
    const nowMs = this.#nowMs()
    this.#movedAtMs = Math.max(this.#movedAtMs, ...[...this.#book.leases].map((lease) => lastMovedAtMs(lease, nowMs)))
    const silentMs = nowMs - this.#movedAtMs
    if (silentMs < SILENCE_MS) this.#triedAtMs = null
    // Who only waits, because the service asked for that or can't be reached, is not silent.
    const isSilent = silentMs >= SILENCE_MS && (this.#triedAtMs !== null || this.#book.leases.size > 0)
    if (!isSilent || this.#group.signal.aborted) return
    const everyMs = Math.min(TRY_SELDOM_MS, Math.max(TRY_EVERY_MS, silentMs / 2))
    if (this.#triedAtMs !== null && nowMs - this.#triedAtMs < everyMs) return
    const assignment = trial(this.#book, this.#circumstances())
    if (assignment === null) return
    if (this.#triedAtMs === null) this.#run.context.report.log('Nothing comes any more; new connections are tried')
    this.#triedAtMs = nowMs
    this.#spawn(assignment, null, true)
  }

  #spawn(assignment: Assignment, first: Passed | null, isTrial = false): void {
    this.#running += 1
    this.#group.spawn(this.#work(assignment, first, isTrial))
  }

  async #work(begin: Assignment, first: Passed | null, isTrial: boolean): Promise<void> {
    const worker: Worker = { rate: null, progressBytes: 0, isTrial }
    let ready = first
    try {
      for (let assignment: Assignment | null = begin; assignment !== null;) {
        if (assignment.kind === 'lease') await this.#fetch(worker, assignment.lease, assignment.victim, ready)
        else await this.#copy(worker, assignment.hedge)
        ready = null
        if (this.#book.isComplete) return this.#group.end()
        if (worker.isTrial) return
        const isAllowed = this.#running <= this.#limit && !this.#group.signal.aborted
        assignment = isAllowed ? assign(this.#book, worker.rate, this.#circumstances()) : null
      }
    } finally {
      this.#running -= 1
      this.#tellUse()
    }
  }

  async #fetch(worker: Worker, lease: Lease, victim: Lease | null, first: Passed | null): Promise<void> {
    if (victim !== null && bytesLeft(victim) === 0) {
      this.#run.context.report.log('A connection is far slower than the others; another one takes its bytes over')
      this.#stops.get(victim)?.abort(TAKEN_OVER)
    }
    await this.#hold(worker, lease, true, (work) => fetchLease(work, lease, first))
  }

  async #copy(worker: Worker, hedge: Hedge): Promise<void> {
    const stop = this.#stopOf(hedge)
    let copy: Uint8Array | null
    try {
      copy = await fetchCopy(this.#workOn(stop), hedge)
    } finally {
      this.#stops.delete(hedge)
    }
    if (copy === null) return
    this.#book.dropHedge(hedge)
    const lease = this.#book.win(hedge, new Throughput(this.#nowMs(), null))
    if (lease === null) return
    if (bytesLeft(hedge.of) === 0) this.#stops.get(hedge.of)?.abort(TAKEN_OVER)
    this.#run.context.report.log(`The last ${rangeLength(lease)} bytes of a slow connection came over another`)
    const bytes = copy.subarray(lease.start - hedge.start)
    await this.#hold(worker, lease, false, (work) => keepBytes(work, lease, bytes))
  }

  /**
   * Does `use` with a lease, gives back what it then lacks, and waits where a failure demands it. Bytes that are not
   * fetched, but here already, tell nothing of a line.
   */
  async #hold(
    worker: Worker,
    lease: Lease,
    isFetched: boolean,
    use: (work: LeaseWork) => Promise<void>,
  ): Promise<void> {
    const stop = this.#stopOf(lease)
    let failed: { readonly failure: unknown } | null = null
    try {
      await use(this.#workOn(stop))
    } catch (failure) {
      failed = { failure }
    }
    this.#stops.delete(lease)
    if (lease.hedge !== null) this.#stops.get(lease.hedge)?.abort(TAKEN_OVER)
    const { position } = lease
    const lacking = bytesLeft(lease)
    this.#book.giveBack(lease)
    worker.progressBytes += position - lease.start
    if (position > lease.start) worker.isTrial = false
    const nowMs = this.#nowMs()
    worker.rate = failed === null && isFetched ? lease.pace.rateOfEnded(nowMs) : lease.pace.rateAt(nowMs)
    if (failed === null) return this.#learn(worker.rate)
    const isTakenOver = stop.signal.aborted && stop.signal.reason === TAKEN_OVER
    // What comes next runs on another connection.
    if (isTakenOver) worker.rate = null
    if (lacking > 0) this.#run.context.report.unit(unitAt(position), 'retrying')
    try {
      if (!isTakenOver) await this.#retryOrThrow(worker, failed.failure, position - lease.start)
    } catch (end) {
      if (lacking > 0) this.#run.context.report.unit(unitAt(position), 'waiting')
      throw end
    }
  }

  /** What leases that ended well had for a rate tells what to expect of the next connection. */
  #learn(rate: number | null): void {
    if (rate !== null) this.#usualRate = ((this.#usualRate ?? rate) + rate) / 2
  }

  /** A connection that broke is made anew at once, if it brought something; all else is retried by the policy. */
  async #retryOrThrow(worker: Worker, failure: unknown, broughtBytes: number): Promise<void> {
    const { context, retryPolicy } = this.#run
    const verdict = classify(failure)
    const isNetwork = verdict.kind === 'wait' && verdict.reason === 'network'
    if (!isNetwork) this.#triedAtMs = null
    if (isNetwork && worker.isTrial) return
    if (verdict.kind === 'wait' && verdict.reason === 'server-busy') this.#share.refused()
    if (isNetwork && broughtBytes === 0) this.#share.failed()
    // Bytes that were taken from an answer, which brings them after all, need no range.
    if (isUnusable(failure)) this.#book.leaveToResponses()
    const isFirst = worker.progressBytes >= LEASE_PROGRESS_BYTES
    worker.progressBytes = 0
    if (isNetwork && isFirst && !context.signal.aborted) return logFailure(context.report, failure)
    // Others may have its bytes meanwhile.
    this.pump()
    await retryOrThrow(context, retryPolicy, failure)
  }

  #stopOf(work: Lease | Hedge): AbortController {
    const stop = new AbortController()
    if (this.#group.signal.aborted) stop.abort(this.#group.signal.reason)
    this.#stops.set(work, stop)
    return stop
  }

  #workOn({ signal }: AbortController): LeaseWork {
    const run = { ...this.#run, context: { ...this.#run.context, signal } }
    return { run, identity: this.#identity, book: this.#book, share: this.#share, responses: this.#responses }
  }

  #circumstances(): Circumstances {
    const isLimited = this.#bandwidthLimit !== null
    const { latencyMs } = this.#share
    const { isInDoubt } = this.#responses
    return {
      nowMs: this.#nowMs(),
      latencyMs,
      connections: this.#limit,
      usualRate: this.#usualRate,
      isLimited,
      isInDoubt,
    }
  }

  get #bandwidthLimit(): number | null {
    return this.#run.context.limiter.limitBytesPerSecond ?? null
  }

  /** Requests that may run at a time: under a bandwidth limit no more than it can feed. */
  get #limit(): number {
    const { limit } = this.#share
    if (this.#bandwidthLimit === null || typeof this.#run.context.connections === 'number') return limit
    return Math.max(1, Math.min(limit, Math.floor(this.#bandwidthLimit / LEAST_RATE_PER_CONNECTION)))
  }

  #tellUse(): void {
    this.#share.uses(this.#running, this.#running + Math.ceil(this.#book.openBytes / (2 * MIN_LEASE_BYTES)))
  }

  #nowMs(): number {
    return this.#run.context.deps.clock.monotonicMs()
  }
}
