// Measures what the connections of one host bring, and shares them out among its downloads.

import type { ConnectionShare } from '../core/connections.ts'
import type { Clock } from '../core/deps.ts'
import {
  afterFirstBytes,
  afterRefusal,
  afterWindow,
  governorTimes,
  provenLimit,
  startGovernor,
  startUnknown,
  windowEnd,
  type GovernorState,
  type Observation,
} from '../flow-control/connection-governor.ts'
import { LinePace } from '../flow-control/line-pace.ts'
import { ArrivalPace } from './arrival-pace.ts'
import { fairShares } from './fair-shares.ts'

/** Assumed until a request is answered, so that the first connections exist before they are watched. */
const UNKNOWN_LATENCY_MS = 10
/** A window in which too little came is extended by this much at a time. */
const EXTENSION_MS = 125

export interface GovernorDeps {
  readonly clock: Clock
  /** Whether the disk or this process is the bottleneck now. `lateMs`: how late a timer came, in milliseconds. */
  readonly isSaturated: (lateMs: number) => boolean
}

interface Member {
  limit: number
  running: number
  wanted: number
  readonly onChange: () => void
}

/** The connections of one host, as many as pay. */
export class HostGovernor {
  readonly #deps: GovernorDeps
  readonly #members = new Set<Member>()
  #state: GovernorState
  /** Ends the watch; null while nobody downloads. */
  #watching: AbortController | null = null
  /** The shortest time to an answer; Infinity before the first. */
  #latencyMs = Infinity
  /** What the first bytes of a host tell about a number of connections to begin with. */
  #first: ArrivalPace
  /** What has come in the current window. */
  #window: ArrivalPace
  /** What its line brings at present, over all windows. */
  #pace: LinePace
  #failures = 0
  /** Since the window began, the number of connections in use has differed from the limit. */
  #wasOff = false

  constructor(deps: GovernorDeps) {
    this.#deps = deps
    const nowMs = deps.clock.monotonicMs()
    this.#first = new ArrivalPace(nowMs)
    this.#window = new ArrivalPace(nowMs)
    this.#pace = new LinePace(nowMs)
    this.#state = startUnknown(nowMs)
  }

  join(onChange: () => void): ConnectionShare {
    const member: Member = { limit: 1, running: 0, wanted: 1, onChange }
    this.#members.add(member)
    this.#shareOut()
    if (this.#watching === null) this.#watchAnew()
    const latencyMs = () => this.#latency
    const bytesPerSecond = () => this.#pace.rate
    return {
      get limit() {
        return member.limit
      },
      get latencyMs() {
        return latencyMs()
      },
      get bytesPerSecond() {
        return bytesPerSecond()
      },
      uses: (running, wanted) => this.#uses(member, running, wanted),
      arrived: (bytes) => this.#arrived(bytes),
      began: (answeredAtMs, latencyMs) => this.#first.began(answeredAtMs, latencyMs),
      answered: (latencyMs) => void (this.#latencyMs = Math.min(this.#latencyMs, latencyMs)),
      refused: () => this.refused(),
      failed: () => void (this.#failures += 1),
      leave: () => this.#leave(member),
    }
  }

  get provenLimit(): number {
    return provenLimit(this.#state)
  }

  refused(): void {
    this.#become(afterRefusal(this.#state, this.#deps.clock.monotonicMs()))
  }

  get #latency(): number {
    return this.#latencyMs === Infinity ? 0 : this.#latencyMs
  }

  #arrived(bytes: number): void {
    const nowMs = this.#deps.clock.monotonicMs()
    this.#window.moved(bytes, nowMs)
    this.#pace.moved(bytes, nowMs)
    if (!this.#state.isNew) return
    this.#first.moved(bytes, nowMs)
    const state = afterFirstBytes(this.#state, this.#first.firstBytes(nowMs))
    if (state === this.#state) return
    this.#become(state)
    this.#watchAnew()
  }

  #uses(member: Member, running: number, wanted: number): void {
    member.running = running
    const changed = member.wanted !== wanted
    member.wanted = wanted
    if (changed && this.#members.size > 1) this.#shareOut()
    if (this.#running() !== this.#state.limit) this.#wasOff = true
  }

  #running(): number {
    let running = 0
    for (const member of this.#members) running += member.running
    return running
  }

  #leave(member: Member): void {
    this.#members.delete(member)
    if (this.#members.size > 0) return this.#shareOut()
    this.#watching?.abort(new Error('No transfer is left'))
    this.#watching = null
    // The next transfer begins with the number learned so far.
    const { limit, isNew } = this.#state
    const nowMs = this.#deps.clock.monotonicMs()
    this.#state = isNew ? startUnknown(nowMs) : startGovernor(nowMs, limit)
    this.#first = new ArrivalPace(nowMs)
    this.#pace = new LinePace(nowMs)
  }

  #become(state: GovernorState): void {
    const isOther = state.limit !== this.#state.limit
    this.#state = state
    if (isOther) this.#shareOut()
  }

  #shareOut(): void {
    const members = [...this.#members]
    const shares = fairShares(
      this.#state.limit,
      members.map(({ wanted }) => wanted),
    )
    const changed = members.filter((member, index) => member.limit !== shares[index])
    for (const [index, member] of members.entries()) member.limit = shares[index] ?? 1
    for (const member of changed) member.onChange()
  }

  #watchAnew(): void {
    this.#watching?.abort(new Error('The watch starts over'))
    void this.#watch((this.#watching = new AbortController()).signal)
  }

  /** Watches window after window until it is aborted. */
  async #watch(signal: AbortSignal): Promise<void> {
    const { clock } = this.#deps
    try {
      for (;;) {
        const { settleMs, windowMs } = governorTimes(this.#state, this.#latency || UNKNOWN_LATENCY_MS)
        if (settleMs > 0) await clock.sleep(settleMs, signal)
        const startedAtMs = clock.monotonicMs()
        this.#window = new ArrivalPace(startedAtMs)
        this.#wasOff = this.#running() !== this.#state.limit
        await clock.sleep(windowMs, signal)
        const lateMs = clock.monotonicMs() - startedAtMs - windowMs
        await this.#untilTold(startedAtMs, signal)
        const nowMs = clock.monotonicMs()
        this.#become(
          afterWindow(this.#state, {
            nowMs,
            bytesPerSecond: this.#window.rateAt(nowMs),
            isFull: !this.#wasOff && !this.#window.hasStalled(nowMs),
            isSaturated: this.#deps.isSaturated(lateMs),
            failures: this.#failures,
          } satisfies Observation),
        )
        this.#failures = 0
      }
    } catch (failure) {
      if (!signal.aborted) throw failure
    }
  }

  /** Extends a window while too few bytes came in it. */
  async #untilTold(startedAtMs: number, signal: AbortSignal): Promise<void> {
    const { clock } = this.#deps
    const { bytes, maxMs } = windowEnd(this.#state)
    for (;;) {
      const leftMs = maxMs - (clock.monotonicMs() - startedAtMs)
      if (this.#window.bytes >= bytes || this.#failures > 0 || leftMs <= 0) return
      await clock.sleep(Math.min(EXTENSION_MS, leftMs), signal)
    }
  }
}
