/** The rate is what moved in the time that this many bodies take, within limits (milliseconds). */
const BODIES = 2
const LEAST_WINDOW_MS = 2000
const MOST_WINDOW_MS = 60_000
const LEAST_LOOK_MS = 50

interface Look {
  /** Time in which the line was in use. */
  readonly atMs: number
  knownBytes: number
}

/** A shorter stretch of which all is known says too little (milliseconds). */
const LEAST_SURE_MS = 1000
/** The same before a large body was answered (milliseconds). */
const LEAST_FIRST_MS = 250
/** A smaller body tells of the distance, not of the line (bytes). */
export const LEAST_TELLING_BYTES = 256 * 1024
/** A body that takes so many times as long as the one before it is overdue. */
const OVERDUE_TIMES = 1.5

/** A stretch of the time in which the line was in use, milliseconds. */
export interface Stretch {
  readonly fromMs: number
  readonly toMs: number
}

/**
 * How many bytes a second a line moves, by what is known for certain. What a buffer hid until it was answered counts
 * for the stretches in which it moved unseen, not for the moment in which it showed. All times are those in which the
 * line was in use, milliseconds: pauses say nothing of it.
 */
export class LineRate {
  /** Oldest first. */
  readonly #looks: Look[] = [{ atMs: 0, knownBytes: 0 }]
  #knownBytes = 0
  #knownAtMs = 0
  #bodyMs: number | null = null

  /**
   * Bytes a second of late; null while nothing has moved. `sureMs`: until then all is known, because every body that
   * was on its way before was answered. What came later may hide in buffers, so that it would make a line seem slow.
   * `pace`: at which the first body drained, for the time before there was an answer; null: unknown. `heldMs`: what
   * small bodies alone told holds for so long, until a large one is answered (milliseconds).
   */
  bytesPerSecond(sureMs: number, pace: number | null, heldMs: number): number | null {
    const sure = this.sureBytesPerSecond(sureMs)
    if (sure !== null) return sure
    if (pace !== null) return pace
    // What came since the last answer may show with the next one; if that is overdue, the line has become slower.
    const endMs = Math.max(this.#knownAtMs, this.#nowMs - (this.#bodyMs ?? 0))
    // It may have begun and ended between two looks.
    const small = { atMs: this.#knownAtMs, knownBytes: this.#knownBytes }
    const isHeld = this.#bodyMs === null && small.knownBytes >= LEAST_TELLING_BYTES && this.#nowMs - small.atMs < heldMs
    return this.#until(isHeld ? small : this.#lookAt(endMs), 0)
  }

  /** The same by answers alone; null where too little was answered. */
  sureBytesPerSecond(sureMs: number): number | null {
    const overdueMs = OVERDUE_TIMES * (this.#bodyMs ?? Infinity)
    const leastMs = this.#bodyMs === null ? LEAST_FIRST_MS : LEAST_SURE_MS
    return this.#until(this.#lookAt(Math.max(Math.min(sureMs, this.#nowMs), this.#nowMs - overdueMs)), leastMs)
  }

  /** `bytes` moved evenly in these stretches, as shows at `atMs`; without any, they moved then. */
  known(bytes: number, atMs: number, stretches: readonly Stretch[]): void {
    this.#knownBytes += bytes
    this.#knownAtMs = atMs
    const lengthMs = stretches.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0)
    if (lengthMs === 0) return
    const begunMs = Math.min(...stretches.map(({ fromMs }) => fromMs))
    for (const look of latestFirst(this.#looks)) {
      if (look.atMs <= begunMs) return
      look.knownBytes += (bytes * stretches.reduce((sum, each) => sum + msBefore(look.atMs, each), 0)) / lengthMs
    }
  }

  /** A body took so long. */
  took(bodyMs: number): void {
    this.#bodyMs = bodyMs
  }

  /** Remembers what has moved by `atMs`, in time of use; call it often. */
  look(atMs: number): void {
    if (atMs - (this.#looks.at(-1)?.atMs ?? 0) < LEAST_LOOK_MS) return
    this.#looks.push({ atMs, knownBytes: this.#knownBytes })
    const old = this.#looks.findIndex((look) => atMs - look.atMs <= 2 * MOST_WINDOW_MS)
    if (old > 100) this.#looks.splice(0, old)
  }

  get #nowMs(): number {
    return this.#looks.at(-1)?.atMs ?? 0
  }

  /** Null where nothing is known to have moved, or the stretch before `end` is shorter than `leastMs`. */
  #until(end: Look, leastMs: number): number | null {
    const windowMs = Math.min(MOST_WINDOW_MS, Math.max(LEAST_WINDOW_MS, BODIES * (this.#bodyMs ?? MOST_WINDOW_MS)))
    const begin = this.#lookAt(end.atMs - windowMs)
    if (end.knownBytes <= begin.knownBytes || end.atMs - begin.atMs < leastMs) return null
    return ((end.knownBytes - begin.knownBytes) * 1000) / Math.max(1, end.atMs - begin.atMs)
  }

  #lookAt(atMs: number): Look {
    let from = 0
    for (let to = this.#looks.length; to - from > 1;) {
      const middle = Math.floor((from + to) / 2)
      if ((this.#looks[middle] as Look).atMs <= atMs) from = middle
      else to = middle
    }
    return this.#looks[from] as Look
  }
}

/** How much of a stretch lies before a moment, milliseconds. */
function msBefore(atMs: number, { fromMs, toMs }: Stretch): number {
  return Math.max(0, Math.min(atMs, toMs) - fromMs)
}

function* latestFirst<T>(items: readonly T[]): Generator<T> {
  for (let index = items.length - 1; index >= 0; index -= 1) yield items[index] as T
}
