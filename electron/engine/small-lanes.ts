import type { Clock } from './deps.ts'

/** As the governor of connections has it (`connection-governor.ts`). */
const REFUSED_FACTOR = 0.7
const HOLD_MS = 10_000
/** Answers to what was under way when the number fell don't count again. */
const ECHO_MS = 1000
/** Slower than this a connection may be taken for dead, bytes a second. */
const MIN_LANE_RATE = 32 * 1024

/** How many requests for small objects run at a time. */
export interface SmallLanes {
  readonly most: number
  readonly limit: number
  /** Waits for one's turn. Rejects with `signal.reason` when aborted. */
  enter(): Promise<void> | undefined
  leave(): void
  /** 429, 503 or SlowDown: three of ten less. Ten seconds later they come back one by one. */
  refused(): void
}

/** @param rateLimit bytes a second as it is now; null: none. */
export function createSmallLanes(
  most: number,
  clock: Clock,
  signal: AbortSignal,
  rateLimit: () => number | null,
): SmallLanes {
  let allowed = most
  let running = 0
  let refusedAtMs = -Infinity
  const waiting: { readonly resolve: () => void; readonly reject: (reason: unknown) => void }[] = []
  signal.addEventListener('abort', () => {
    for (const { reject } of waiting.splice(0)) reject(signal.reason)
  })

  function limit(): number {
    const rate = rateLimit()
    return rate === null ? allowed : Math.max(1, Math.min(allowed, Math.floor(rate / MIN_LANE_RATE)))
  }

  return {
    most,
    get limit() {
      return limit()
    },
    enter() {
      if (running < limit()) {
        running += 1
        return undefined
      }
      return new Promise((resolve, reject) => waiting.push({ resolve, reject }))
    },
    leave() {
      running -= 1
      if (allowed < most && clock.monotonicMs() - refusedAtMs > HOLD_MS) allowed += 1
      while (waiting.length > 0 && running < limit()) {
        running += 1
        waiting.shift()?.resolve()
      }
    },
    refused() {
      const nowMs = clock.monotonicMs()
      if (nowMs - refusedAtMs < ECHO_MS) return
      refusedAtMs = nowMs
      allowed = Math.max(1, Math.floor(Math.min(allowed, Math.max(running, 1)) * REFUSED_FACTOR))
    },
  }
}
