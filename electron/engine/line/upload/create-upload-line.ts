// The bodies of all uploads to one service: who sends now, who waits, what is sent again.

import type { BodyToSend, Sending, UploadLine, UploadLineDeps } from '../../core/upload-line.ts'
import { LineAccount } from './known/line-account.ts'
import { isSmall, isStarved } from './known/on-its-way.ts'
import { LateWatch } from './late-watch.ts'
import { LineMember } from './line-member.ts'
import { LineWidth } from './line-width.ts'
import { byTurn, isFed, nextToBegin, sliceBytes, type Lately, type LineView } from './upload-admission.ts'

/** How often the line looks at its bodies, milliseconds. */
export const LOOK_MS = 100
/** How often a body without its turn gets one slice, so that the service does not take it for dead (milliseconds). */
const TRICKLE_MS = 4000

export function createUploadLine(deps: UploadLineDeps): UploadLine {
  return new Line(deps)
}

interface Waiter {
  readonly body: BodyToSend
  readonly begin: () => void
}

class Line implements UploadLine, LineView {
  readonly members = new Set<LineMember>()
  readonly #deps: UploadLineDeps
  readonly #account = new LineAccount(this.members)
  readonly #width: LineWidth
  readonly #lateWatch = new LateWatch(this.members, this.#account)
  /** In the order of `byTurn`. */
  #waiters: readonly Waiter[] = []
  /** Ends the looking; null while nothing is on the line. */
  #looking: AbortController | null = null
  /** When a large body last began, and when one was last answered. */
  #begunAtMs = -Infinity
  #answeredAtMs = -Infinity

  constructor(deps: UploadLineDeps) {
    this.#deps = deps
    this.#width = new LineWidth(this.members, this.#account, deps.fixedWidth, deps.clock.monotonicMs())
  }

  get bytesPerSecond(): number | null {
    return this.#account.bytesPerSecond
  }

  get width(): number {
    return this.#width.limit
  }

  get provenWidth(): number {
    return this.#width.provenLimit
  }

  get isFixed(): boolean {
    return this.#width.isFixed
  }

  get turnaroundMs(): number {
    return this.#account.answers.turnaroundMs
  }

  get roundTripMs(): number {
    return this.#account.answers.roundTripMs
  }

  roundTrip(ms: number): void {
    this.#account.answers.roundTrip(ms)
  }

  reconsider(): void {
    this.#pump()
  }

  refused(): void {
    this.#width.refused(this.#nowMs())
  }

  failed(): void {
    this.#width.failed()
  }

  enter(body: BodyToSend, signal: AbortSignal): Promise<Sending> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason as Error)
      const leave = (): void => {
        this.#waiters = this.#waiters.filter((each) => each !== waiter)
        this.#stopLooking()
        reject(signal.reason as Error)
      }
      const begin = (): void => {
        signal.removeEventListener('abort', leave)
        resolve(this.#sendingOf(this.#begin(body)))
      }
      const waiter: Waiter = { body, begin }
      signal.addEventListener('abort', leave, { once: true })
      this.#waiters = [...this.#waiters, waiter].sort((one, other) => byTurn(one.body, other.body))
      if (this.#looking === null) void this.#look((this.#looking = new AbortController()).signal)
      this.#pump()
    })
  }

  #begin(asked: BodyToSend): LineMember {
    const nowMs = this.#nowMs()
    const member = new LineMember(asked, this.#deps.clock)
    if (this.members.size === 0) {
      this.#account.begin(nowMs)
      this.#width.begin(nowMs)
    }
    this.members.add(member)
    this.#lateWatch.began(member)
    if (!isSmall(asked)) this.#begunAtMs = nowMs
    this.#account.queued(member.body)
    return member
  }

  /** What the owner of a body sees of it. */
  #sendingOf(member: LineMember): Sending {
    const leftMs = (): number | null => this.#account.leftMs(member)
    const slice = (): number => sliceBytes(this)
    const isOver = (): boolean => !this.members.has(member)
    return {
      turn: (bytes, signal) => this.#turn(member, bytes, signal),
      heldBack: (until) => member.holdBack(until),
      handed: (bytes) => this.#handed(member, bytes),
      answered: () => this.#answered(member),
      get isOver() {
        return isOver()
      },
      get isStarved() {
        return isStarved(member)
      },
      get handedBytes() {
        return member.body.handedBytes
      },
      get leftMs() {
        return leftMs()
      },
      get sliceBytes() {
        return slice()
      },
      late: member.late.signal,
      end: () => this.#end(member),
    }
  }

  #turn(member: LineMember, bytes: number, signal: AbortSignal): Promise<void> | null {
    if (signal.aborted) return Promise.reject(signal.reason as Error)
    // Its file has given bytes: the body waits for nothing else and goes before later ones again.
    member.isStuck = false
    if (!isFed(member, this)) return member.queue(bytes, signal)
    member.feed(bytes)
    return null
  }

  #handed(member: LineMember, bytes: number): void {
    // Writes to a connection that broke are reported, too.
    if (!this.members.has(member)) return
    const nowMs = this.#nowMs()
    if (member.body.handedBytes === 0) this.#width.countUnderWay(nowMs)
    this.#account.handed(member, bytes, nowMs)
    member.moved()
    if (this.#isAlone(member)) this.#width.loneHanded(member, nowMs)
    if (!member.body.isHanded) return
    this.#goOn()
    this.#pump()
  }

  #answered(member: LineMember): void {
    if (!this.members.has(member)) return
    const nowMs = this.#nowMs()
    const isAlone = this.#isAlone(member)
    this.#width.countUnderWay(nowMs)
    this.members.delete(member)
    const isLast = this.members.size === 0
    this.#account.answered(member, nowMs)
    this.#lateWatch.answered(member, nowMs)
    if (isSmall(member.asked)) {
      this.#leave()
      if (!isLast) return
      this.#width.smallAnswered(member, nowMs)
      this.#pump()
    } else {
      this.#answeredAtMs = nowMs
      this.#width.largeAnswered(member, isAlone, nowMs)
      this.#leave()
    }
  }

  /** A body ends without an answer. */
  #end(member: LineMember): void {
    if (!this.members.has(member)) return
    const nowMs = this.#nowMs()
    this.#width.countUnderWay(nowMs)
    this.members.delete(member)
    this.#lateWatch.lost(member)
    member.goOn()
    this.#account.lost(member, nowMs)
    this.#leave()
  }

  /** No other body moves, except for the little that waiting ones get. */
  #isAlone(member: LineMember): boolean {
    return this.width === 1 && isFed(member, this)
  }

  /** A body has left the line. */
  #leave(): void {
    this.#goOn()
    this.#pump()
    if (this.members.size === 0) this.#width.rest(this.#nowMs())
    this.#stopLooking()
  }

  /** Lets the bodies go on whose turn it is. */
  #goOn(): void {
    for (const member of this.members) if (member.isQueued && isFed(member, this)) member.goOn()
  }

  /** Begins the bodies whose turn it is. */
  #pump(): void {
    const next = (): Waiter | undefined => nextToBegin(this.#waiters, this, this.#lately)
    for (let waiter = next(); waiter !== undefined; waiter = next()) {
      this.#waiters = this.#waiters.filter((each) => each !== waiter)
      waiter.begin()
    }
  }

  get #lately(): Lately {
    const nowMs = this.#nowMs()
    return { begunMs: nowMs - this.#begunAtMs, answeredMs: nowMs - this.#answeredAtMs }
  }

  /** Looks at the bodies until `signal` is aborted: time alone may change whose turn it is, and who is late. */
  async #look(signal: AbortSignal): Promise<void> {
    const { clock, isSaturated } = this.#deps
    let lastMs = clock.monotonicMs()
    try {
      for (;;) {
        await clock.sleep(LOOK_MS, signal)
        const nowMs = clock.monotonicMs()
        const isBusy = isSaturated(nowMs - lastMs - LOOK_MS)
        lastMs = nowMs
        if (this.members.size > 0) this.#lookAtMembers(nowMs, isBusy)
        this.#goOn()
        this.#pump()
      }
    } catch (failure) {
      if (!signal.aborted) throw failure
    }
  }

  #lookAtMembers(nowMs: number, isSaturated: boolean): void {
    this.#account.look(nowMs)
    for (const member of this.members) if (member.isQueued && nowMs - member.fedAtMs >= TRICKLE_MS) member.goOn()
    this.#lateWatch.look(nowMs, this.#waiters.length > 0)
    this.#width.look({ nowMs, isAnyReady: this.#waiters.some(({ body }) => body.isReady()), isSaturated })
  }

  #stopLooking(): void {
    if (this.members.size > 0 || this.#waiters.length > 0) return
    this.#looking?.abort()
    this.#looking = null
  }

  #nowMs(): number {
    return this.#deps.clock.monotonicMs()
  }
}
