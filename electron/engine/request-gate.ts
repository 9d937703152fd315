import type { Clock } from './deps.ts'

/** After a refusal fewer requests go at a time for this long; then one more each time that all have succeeded. */
const HOLD_MS = 10_000
/** Refusals of requests that were under way when the number fell don't count again (milliseconds). */
const ECHO_MS = 1000
const REFUSED_FACTOR = 0.7

/** Lets so many requests run at a time, fewer where the service asks for it. Who comes first goes first. */
export interface RequestGate {
  /** Requests at a time, 1 or more. */
  readonly limit: number
  /** Resolves when a request may begin; undefined: at once. Rejects with `signal.reason` when aborted. */
  enter(): Promise<void> | undefined
  /** A request that had entered is over. */
  leave(how: 'done' | 'refused' | 'failed'): void
}

export function createRequestGate(
  maxRequests: number,
  clock: Pick<Clock, 'monotonicMs'>,
  signal: AbortSignal,
): RequestGate {
  let limit = maxRequests
  let running = 0
  let refusedAtMs = -Infinity
  let successes = 0
  const waiting: { readonly resolve: () => void; readonly reject: (reason: unknown) => void }[] = []
  signal.addEventListener('abort', () => {
    for (const { reject } of waiting.splice(0)) reject(signal.reason)
  })

  function refused(): void {
    const nowMs = clock.monotonicMs()
    successes = 0
    if (nowMs - refusedAtMs < ECHO_MS) return
    refusedAtMs = nowMs
    limit = Math.max(1, Math.floor(limit * REFUSED_FACTOR))
  }

  function succeeded(): void {
    if (limit === maxRequests || clock.monotonicMs() - refusedAtMs < HOLD_MS) return
    successes += 1
    if (successes < limit) return
    successes = 0
    limit += 1
  }

  return {
    get limit() {
      return limit
    },
    enter() {
      if (running < limit) {
        running += 1
        return undefined
      }
      if (signal.aborted) return Promise.reject(signal.reason)
      return new Promise((resolve, reject) => waiting.push({ resolve, reject }))
    },
    leave(how) {
      running -= 1
      if (how === 'refused') refused()
      else if (how === 'done') succeeded()
      while (running < limit) {
        const next = waiting.shift()
        if (next === undefined) return
        running += 1
        next.resolve()
      }
    },
  }
}
