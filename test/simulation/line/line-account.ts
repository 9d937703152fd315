import type { LineTerms } from './line-draw.ts'
import type { Way } from './line.ts'
import { BACK_AFTER_MS, DEAD_LINE_MS, type LineRule } from './line-rules.ts'
import type { Timeline, Trace } from '../timeline.ts'

/** Who or what ended a request: `world` stands for everything that the program could not help. */
export type Ending = 'read' | 'left' | 'aborted' | 'timeout' | 'world'

export interface AccountParts {
  readonly timeline: Timeline
  readonly trace: Trace
  readonly oracle: { violated(text: string): void }
  readonly lineTerms: LineTerms
  /** If not, giving up may be right. */
  readonly isHonest: boolean
}

/** What both directions' accounts share: whose decisions are the program's own, and what to do about a broken rule. */
export abstract class LineAccount {
  protected readonly parts: AccountParts
  readonly #way: Way
  #isStopping = false
  /** Somebody paused, stopped or killed something. */
  protected wasDisturbed = false

  constructor(parts: AccountParts, way: Way) {
    this.parts = parts
    this.#way = way
  }

  /** A person stops transfers, or lets them go on: what ends meanwhile they ended. */
  userStops(isStopping: boolean): void {
    this.#isStopping = isStopping
    this.wasDisturbed = true
  }

  /** Everything is there. @param untilMs when it had to be, milliseconds of virtual time. */
  finished(totalBytes: number, untilMs: number): void {
    const { nowMs } = this.parts.timeline
    if (!this.wasDisturbed && nowMs > untilMs)
      this.breaks('slowerThanLine', `${totalBytes} bytes took until ${nowMs} ms, not ${untilMs} ms`)
  }

  /** It is no use to wait any longer: this world is given up. */
  endless(): void {
    this.breaks('slowerThanLine', `no end at ${this.parts.timeline.nowMs} ms`)
  }

  /** A request is given up before all that it asked for is there. */
  givenUp(name: string, how: Ending): void {
    if (this.isOwn(how) && this.#isMoving) this.breaks('givenUpWhileMoving', `${name} was ${how}`)
  }

  /** The program's own decision, if it is one: the line is honest, and nobody asked for it. */
  protected isOwn(how: Ending): boolean {
    return this.parts.isHonest && how !== 'world' && !this.#isStopping
  }

  /** The line has carried something lately, and so carries on; that it is back from the dead shows a while later. */
  get #isMoving(): boolean {
    const { nowMs } = this.parts.timeline
    const { movedAtMs, movingSinceMs } = this.#way
    return nowMs - movedAtMs < DEAD_LINE_MS && (movingSinceMs === 0 || nowMs - movingSinceMs > BACK_AFTER_MS)
  }

  protected breaks(rule: LineRule, text: string): void {
    const { oracle, lineTerms, isHonest } = this.parts
    oracle.violated(`${rule}: ${text}${isHonest ? `, on a line of ${lineTerms.name}` : ''}`)
  }
}
