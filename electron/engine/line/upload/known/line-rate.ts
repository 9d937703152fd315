import { SettledRate, type Hidden } from './settled-rate.ts'

/** The rate is measured over the time that this many bodies take, within these limits (milliseconds). */
const BODIES = 2
const LEAST_WINDOW_MS = 2000
const MOST_WINDOW_MS = 60_000
/** Looks are at least this far apart (milliseconds). */
const LEAST_LOOK_MS = 50

/** What was known at a moment. */
interface Moment {
  /** For how long the line had been in use. */
  readonly atMs: number
  readonly knownBytes: number
}

interface Look extends Moment {
  /** How much of that time was that of a body that was on its way all along: bodies share a line. */
  readonly shareMs: number
  /** Rises when a later answer shows that more had moved by then. */
  knownBytes: number
}

/** A stretch of which everything is known must be at least this long to tell a rate (milliseconds). */
const LEAST_SURE_MS = 1000
/** The same before the first large body is answered (milliseconds). */
const LEAST_FIRST_MS = 250
/** A smaller body tells of the distance, not of the line (bytes). */
export const LEAST_TELLING_BYTES = 256 * 1024
/** A body is overdue when it takes this many times as long as the one before it. */
const OVERDUE_TIMES = 1.5

/** A stretch of the time in which the line was in use, milliseconds. */
export interface Stretch {
  readonly fromMs: number
  readonly toMs: number
}

/** What a line moved in a stretch of time of which all is known. */
export interface KnownStretch {
  readonly bytes: number
  readonly ms: number
}

/** Up to when all that moved is known, and how long it may be until more is. */
export interface Known {
  /** Every body that was on its way before this time of use is answered; later bytes may hide in buffers. */
  readonly sureMs: number
  /** The bodies on their way may take this many times as long as the latest one did, 1 or more: more share the line. */
  readonly times: number
}

/**
 * How many bytes a second a line moves, judged by what is known for certain. Bytes that a buffer hid until their answer
 * count for the stretches in which they moved unseen, not for the moment of the answer. All times are time of use, in
 * milliseconds: pauses tell nothing about a line.
 */
export class LineRate {
  /** Oldest first. */
  readonly #looks: Look[] = [{ atMs: 0, shareMs: 0, knownBytes: 0 }]
  #knownBytes = 0
  #knownAtMs = 0
  #bodyMs: number | null = null
  readonly #settled = new SettledRate()

  /**
   * The recent rate in bytes a second; null while nothing has moved. `pace`: the pace at which the first body drained,
   * used before there is an answer; null if unknown. `heldMs`: how long the rate of small bodies holds until a large one
   * is answered (milliseconds).
   */
  bytesPerSecond(known: Known, pace: number | null, heldMs: number): number | null {
    const sure = this.sureBytesPerSecond(known)
    if (sure !== null) return sure
    if (pace !== null) return pace
    // What moved since the last answer may only show with the next one; if that is overdue, the line has become slower.
    const endMs = Math.max(this.#knownAtMs, this.#nowMs - known.times * (this.#bodyMs ?? 0))
    // A small body may have begun and ended between two looks.
    const small = { atMs: this.#knownAtMs, knownBytes: this.#knownBytes }
    const isHeld = this.#bodyMs === null && small.knownBytes >= LEAST_TELLING_BYTES && this.#nowMs - small.atMs < heldMs
    return this.#until(isHeld ? small : this.#lookAt(endMs), 0)
  }

  /** The rate by answers alone; null if too little was answered. */
  sureBytesPerSecond({ sureMs, times }: Known): number | null {
    if (this.#isSettled(times)) return this.#settled.bytesPerSecond
    const overdueMs = OVERDUE_TIMES * times * (this.#bodyMs ?? Infinity)
    const leastMs = this.#bodyMs === null ? LEAST_FIRST_MS : LEAST_SURE_MS
    return this.#until(this.#lookAt(Math.max(Math.min(sureMs, this.#nowMs), this.#nowMs - overdueMs)), leastMs)
  }

  /** What moved between two moments, or until the latest look if that was earlier. */
  between(fromMs: number, toMs: number): KnownStretch {
    const from = this.#lookAt(fromMs)
    const to = this.#lookAt(Math.min(toMs, this.#nowMs))
    return { bytes: Math.max(0, to.knownBytes - from.knownBytes), ms: Math.max(0, to.atMs - from.atMs) }
  }

  /** How many bytes should have moved by the latest look, if after all that is known they moved at this rate. */
  expectedBytes({ sureMs, times }: Known, bytesPerSecond: number): number {
    const { atMs, knownBytes } = this.#lookAt(Math.min(sureMs, this.#nowMs))
    const { latest } = this.#settled
    const from = this.#isSettled(times) ? latest : { atMs, bytes: knownBytes }
    return from.bytes + (bytesPerSecond * Math.max(0, this.#nowMs - from.atMs)) / 1000
  }

  /**
   * At `atMs` it shows that `bytes` moved in these stretches, or just then if there are none: as many at a time as the
   * bodies on their way left to each of them.
   */
  known(bytes: number, atMs: number, stretches: readonly Stretch[]): void {
    this.#knownBytes += bytes
    this.#knownAtMs = atMs
    const shares = stretches.map(({ fromMs, toMs }) => ({ fromMs: this.#shareAt(fromMs), toMs: this.#shareAt(toMs) }))
    const lengthMs = shares.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0)
    if (lengthMs === 0) return
    const begunMs = Math.min(...stretches.map(({ fromMs }) => fromMs))
    for (const look of latestFirst(this.#looks)) {
      if (look.atMs <= begunMs) return
      look.knownBytes += (bytes * shares.reduce((sum, each) => sum + msBefore(look.shareMs, each), 0)) / lengthMs
    }
  }

  /**
   * A large body was answered, of which all is known by now.
   * @param bodyMs how long it took.
   * @param hidden of the bodies that are still on their way.
   */
  took(bodyMs: number, hidden: Hidden): void {
    this.#bodyMs = bodyMs
    this.#settled.answered(this.#knownAtMs, this.#knownBytes, hidden)
  }

  /** Remembers what has moved by `atMs`, in time of use, while `bodies` were on their way. Must be called often. */
  look(atMs: number, bodies: number): void {
    const last = this.#looks.at(-1) as Look
    if (atMs - last.atMs < LEAST_LOOK_MS) return
    const shareMs = last.shareMs + (atMs - last.atMs) / Math.max(1, bodies)
    this.#looks.push({ atMs, shareMs, knownBytes: this.#knownBytes })
    const old = this.#looks.findIndex((look) => atMs - look.atMs <= 2 * MOST_WINDOW_MS)
    if (old > 100) this.#looks.splice(0, old)
  }

  /** The rate between answers is known, and the next answer is not overdue. */
  #isSettled(times: number): boolean {
    const { bytesPerSecond, latest } = this.#settled
    return bytesPerSecond !== null && this.#nowMs - latest.atMs <= OVERDUE_TIMES * times * (this.#bodyMs ?? 0)
  }

  get #nowMs(): number {
    return this.#looks.at(-1)?.atMs ?? 0
  }

  /** Returns null if nothing is known to have moved or the window before `end` is shorter than `leastMs`. */
  #until(end: Moment, leastMs: number): number | null {
    const windowMs = Math.min(MOST_WINDOW_MS, Math.max(LEAST_WINDOW_MS, BODIES * (this.#bodyMs ?? MOST_WINDOW_MS)))
    const begin = this.#lookAt(end.atMs - windowMs)
    if (end.knownBytes <= begin.knownBytes || end.atMs - begin.atMs < leastMs) return null
    return ((end.knownBytes - begin.knownBytes) * 1000) / Math.max(1, end.atMs - begin.atMs)
  }

  /** The share that a body had by a moment; between two looks and after the last one, as if it had been alone. */
  #shareAt(atMs: number): number {
    const index = this.#indexAt(atMs)
    const { atMs: beforeMs, shareMs } = this.#looks[index] as Look
    const passedMs = Math.max(0, atMs - beforeMs)
    const next = this.#looks[index + 1]
    if (next === undefined) return shareMs + passedMs
    return shareMs + ((next.shareMs - shareMs) * passedMs) / (next.atMs - beforeMs)
  }

  #lookAt(atMs: number): Look {
    return this.#looks[this.#indexAt(atMs)] as Look
  }

  /** Of the latest look at or before a moment; of the first one if there is none. */
  #indexAt(atMs: number): number {
    let from = 0
    for (let to = this.#looks.length; to - from > 1;) {
      const middle = Math.floor((from + to) / 2)
      if ((this.#looks[middle] as Look).atMs <= atMs) from = middle
      else to = middle
    }
    return from
  }
}

/** How much of a stretch lies before a moment, milliseconds. */
function msBefore(atMs: number, { fromMs, toMs }: Stretch): number {
  return Math.max(0, Math.min(atMs, toMs) - fromMs)
}

function* latestFirst<T>(items: readonly T[]): Generator<T> {
  for (let index = items.length - 1; index >= 0; index -= 1) yield items[index] as T
}
