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

/**
 * How many bytes a second a line moves, by what is known for certain. What a buffer hid until it was answered counts
 * for the whole time that it took, not for the moment in which it showed. All times are those in which the line was in
 * use, milliseconds: pauses say nothing of it.
 */
export class LineRate {
  /** Oldest first. */
  readonly #looks: Look[] = [{ atMs: 0, knownBytes: 0 }]
  #knownBytes = 0
  #knownAtMs = 0
  #bodyMs: number | null = null

  /** Bytes a second of late; null while nothing has moved. */
  get bytesPerSecond(): number | null {
    const nowMs = this.#looks.at(-1)?.atMs ?? 0
    // What came since the last answer may show with the next one; if that is overdue, the line has become slower.
    const endMs = Math.max(this.#knownAtMs, nowMs - (this.#bodyMs ?? 0))
    const end = this.#lookAt(endMs)
    const windowMs = Math.min(MOST_WINDOW_MS, Math.max(LEAST_WINDOW_MS, BODIES * (this.#bodyMs ?? MOST_WINDOW_MS)))
    const begin = this.#lookAt(endMs - windowMs)
    if (end.knownBytes <= begin.knownBytes) return null
    return ((end.knownBytes - begin.knownBytes) * 1000) / Math.max(1, end.atMs - begin.atMs)
  }

  /** `bytes` moved in the `overMs` before `atMs`. */
  known(bytes: number, atMs: number, overMs: number): void {
    this.#knownBytes += bytes
    this.#knownAtMs = atMs
    const fromMs = atMs - overMs
    for (const look of latestFirst(this.#looks)) {
      if (look.atMs <= fromMs) return
      look.knownBytes += (bytes * (look.atMs - fromMs)) / overMs
    }
  }

  /** A body took so long. */
  took(bodyMs: number): void {
    this.#bodyMs = bodyMs
  }

  look(atMs: number): void {
    if (atMs - (this.#looks.at(-1)?.atMs ?? 0) < LEAST_LOOK_MS) return
    this.#looks.push({ atMs, knownBytes: this.#knownBytes })
    const old = this.#looks.findIndex((look) => atMs - look.atMs <= 2 * MOST_WINDOW_MS)
    if (old > 100) this.#looks.splice(0, old)
  }

  #lookAt(atMs: number): Look {
    for (const look of latestFirst(this.#looks)) if (look.atMs <= atMs) return look
    return this.#looks[0] ?? { atMs: 0, knownBytes: 0 }
  }
}

function* latestFirst<T>(items: readonly T[]): Generator<T> {
  for (let index = items.length - 1; index >= 0; index -= 1) yield items[index] as T
}
