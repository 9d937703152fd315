import {
  afterRefusal,
  afterWindow,
  provenLimit,
  startGovernor,
  steady,
  type GovernorState,
} from '../../../flow-control/connection-governor.ts'
import {
  afterDraining,
  afterLargeBody,
  afterSmallBody,
  FAST_RATE,
  isCostly,
  MEDIUM_RATE,
  VERY_FAST_RATE,
  type FirstTry,
} from './first-try.ts'
import { isMostlyHidden, isSteadilyVisible, WidthMeter, type LineSight } from './width-meter.ts'

/** A line of this width or more never runs dry between two bodies. */
export const WIDE = 3
/** On a very fast line, fewer bodies would have little less on their way, and hashing them would cost more. */
const VERY_FAST_LEAST = 8
/** What a small body showed is out of date if the next bodies begin later than this (milliseconds). */
const SHOWN_FOR_MS = 5000
/** The time between two trials on a slow line, whose buffers make a short trial tell little (milliseconds). */
const SLOW_TRIAL_EVERY_MS = 60_000
/** The same in the time that a body takes, where bodies hide their progress: a trial takes three or four bodies long. */
const HIDDEN_TRIAL_EVERY_BODIES = 16
/** A window on a slow line may be off by this share. */
const HIDDEN_SHARE = 0.15
/** A line is full if added bodies gain less than this share of what as many brought before. */
const ROOM_SHARE = 0.6

/** A large body that was answered. */
interface LargeBody {
  readonly sizeBytes: number
  readonly beganAtMs: number
  /** Its own rate if it was alone on its way, bytes a second; otherwise null. */
  readonly loneRate: number | null
  /** Its connection was full, so what more bodies gain will show soon. */
  readonly isVisible: boolean
}

/**
 * How many bodies are sent to a host at the same time. It begins with one, because on a slow line more would only end
 * later. What that one shows tells whether more are worth a try (`first-try.ts`); from there on the governor decides
 * (ADR 8) by what each width brings (`width-meter.ts`).
 *
 *     unknown ──── a lone body shows how many are worth a try ───▶ governed
 *     governed ─── nothing is on its way, and the width is 1 or 2 ──▶ unknown
 */
export class UploadWidth {
  readonly #meter: WidthMeter
  #state: GovernorState
  #isGoverned = false
  #failures = 0
  #isSlow = false
  #isAnswered = false
  #judgedAtMs = -Infinity
  /** When a small body showed that several may begin; Infinity once they have begun, or if none showed it. */
  #shownAtMs = Infinity

  constructor(nowMs: number) {
    this.#state = startGovernor(nowMs, 1)
    this.#meter = new WidthMeter(nowMs)
  }

  get limit(): number {
    return this.#state.limit
  }

  get provenLimit(): number {
    return provenLimit(this.#state)
  }

  /** The line comes into use. What a small body showed too long ago no longer holds. */
  begin(nowMs: number): void {
    if (nowMs - this.#shownAtMs > SHOWN_FOR_MS) this.rest(nowMs)
    this.#shownAtMs = Infinity
  }

  /** A lone full connection has drained at this rate (bytes a second) for `fullMs` milliseconds. */
  drained(rate: number, fullMs: number, nowMs: number): void {
    if (!this.#isGoverned) this.#try(afterDraining(rate, fullMs, this.#isAnswered), nowMs)
  }

  /** The last small body on its way was answered `elapsedMs` after its first byte. */
  smallAnswered(sizeBytes: number, elapsedMs: number, roundTripMs: number, nowMs: number): void {
    if (this.#isGoverned) return
    const found = afterSmallBody(sizeBytes, elapsedMs, roundTripMs)
    if (found === null) return
    this.#try(found, nowMs)
    this.#shownAtMs = nowMs
  }

  largeAnswered({ sizeBytes, beganAtMs, loneRate, isVisible }: LargeBody, nowMs: number): void {
    this.#isAnswered = true
    if (!this.#isGoverned && loneRate !== null) this.#try(afterLargeBody(loneRate, isVisible), nowMs)
    this.#meter.answered(sizeBytes, beganAtMs, nowMs)
  }

  /** The service is too busy: fewer bodies go, and no more are tried for a while. */
  refused(nowMs: number): void {
    this.#state = afterRefusal(this.#state, nowMs)
    this.#meter.interrupt()
  }

  /** A body ended before its connection took any of it. */
  failed(): void {
    this.#failures += 1
  }

  /** Looks at the line. Must be called several times a second. */
  look(sight: LineSight): void {
    if (!this.#isGoverned || this.#isLeftAlone(sight)) return
    const { nowMs, isSaturated } = sight
    const rate = sight.rate ?? 0
    // What bodies hide until their answers would look like a gain in one window and like a loss in the next. Where a
    // width that is too large costs most, or lasts longest, it is judged only by what is known for certain.
    const mustBeCertain = (rate >= MEDIUM_RATE || isMostlyHidden(sight)) && isCostly(this.#state.limit, rate)
    const measured = this.#meter.measure(this.#state, sight, mustBeCertain)
    if (measured === null) return
    const before = { ...this.#state, least: rate >= VERY_FAST_RATE ? VERY_FAST_LEAST : 1 }
    const after = afterWindow(before, {
      nowMs,
      bytesPerSecond: this.#carefully(measured.bytesPerSecond, sight, mustBeCertain),
      // While fewer are tried, not all of them being in use is part of what the smaller number achieves.
      isFull: measured.isFull || before.phase === 'shrink',
      isSaturated,
      failures: this.#failures,
    })
    this.#state = mustBeCertain && measured.isFull ? fitted(before, after, measured.bytesPerSecond, sight) : after
    this.#meter.judged(before, this.#state, measured, nowMs)
    this.#failures = 0
    this.#isSlow = rate < FAST_RATE
    this.#judgedAtMs = nowMs
  }

  /** Nothing is on its way. The next upload begins with the width learned so far. */
  rest(nowMs: number): void {
    this.#meter.interrupt()
    this.#state = startGovernor(nowMs, this.#state.limit)
    if (this.#state.limit <= 2) this.#isGoverned = false
  }

  #try(found: FirstTry | null, nowMs: number): void {
    if (found === null) return
    const { limit, loneRate } = found
    const before = loneRate === null ? null : { limit: this.#state.limit, bytesPerSecond: loneRate }
    this.#isGoverned = true
    this.#state = { ...startGovernor(nowMs, limit), before }
    this.#meter.restart(nowMs)
  }

  /** A slow line that needs no more bodies is left alone for a while. */
  #isLeftAlone(sight: LineSight): boolean {
    if (!this.#isSlow || this.#state.phase !== 'steady') return false
    const leastMs = isSteadilyVisible(sight) ? 0 : HIDDEN_TRIAL_EVERY_BODIES * (sight.bodyMs ?? 0)
    return sight.nowMs - this.#judgedAtMs < Math.max(SLOW_TRIAL_EVERY_MS, leastMs)
  }

  /** On a slow line or behind deep buffers a part hides much of its progress: more bodies must gain clearly more. */
  #carefully(bytesPerSecond: number, sight: LineSight, mustBeCertain: boolean): number {
    const usual = sight.rate ?? 0
    if (usual >= FAST_RATE && isSteadilyVisible(sight) && !mustBeCertain) return bytesPerSecond
    const { limit, before, phase } = this.#state
    // What is known for certain needs no caution while growing, where the width that fills the line is known, too.
    if (mustBeCertain && phase === 'grow') return bytesPerSecond
    const isWider = before !== null && limit > before.limit
    return isWider ? bytesPerSecond * (1 - HIDDEN_SHARE) : Math.max(bytesPerSecond, usual)
  }
}

/**
 * The width that fills the line, where more bodies were tried and gained less than their share; otherwise `to`.
 * @param bytesPerSecond what the width of `from` is known to bring.
 */
function fitted(from: GovernorState, to: GovernorState, bytesPerSecond: number, sight: LineSight): GovernorState {
  const { before, limit, phase } = from
  if ((phase !== 'grow' && phase !== 'up') || before === null || limit <= before.limit || to.limit < limit) return to
  const gain = bytesPerSecond / before.bytesPerSecond
  // At a width of one, more than one is on its way: the next body begins before the one before it is answered.
  if (limit === 2 || gain - 1 >= ROOM_SHARE * (limit / before.limit - 1)) return to
  // Behind deep buffers a narrow line has more on their way: those that wait for their answers.
  if (before.limit === WIDE - 1 && !isSteadilyVisible(sight)) return steady(to, before.limit, sight.nowMs)
  // A quarter of a body more than what fills it, for a line has a gap between two bodies. If connections broke meanwhile,
  // that does not show that it needs fewer than before.
  const filling = Math.round(before.limit * gain + 0.25)
  return steady(to, Math.min(limit, Math.max(before.limit, filling)), sight.nowMs)
}
