/** A time that comes again and again, in which a line carries only a share of its rate. */
export interface Spell {
  readonly everyMs: number
  /** At the end of each period. */
  readonly lastsMs: number
  /** Of the rate; 0: nothing moves. */
  readonly share: number
}

/** What one direction of a line is like. */
export interface WayTerms {
  readonly bytesPerSecond: number
  /** From one end to the other, milliseconds. */
  readonly delayMs: number
  /** Added to the delay at most, milliseconds. */
  readonly jitterMs: number
  /** What a connection may hand over before it moves: system, router or proxy hold it meanwhile (bytes). */
  readonly bufferBytes: number
  /** All connections have one buffer in common, as in a router; else each has its own. */
  readonly isBufferShared: boolean
  /** `fair`: connections take turns. `fifo`: what came first goes first. */
  readonly order: 'fair' | 'fifo'
  readonly spells: readonly Spell[]
}

/** When `bytes` that begin to move at `fromMs` have moved, milliseconds of virtual time. */
export function movedAtMs({ bytesPerSecond, spells }: WayTerms, fromMs: number, bytes: number): number {
  let atMs = fromMs
  let left = (bytes * 1000) / bytesPerSecond
  for (;;) {
    const { share, untilMs } = shareAt(spells, atMs)
    const neededMs = share === 0 ? Infinity : left / share
    if (atMs + neededMs <= untilMs) return atMs + neededMs
    left -= (untilMs - atMs) * share
    atMs = untilMs
  }
}

/** The share of its rate that a line has at a moment, and until when that is so. */
function shareAt(spells: readonly Spell[], nowMs: number): { readonly share: number; readonly untilMs: number } {
  let share = 1
  let untilMs = Infinity
  for (const spell of spells) {
    // Whole periods by their number: a remainder of a sum may fall short of its period for ever.
    const period = Math.floor(nowMs / spell.everyMs)
    const beginsMs = (period + 1) * spell.everyMs - spell.lastsMs
    const isOn = nowMs >= beginsMs
    if (isOn) share *= spell.share
    untilMs = Math.min(untilMs, isOn ? (period + 1) * spell.everyMs : beginsMs)
  }
  return { share, untilMs }
}
