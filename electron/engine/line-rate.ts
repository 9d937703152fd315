/** The rate is what moved in the time that this many bodies take, within limits (milliseconds). */
const BODIES = 2
const LEAST_WINDOW_MS = 2000
const MOST_WINDOW_MS = 60_000

interface Look {
  /** Time in which the line was in use. */
  readonly atMs: number
  readonly movedBytes: number
}

/** How many bytes a second a line moves, by what it has moved at each look while it was in use. */
export class LineRate {
  #looks: readonly Look[] = [{ atMs: 0, movedBytes: 0 }]
  #windowMs = MOST_WINDOW_MS

  /** Bytes a second over the latest looks; null while nothing has moved. */
  get bytesPerSecond(): number | null {
    const last = this.#looks.at(-1)
    if (last === undefined) return null
    // A body that buffers hide shows all at once: a window that ends within one would show too much, or nothing.
    const first = this.#looks.findLast(({ atMs }) => last.atMs - atMs >= this.#windowMs) ?? this.#looks[0] ?? last
    if (last.movedBytes <= first.movedBytes) return null
    return ((last.movedBytes - first.movedBytes) * 1000) / Math.max(1, last.atMs - first.atMs)
  }

  /**
   * @param atMs time in which the line was in use, milliseconds: pauses say nothing of it.
   * @param bodyMs what a body takes, milliseconds; null: unknown.
   */
  look(atMs: number, movedBytes: number, bodyMs: number | null): void {
    this.#windowMs =
      bodyMs === null ? MOST_WINDOW_MS : Math.min(MOST_WINDOW_MS, Math.max(LEAST_WINDOW_MS, BODIES * bodyMs))
    const old = this.#looks.findLastIndex((look) => atMs - look.atMs >= MOST_WINDOW_MS)
    this.#looks = [...this.#looks.slice(Math.max(0, old)), { atMs, movedBytes }]
  }
}
