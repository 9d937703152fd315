import type { LineAccount } from './known/line-account.ts'
import { isPaced, isSmall } from './known/on-its-way.ts'
import type { LineMember } from './line-member.ts'
import { UploadWidth } from './width/upload-width.ts'

/** What a line tells when its width is judged. */
interface Look {
  readonly nowMs: number
  /** Another body would begin if the line were wider. */
  readonly isAnyReady: boolean
  /** This process itself is too busy to feed the line. */
  readonly isSaturated: boolean
}

/** The width of one line: tells `UploadWidth` what the bodies of the line show. Times are monotonic milliseconds. */
export class LineWidth {
  readonly #members: ReadonlySet<LineMember>
  readonly #account: LineAccount
  readonly #adaptive: UploadWidth
  readonly #fixed: number | null
  /** Time that large bodies have been on their way since their first bytes, added up, as of `#countedAtMs`. */
  #underWayMs = 0
  #countedAtMs = 0

  /** @param fixed a number of bodies at a time, whatever the line carries; null: as many as pay. */
  constructor(members: ReadonlySet<LineMember>, account: LineAccount, fixed: number | null, nowMs: number) {
    this.#members = members
    this.#account = account
    this.#fixed = fixed
    this.#adaptive = new UploadWidth(nowMs)
  }

  get isFixed(): boolean {
    return this.#fixed !== null
  }

  get limit(): number {
    return this.#fixed ?? this.#adaptive.limit
  }

  /** How many bodies at a time are known to pay. */
  get provenLimit(): number {
    return this.#fixed ?? this.#adaptive.provenLimit
  }

  /** The line comes into use. */
  begin(nowMs: number): void {
    this.#adaptive.begin(nowMs)
  }

  /** The connection of a lone body took more of it. */
  loneHanded({ body }: LineMember, nowMs: number): void {
    const pace = body.paceAt(nowMs)
    if (pace !== null) this.#adaptive.drained(pace, body.fullMs(nowMs), nowMs)
  }

  /** A large body was answered. `isAlone`: no other one moved meanwhile. */
  largeAnswered({ body, asked }: LineMember, isAlone: boolean, nowMs: number): void {
    const { sizeBytes, beganAtMs, isFull } = body
    // If a bandwidth limit is what is slow, more bodies at a time would only end later.
    if (!isFull && isPaced(asked)) return
    const rate = isFull ? this.#account.bytesPerSecond : (sizeBytes * 1000) / Math.max(1, nowMs - beganAtMs)
    this.#adaptive.largeAnswered({ sizeBytes, beganAtMs, loneRate: isAlone ? rate : null, isVisible: isFull }, nowMs)
  }

  /** The last small body on its way was answered. */
  smallAnswered({ body, asked }: LineMember, nowMs: number): void {
    if (isPaced(asked)) return
    const { roundTripMs } = this.#account.answers
    this.#adaptive.smallAnswered(body.sizeBytes, nowMs - body.beganAtMs, roundTripMs, nowMs)
  }

  /** The service is too busy. */
  refused(nowMs: number): void {
    this.#adaptive.refused(nowMs)
  }

  /** A body ended before its connection took any of it. */
  failed(): void {
    this.#adaptive.failed()
  }

  /** Nothing is on its way. */
  rest(nowMs: number): void {
    this.#adaptive.rest(nowMs)
  }

  /** Adds the time that bodies have been on their way; must be called before one begins to move or ends. */
  countUnderWay(nowMs: number): void {
    const elapsedMs = nowMs - this.#countedAtMs
    for (const { asked, body, isStuck } of this.#members)
      if (!isSmall(asked) && !isStuck && body.handedBytes > 0) this.#underWayMs += elapsedMs
    this.#countedAtMs = nowMs
  }

  /** Must be called several times a second while bodies are on their way. */
  look({ nowMs, isAnyReady, isSaturated }: Look): void {
    if (this.isFixed) return
    this.countUnderWay(nowMs)
    const large = [...this.#members].filter(({ asked, isStuck }) => !isSmall(asked) && !isStuck).length
    const { bytesPerSecond: rate, takenBytes, drainedBytes, answers } = this.#account
    this.#adaptive.look({
      nowMs,
      rate,
      takenBytes,
      drainedBytes,
      answeredBytes: answers.bytes,
      answeredMs: answers.largeMs,
      underWayMs: this.#underWayMs,
      isFull: large >= this.#adaptive.limit || !isAnyReady,
      isSaturated,
      bodyMs: answers.bodyMs,
      knownSince: (fromMs) => this.#account.knownSince(fromMs),
    })
  }
}
