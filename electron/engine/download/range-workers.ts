import { rangeLength } from '../../../shared/byte-range.ts'
import { MIB } from '../../../shared/limits.ts'
import type { TaskGroup } from '../async/task-group.ts'
import type { ConnectionShare } from '../core/connections.ts'
import type { ObjectIdentity } from '../core/records.ts'
import { Throughput } from '../flow-control/throughput.ts'
import { unitAt } from '../partial-file/claim-ledger.ts'
import { classify, isOfNetwork } from '../retry/classify.ts'
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
import { Silence } from './leases/silence.ts'
import type { DownloadRun } from './download-run.ts'
import { isUnusable, logFailure, retryOrThrow, type Passed } from './requests.ts'

/** A connection that breaks after bringing this much is replaced at once (bytes). */
const LEASE_PROGRESS_BYTES = MIB / 4

/** A service may close a connection that is allowed less than this (bytes a second). */
const LEAST_RATE_PER_CONNECTION = MIB / 32

/** How long a broken connection leaves its rest to a copy that brings nothing (milliseconds). */
const COPY_SILENCE_MS = 5000
const COPY_LOOK_MS = 100

/** The reason that ends a request whose bytes now belong to another. */
const TAKEN_OVER = new Error('Another connection has taken over its bytes')

/** What a connection remembers from lease to lease. */
interface Worker {
  /** Bytes a second; null when unknown. */
  rate: number | null
  /** Bytes it has brought since it last failed. */
  progressBytes: number
  /** Whether it exceeds the limit, to see whether the line is back. */
  isTrial: boolean
}

interface WorkerStart {
  /** The response that is already there for its first lease. */
  readonly first?: Passed | null
  readonly isTrial?: boolean
}

/** The connections of one download. Each takes work from the book until there is none left for it. */
export class RangeWorkers {
  readonly #run: DownloadRun
  readonly #identity: ObjectIdentity
  readonly #share: ConnectionShare
  readonly #group: TaskGroup
  readonly #book: LeaseBook
  readonly #responses = new ResponseSeries()
  /** Ends the request of a lease, or of a copy, when its bytes are taken over. */
  readonly #stops = new Map<Lease | Hedge, AbortController>()
  #running = 0
  #usualRate: number | null = null
  readonly #silence: Silence

  /** @param run must have the signal of the group. */
  constructor(run: DownloadRun, identity: ObjectIdentity, share: ConnectionShare, group: TaskGroup) {
    this.#run = run
    this.#identity = identity
    this.#share = share
    this.#group = group
    const nowMs = this.#nowMs()
    this.#silence = new Silence(nowMs)
    this.#book = new LeaseBook(run.claims.missing(), spareBytes(identity.sizeBytes), nowMs)
    group.signal.addEventListener('abort', () => {
      for (const stop of this.#stops.values()) stop.abort(group.signal.reason)
    })
  }

  /** Continues with the response that is already there, and adds connections. */
  begin(first: Passed | null): void {
    if (first !== null) this.#share.began(first.answeredAtMs, first.latencyMs)
    const lease =
      first?.kind === 'range' ? this.#book.lendExactly(first.range, new Throughput(this.#nowMs(), null)) : null
    if (lease !== null) this.#spawn({ kind: 'lease', lease, victim: null }, { first })
    this.pump()
  }

  /**
   * Starts connections up to the limit, as long as there is work for them. Those above the limit end with their leases:
   * stopping them sooner would waste what is on its way to them.
   */
  pump(): void {
    // While it is in doubt whether ranges work, the connections at work find out.
    const limit = this.#responses.isInDoubt ? 1 : this.#limit
    while (this.#running < limit && !this.#group.signal.aborted) {
      const assignment = assign(this.#book, null, this.#circumstances())
      if (assignment === null) break
      this.#spawn(assignment)
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
      if (!this.#book.spare(lease, position, onItsWayBytes(this.#book, lease, position, now), 'all')) continue
      this.#run.context.report.log('One connection is far slower than the others; replacing it with a new one')
      // Other connections may take its bytes at once.
      if (bytesLeft(lease) > 0) this.#book.shorten(lease, position)
      stop.abort(TAKEN_OVER)
    }
    this.pump()
    this.#tryAnother()
  }

  /** While all connections are silent, tries whether a new one brings anything. */
  #tryAnother(): void {
    // A fixed number of connections is never exceeded.
    if (typeof this.#run.context.connections === 'number') return
    const nowMs = this.#nowMs()
    const moved = [...this.#book.leases].map((lease) => lastMovedAtMs(lease, nowMs))
    const movedAtMs = moved.length === 0 ? null : Math.max(...moved)
    if (!this.#silence.isTrialDue(movedAtMs, nowMs) || this.#group.signal.aborted) return
    const assignment = trial(this.#book, this.#circumstances())
    if (assignment === null) return
    if (!this.#silence.isTried) this.#run.context.report.log('Nothing is arriving; trying new connections')
    this.#silence.tried(nowMs)
    this.#spawn(assignment, { isTrial: true })
  }

  #spawn(assignment: Assignment, start: WorkerStart = {}): void {
    this.#running += 1
    this.#group.spawn(this.#work(assignment, start))
  }

  async #work(begin: Assignment, { first = null, isTrial = false }: WorkerStart): Promise<void> {
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
      this.#run.context.report.log('One connection is far slower than the others; another one is taking over its bytes')
      this.#stops.get(victim)?.abort(TAKEN_OVER)
    }
    await this.#hold(worker, { lease, from: 'line' }, (work) => fetchLease(work, lease, first))
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
    this.#run.context.report.log(`The last ${rangeLength(lease)} bytes of a slow connection arrived over another one`)
    const bytes = copy.subarray(lease.start - hedge.start)
    await this.#hold(worker, { lease, from: 'copy' }, (work) => keepBytes(work, lease, bytes))
  }

  /**
   * Runs `use` with a lease, gives back what the lease then lacks, and waits if a failure demands it. Bytes of a copy
   * are here already and say nothing about the line.
   */
  async #hold(
    worker: Worker,
    { lease, from }: { readonly lease: Lease; readonly from: 'line' | 'copy' },
    use: (work: LeaseWork) => Promise<void>,
  ): Promise<void> {
    const stop = this.#stopOf(lease)
    let failed: { readonly failure: unknown } | null = null
    try {
      await use(this.#workOn(stop))
    } catch (failure) {
      failed = { failure }
      if (isOfNetwork(classify(failure))) await this.#leaveToCopy(lease, stop.signal)
    }
    this.#stops.delete(lease)
    if (lease.hedge !== null) this.#stops.get(lease.hedge)?.abort(TAKEN_OVER)
    const { position } = lease
    const lacking = bytesLeft(lease)
    this.#book.giveBack(lease)
    worker.progressBytes += position - lease.start
    if (position > lease.start) worker.isTrial = false
    const nowMs = this.#nowMs()
    worker.rate = failed === null && from === 'line' ? lease.pace.rateOfEnded(nowMs) : lease.pace.rateAt(nowMs)
    if (failed === null) return this.#learn(worker.rate)
    const isTakenOver = stop.signal.aborted && stop.signal.reason === TAKEN_OVER
    // Its next lease gets another connection.
    if (isTakenOver) worker.rate = null
    if (lacking > 0) this.#run.context.report.unit(unitAt(position), 'retrying')
    try {
      if (!isTakenOver) await this.#retryOrThrow(worker, failed.failure, position - lease.start)
    } catch (end) {
      if (lacking > 0) this.#run.context.report.unit(unitAt(position), 'waiting')
      throw end
    }
  }

  /**
   * Waits for the copy of what a broken connection still lacks, as long as that is under way and not silent: to ask for
   * the same bytes anew would only lose what the copy has waited for.
   */
  async #leaveToCopy(lease: Lease, taken: AbortSignal): Promise<void> {
    const { hedge } = lease
    if (hedge === null) return
    while (this.#stops.has(hedge) && bytesLeft(lease) > 0 && this.#nowMs() - hedge.movedAtMs < COPY_SILENCE_MS) {
      try {
        await this.#run.context.deps.clock.sleep(COPY_LOOK_MS, taken)
      } catch {
        // The copy has arrived, or all of it ends.
        return
      }
    }
  }

  /** The rates of leases that ended well tell what to expect of the next connection. */
  #learn(rate: number | null): void {
    if (rate !== null) this.#usualRate = ((this.#usualRate ?? rate) + rate) / 2
  }

  /** Replaces a broken connection at once if it had brought enough; leaves all other failures to the retry policy. */
  async #retryOrThrow(worker: Worker, failure: unknown, broughtBytes: number): Promise<void> {
    const { context, retryPolicy } = this.#run
    const verdict = classify(failure)
    const isNetwork = isOfNetwork(verdict)
    if (!isNetwork) this.#silence.ended()
    if (isNetwork && worker.isTrial) return
    if (verdict.kind === 'wait' && verdict.reason === 'server-busy') this.#share.refused()
    if (isNetwork && broughtBytes === 0) this.#share.failed()
    // Bytes that were taken from a response which still brings them need no range request.
    if (isUnusable(failure)) this.#book.leaveToResponses()
    const isFirst = worker.progressBytes >= LEASE_PROGRESS_BYTES
    worker.progressBytes = 0
    if (isNetwork && isFirst && !context.signal.aborted) return logFailure(context.report, failure)
    // Other connections may take its bytes meanwhile.
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
    const { latencyMs, bytesPerSecond: hostRate } = this.#share
    const { isInDoubt } = this.#responses
    return {
      nowMs: this.#nowMs(),
      latencyMs,
      connections: this.#limit,
      usualRate: this.#usualRate,
      hostRate,
      isLimited,
      isInDoubt,
    }
  }

  get #bandwidthLimit(): number | null {
    return this.#run.context.limiter.limitBytesPerSecond ?? null
  }

  /** How many requests may run at a time: under a bandwidth limit, no more than it can feed. */
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
