/** The rate is what moved in the time that this many bodies take, within limits (milliseconds). */
const BODIES = 2
const LEAST_WINDOW_MS = 2000
const MOST_WINDOW_MS = 20_000
const UNKNOWN_BODY_MS = 2000

/** How many bytes a second a line moves, by what it has moved at each look while it was in use. */
export class LineRate {
  #looks: readonly { readonly atMs: number; readonly movedBytes: number }[] = []

  /** Bytes a second over the latest looks; null while nothing has moved. */
  get bytesPerSecond(): number | null {
    const [first, last] = [this.#looks[0], this.#looks.at(-1)]
    if (first === undefined || last === undefined || last.movedBytes <= first.movedBytes) return null
    return ((last.movedBytes - first.movedBytes) * 1000) / Math.max(1, last.atMs - first.atMs)
  }

  /** The line is taken into use again: what happens before the next look counts, what happened before does not. */
  restart(nowMs: number, movedBytes: number): void {
    this.#looks = [{ atMs: nowMs, movedBytes }]
  }

  /** @param bodyMs what a body takes, milliseconds; null: unknown. */
  look(nowMs: number, movedBytes: number, bodyMs: number | null): void {
    const windowMs = Math.min(MOST_WINDOW_MS, Math.max(LEAST_WINDOW_MS, BODIES * (bodyMs ?? UNKNOWN_BODY_MS)))
    const old = this.#looks.findLastIndex(({ atMs }) => nowMs - atMs >= windowMs)
    this.#looks = [...this.#looks.slice(Math.max(0, old)), { atMs: nowMs, movedBytes }]
  }
}
