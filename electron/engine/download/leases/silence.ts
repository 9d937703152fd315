/**
 * When all connections have been silent for this long, an extra one is tried, then more, less often the longer the
 * silence lasts: after an outage TCP may stay silent for as long as the outage took (milliseconds). No connection is
 * given up for the next: one behind a long queue still brings what it was asked for.
 */
const SILENCE_MS = 2000
const TRY_EVERY_MS = 3000
const TRY_SELDOM_MS = 10_000

/** Tells when a download whose connections are all silent tries another one. Monotonic milliseconds; no effects. */
export class Silence {
  #movedAtMs: number
  /** When a connection was last tried in this silence; null when none was. */
  #triedAtMs: number | null = null

  constructor(nowMs: number) {
    this.#movedAtMs = nowMs
  }

  /** Whether one was tried in this silence. */
  get isTried(): boolean {
    return this.#triedAtMs !== null
  }

  /** @param movedAtMs when any of the leases last moved; null: none is out. */
  isTrialDue(movedAtMs: number | null, nowMs: number): boolean {
    this.#movedAtMs = Math.max(this.#movedAtMs, movedAtMs ?? -Infinity)
    const silentMs = nowMs - this.#movedAtMs
    if (silentMs < SILENCE_MS) {
      this.#triedAtMs = null
      return false
    }
    // With no lease out, the connections only wait because the service asks for that or can't be reached: no silence.
    if (this.#triedAtMs === null) return movedAtMs !== null
    return nowMs - this.#triedAtMs >= Math.min(TRY_SELDOM_MS, Math.max(TRY_EVERY_MS, silentMs / 2))
  }

  tried(nowMs: number): void {
    this.#triedAtMs = nowMs
  }

  /** The service answered, so the line is back. */
  ended(): void {
    this.#triedAtMs = null
  }
}
