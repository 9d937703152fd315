import { isPaced, isSmall, isWaiting } from './known/on-its-way.ts'
import type { LineAccount } from './known/line-account.ts'
import type { SentBody } from './known/sent-body.ts'
import { CrawlWatch } from './late/crawl-watch.ts'
import { isLate, isStandingStill, LateResponse, type Standstill } from './late/late-responses.ts'
import type { LineMember } from './line-member.ts'

/** Gives up the bodies of a line that stand still or crawl while nothing explains why. */
export class LateWatch {
  readonly #members: ReadonlySet<LineMember>
  readonly #account: LineAccount
  readonly #crawlWatch = new CrawlWatch()
  /** Of all large bodies that were answered, what the quickest one took: others may have shared the line. */
  #leastMsPerByte = Infinity

  constructor(members: ReadonlySet<LineMember>, account: LineAccount) {
    this.#members = members
    this.#account = account
  }

  began({ body }: LineMember): void {
    this.#crawlWatch.restart(body)
  }

  answered({ body, asked }: LineMember, nowMs: number): void {
    this.#crawlWatch.ended(body)
    if (isSmall(asked)) return
    this.#crawlWatch.answered(body, nowMs)
    this.#leastMsPerByte = Math.min(this.#leastMsPerByte, (nowMs - body.beganAtMs) / body.sizeBytes)
  }

  lost({ body }: LineMember): void {
    this.#crawlWatch.ended(body)
  }

  /** @param isAnyWaiting whether a body waits to be sent that is not a member yet. */
  look(nowMs: number, isAnyWaiting: boolean): void {
    for (const member of this.#members) {
      // Others go first, or a bandwidth limit holds it back: either may take any time.
      if (!member.isQueued && !member.isHeldBack) this.#judge(member, nowMs, isAnyWaiting)
    }
    this.#judgeCrawl(nowMs)
  }

  /** Finds out whether a body stands still, and gives it up if nothing explains that. */
  #judge(member: LineMember, nowMs: number, isAnyWaiting: boolean): void {
    const { body, asked, late } = member
    const standstill = this.#standstillOf(member, nowMs, isAnyWaiting)
    member.isStuck = isStandingStill(standstill, aheadOf(member))
    // The body waits for its file or for a connection to be made: another try would wait for the same.
    if (isWaiting(member)) return
    if (late.signal.aborted || !isLate(standstill, (isFree) => asked.mayBeCopied(body.handedBytes, isFree))) return
    late.abort(new LateResponse(`Nothing moved for ${String(Math.round(standstill.silentMs / 1000))} s`))
  }

  #standstillOf({ body, fedAtMs }: LineMember, nowMs: number, isAnyWaiting: boolean): Standstill {
    const { answers, queueBytes: queueNowBytes } = this.#account
    const { sizeBytes, lineThen } = body
    const silentMs = nowMs - Math.max(body.movedAtMs, fedAtMs)
    const rate = lineThen.bytesPerSecond
    return {
      silentMs,
      quietMs: Math.min(silentMs, nowMs - answers.atMs),
      sizeBytes,
      queueBytes: lineThen.queueBytes,
      queueNowBytes,
      answeredBytes: answers.bytes - lineThen.answeredBytes,
      turnaroundsMs: answers.turnaroundsMs,
      bodyMs: answers.usualMs(sizeBytes),
      aloneMs: rate === null ? Infinity : sizeBytes * Math.max(1000 / rate, this.#leastMsPerByte),
      rate,
      isAnyAnswered: answers.atMs > body.beganAtMs,
      isLineIdle: this.#members.size === 1 && !isAnyWaiting,
    }
  }

  /** Gives up a body that moves far more slowly than others did. */
  #judgeCrawl(nowMs: number): void {
    const fed: SentBody[] = []
    for (const { body, asked, isQueued, isGiven } of this.#members) {
      if (body.isHanded) continue
      if (!isQueued && isGiven && !isPaced(asked)) fed.push(body)
      else this.#crawlWatch.restart(body)
    }
    // Others that wait for their files, or for connections to be made, move nothing.
    const isAlone = fed.length === 1 && [...this.#members].filter((each) => !isWaiting(each)).length === 1
    const crawler = this.#crawlWatch.crawler(fed, nowMs, isAlone)
    const member = [...this.#members].find(({ body }) => body === crawler)
    if (member === undefined || member.late.signal.aborted) return
    if (member.asked.mayBeCopied(member.body.handedBytes, isAlone))
      member.late.abort(new LateResponse('Its connection crawls'))
  }
}

/** Bytes that go before the next ones of a body: all that was begun before it may, but a wait for its file is its own. */
function aheadOf(member: LineMember): number {
  if (isWaiting(member)) return 0
  const { queueBytes, aheadBytes } = member.body.lineThen
  return member.body.isHanded ? queueBytes : aheadBytes
}
