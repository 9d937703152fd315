// The bodies of all uploads to one service: who sends now, who waits, what is sent again.

import type { BodyToSend, Sending, UploadLine, UploadLineDeps } from '../../core/upload-line.ts'
import { CrawlWatch } from './late/crawl-watch.ts'
import { LateResponse, isLate, isStandingStill, type Standstill } from './late/late-responses.ts'
import { LineAccount } from './known/line-account.ts'
import { SentBody } from './known/sent-body.ts'
import { isPaced, isSmall, isStarved, isWaiting, type OnItsWay } from './known/on-its-way.ts'
import { byTurn, isFed, nextToBegin, sliceBytes, type Lately, type LineView } from './upload-admission.ts'
import { UploadWidth } from './width/upload-width.ts'

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

interface Member extends OnItsWay {
  readonly late: AbortController
  /** Ends the wait for its turn; null while it does not wait. */
  goOn: (() => void) | null
  /** When it last had its turn. */
  fedAtMs: number
  /** Bytes that its connection has taken, or must take before it may get more. */
  givenBytes: number
  isGiven: boolean
  isStuck: boolean
  /** A bandwidth limit holds it back. */
  isHeldBack: boolean
}

class Line implements UploadLine, LineView {
  readonly members = new Set<Member>()
  readonly #deps: UploadLineDeps
  readonly #width: UploadWidth
  readonly #account = new LineAccount(this.members)
  readonly #crawlWatch = new CrawlWatch()
  #waiters: readonly Waiter[] = []
  #looking: AbortController | null = null
  /** Time that large bodies have been on their way since their first bytes, added up, as of `#countedAtMs`. */
  #underWayMs = 0
  #countedAtMs = 0
  /** When a large body last began, and when one was last answered. */
  #begunAtMs = -Infinity
  #answeredAtMs = -Infinity

  constructor(deps: UploadLineDeps) {
    this.#deps = deps
    this.#width = new UploadWidth(deps.clock.monotonicMs())
  }

  get bytesPerSecond(): number | null {
    return this.#account.bytesPerSecond
  }

  get width(): number {
    return this.#deps.fixedWidth ?? this.#width.limit
  }

  get provenWidth(): number {
    return this.#deps.fixedWidth ?? this.#width.provenLimit
  }

  get isFixed(): boolean {
    return this.#deps.fixedWidth !== null
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
        resolve(this.#begin(body))
      }
      const waiter: Waiter = { body, begin }
      signal.addEventListener('abort', leave, { once: true })
      this.#waiters = [...this.#waiters, waiter].sort((one, other) => byTurn(one.body, other.body))
      if (this.#looking === null) void this.#look((this.#looking = new AbortController()).signal)
      this.#pump()
    })
  }

  refused(): void {
    this.#width.refused(this.#nowMs())
  }

  failed(): void {
    this.#width.failed()
  }

  #begin(asked: BodyToSend): Sending {
    const nowMs = this.#nowMs()
    const body = new SentBody(asked.sizeBytes, nowMs)
    const member: Member = {
      body,
      asked,
      late: new AbortController(),
      goOn: null,
      fedAtMs: nowMs,
      givenBytes: 0,
      isGiven: false,
      isStuck: false,
      isHeldBack: false,
    }
    if (this.members.size === 0) {
      this.#account.begin(nowMs)
      this.#width.begin(nowMs)
    }
    this.members.add(member)
    this.#crawlWatch.restart(body)
    if (!isSmall(asked)) this.#begunAtMs = nowMs
    this.#account.queued(body)
    const leftMs = (): number | null => this.#account.leftMs(member)
    const slice = (): number => sliceBytes(this)
    const isOver = (): boolean => !this.members.has(member)
    return {
      turn: (bytes, signal) => this.#turn(member, bytes, signal),
      heldBack: (until) => heldBack(member, until),
      handed: (bytes) => this.#handed(member, bytes),
      answered: () => this.#answered(member),
      get isOver() {
        return isOver()
      },
      get isStarved() {
        return isStarved(member)
      },
      get handedBytes() {
        return body.handedBytes
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

  #turn(member: Member, bytes: number, signal: AbortSignal): Promise<void> | null {
    if (signal.aborted) return Promise.reject(signal.reason as Error)
    // Its file has given bytes: the body waits for nothing else and goes before later ones again.
    member.isStuck = false
    if (isFed(member, this)) {
      this.#fed(member, bytes)
      return null
    }
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        member.goOn = null
        reject(signal.reason as Error)
      }
      signal.addEventListener('abort', leave, { once: true })
      member.goOn = () => {
        member.goOn = null
        signal.removeEventListener('abort', leave)
        this.#fed(member, bytes)
        resolve()
      }
    })
  }

  #fed(member: Member, bytes: number): void {
    member.fedAtMs = this.#nowMs()
    member.givenBytes = member.body.handedBytes + bytes
    member.isGiven = true
    member.body.asked(member.fedAtMs)
  }

  #handed(member: Member, bytes: number): void {
    // Writes to a connection that broke are reported, too.
    if (!this.members.has(member)) return
    const { body } = member
    const nowMs = this.#nowMs()
    if (body.handedBytes === 0) this.#countUnderWay(nowMs)
    this.#account.handed(member, bytes, nowMs)
    member.isGiven = body.handedBytes < member.givenBytes
    member.isStuck = false
    const pace = body.paceAt(nowMs)
    if (pace !== null && this.#isAlone(member)) this.#width.drained(pace, body.fullMs(nowMs), nowMs)
    if (!body.isHanded) return
    this.#goOn()
    this.#pump()
  }

  #answered(member: Member): void {
    if (!this.members.has(member)) return
    const { body, asked } = member
    const nowMs = this.#nowMs()
    const isAlone = this.#isAlone(member)
    this.#countUnderWay(nowMs)
    this.members.delete(member)
    const isLast = this.members.size === 0
    this.#crawlWatch.ended(body)
    this.#account.answered(member, nowMs)
    if (!isSmall(asked)) {
      this.#answeredAtMs = nowMs
      this.#crawlWatch.answered(body, nowMs)
    }
    // If a bandwidth limit is what is slow, more bodies at a time would only end later.
    if (!isSmall(asked) && (body.isFull || !isPaced(asked))) {
      const rate = body.isFull ? this.bytesPerSecond : (body.sizeBytes * 1000) / Math.max(1, nowMs - body.beganAtMs)
      const loneRate = isAlone ? rate : null
      const { sizeBytes, beganAtMs, isFull: isVisible } = body
      this.#width.largeAnswered({ sizeBytes, beganAtMs, loneRate, isVisible }, nowMs)
    }
    this.#leave()
    if (!isSmall(asked) || !isLast || isPaced(asked)) return
    this.#width.smallAnswered(body.sizeBytes, nowMs - body.beganAtMs, this.roundTripMs, nowMs)
    this.#pump()
  }

  /** No other body moves, except for the little that waiting ones get. */
  #isAlone(member: Member): boolean {
    return this.width === 1 && isFed(member, this)
  }

  #end(member: Member): void {
    if (!this.members.has(member)) return
    const nowMs = this.#nowMs()
    this.#countUnderWay(nowMs)
    this.members.delete(member)
    this.#crawlWatch.ended(member.body)
    member.goOn?.()
    this.#account.lost(member, nowMs)
    this.#leave()
  }

  #leave(): void {
    this.#goOn()
    this.#pump()
    if (this.members.size === 0) this.#width.rest(this.#nowMs())
    this.#stopLooking()
  }

  #stopLooking(): void {
    if (this.members.size > 0 || this.#waiters.length > 0) return
    this.#looking?.abort()
    this.#looking = null
  }

  /** Lets the bodies go on whose turn it is. */
  #goOn(): void {
    for (const member of this.members) if (member.goOn !== null && isFed(member, this)) member.goOn()
  }

  get #lately(): Lately {
    const nowMs = this.#nowMs()
    return { begunMs: nowMs - this.#begunAtMs, answeredMs: nowMs - this.#answeredAtMs }
  }

  #pump(): void {
    const next = (): Waiter | undefined => nextToBegin(this.#waiters, this, this.#lately)
    for (let waiter = next(); waiter !== undefined; waiter = next()) {
      this.#waiters = this.#waiters.filter((each) => each !== waiter)
      waiter.begin()
    }
  }

  async #look(signal: AbortSignal): Promise<void> {
    const { clock, isSaturated } = this.#deps
    let lastMs = clock.monotonicMs()
    try {
      for (;;) {
        await clock.sleep(LOOK_MS, signal)
        const nowMs = clock.monotonicMs()
        const elapsedMs = nowMs - lastMs
        lastMs = nowMs
        const isBusy = isSaturated(elapsedMs - LOOK_MS)
        if (this.members.size > 0) {
          this.#account.look(nowMs)
          this.#judge(nowMs)
          this.#judgeCrawl(nowMs)
          this.#lookAtWidth(nowMs, isBusy)
        }
        this.#goOn()
        this.#pump()
      }
    } catch (failure) {
      if (!signal.aborted) throw failure
    }
  }

  /** Finds the bodies that stand still, and gives up those whose standstill nothing explains. */
  #judge(nowMs: number): void {
    for (const member of this.members) {
      const { body, late } = member
      if (member.goOn !== null) {
        if (nowMs - member.fedAtMs >= TRICKLE_MS) member.goOn()
        continue
      }
      // A bandwidth limit may hold a body back for any time.
      if (member.isHeldBack) continue
      const standstill = this.#standstillOf(member, nowMs)
      member.isStuck = isStandingStill(standstill, body.isHanded)
      // The body waits for its file or for a connection to be made: another try would wait for the same.
      if (isWaiting(member)) continue
      const mayBeCopied = (): boolean => member.asked.mayBeCopied(body.handedBytes)
      if (late.signal.aborted || !isLate(standstill, mayBeCopied)) continue
      late.abort(new LateResponse(`Nothing moved for ${String(Math.round(standstill.silentMs / 1000))} s`))
    }
  }

  #standstillOf({ body, fedAtMs }: Member, nowMs: number): Standstill {
    const { sizeBytes } = body
    const { queueBytes, bytesPerSecond: rate, answeredBytes: answeredThen } = body.then
    const { queueBytes: queueNowBytes, answers } = this.#account
    const { turnaroundsMs } = answers
    const silentMs = nowMs - Math.max(body.movedAtMs, fedAtMs)
    const answeredBytes = answers.bytes - answeredThen
    const quietMs = Math.min(silentMs, nowMs - answers.atMs)
    const bodyMs = answers.usualMs(sizeBytes)
    const isLineIdle = this.members.size === 1 && this.#waiters.length === 0
    const queue = { sizeBytes, queueBytes, queueNowBytes, answeredBytes }
    return { silentMs, quietMs, ...queue, turnaroundsMs, bodyMs, rate, isLineIdle }
  }

  /** Gives up a body that moves far more slowly than others did. */
  #judgeCrawl(nowMs: number): void {
    const fed: SentBody[] = []
    for (const { body, asked, goOn, isGiven } of this.members) {
      if (body.isHanded) continue
      if (goOn === null && isGiven && !isPaced(asked)) fed.push(body)
      else this.#crawlWatch.restart(body)
    }
    const crawler = this.#crawlWatch.crawler(fed, nowMs)
    const member = [...this.members].find(({ body }) => body === crawler)
    if (member === undefined || member.late.signal.aborted) return
    if (member.asked.mayBeCopied(member.body.handedBytes)) member.late.abort(new LateResponse('Its connection crawls'))
  }

  #lookAtWidth(nowMs: number, isSaturated: boolean): void {
    if (this.isFixed) return
    this.#countUnderWay(nowMs)
    const large = [...this.members].filter(({ asked, isStuck }) => !isSmall(asked) && !isStuck).length
    const { takenBytes, drainedBytes, answers } = this.#account
    this.#width.look({
      nowMs,
      rate: this.bytesPerSecond,
      takenBytes,
      drainedBytes,
      answeredBytes: answers.bytes,
      answeredMs: answers.largeMs,
      underWayMs: this.#underWayMs,
      isFull: large >= this.#width.limit || !this.#waiters.some(({ body }) => body.isReady()),
      isSaturated,
      bodyMs: answers.bodyMs,
      knownSince: (fromMs) => this.#account.knownSince(fromMs),
    })
  }

  /** Adds the time since the last call; must be called before a body begins to move or ends. */
  #countUnderWay(nowMs: number): void {
    const elapsedMs = nowMs - this.#countedAtMs
    for (const { asked, body, isStuck } of this.members)
      if (!isSmall(asked) && !isStuck && body.handedBytes > 0) this.#underWayMs += elapsedMs
    this.#countedAtMs = nowMs
  }

  #nowMs(): number {
    return this.#deps.clock.monotonicMs()
  }
}

async function heldBack(member: Member, until: Promise<void>): Promise<void> {
  member.isHeldBack = true
  // Its file has given bytes.
  member.isStuck = false
  try {
    await until
  } finally {
    member.isHeldBack = false
  }
}
